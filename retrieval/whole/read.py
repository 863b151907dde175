"""A list, count or summary over a whole document or section: read part by part, put together, each part cited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from core.answer import Passage
from core.language import language_of
from core.read_share import ReadShare
from retrieval.content_words import WordsHeld
from retrieval.evidence import Draft
from retrieval.query.understood import Shape, Understood
from retrieval.whole.citing import Finding, Written, by_section, listed
from retrieval.whole.entries import Entry
from retrieval.whole.extracting import extract
from retrieval.whole.mapping import Mapped, Mapper, Model, batches, tokens_of
from retrieval.whole.merging import grouped, summarised
from retrieval.whole.numbered import asked_part, numbered_parts
from retrieval.whole.stretch import Stretch
from retrieval.whole.subject import subject_words

OnProgress = Callable[[int, int], None]
Cancelled = Callable[[], bool]

# Of what a document numbers itself the number is what is asked for: few are shown.
_NUMBERED_SHOWN: Final = 50
_EXACT: Final = "whole_count"


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAnswer:
    """The draft, the passages that its citations index, and how much was read for it.

    ``method`` is how it came about: llm, or extractive where no model took part.
    """

    draft: Draft
    passages: tuple[Passage, ...]
    share: ReadShare
    method: str


def read_whole(
    understood: Understood,
    stretch: Stretch,
    model: Model | None,
    *,
    max_tokens: int,
    on_progress: OnProgress = lambda done, total: None,
    cancelled: Cancelled = lambda: False,
) -> WholeAnswer:
    """An answer from all of ``stretch``; not answered when nothing in it answers the question.

    With ``model`` at most ``max_tokens`` tokens of source text are read; without one, or when it
    reads nothing at all, the source's own words are taken from everything. What a document numbers itself
    is counted by its numbers. ``on_progress`` gets calls done and calls in all. Raises ``CancelledError``.
    """
    language = language_of(understood.question)
    notes = ("note_whole_no_section",) if stretch.missed else ()
    part = asked_part(understood, stretch)
    if part is not None and (found := numbered_parts(stretch.entries, part)):
        groups = [[finding] for finding in found]
        written = listed(groups, stretch, language, count=_EXACT, most=_NUMBERED_SHOWN)
        return _answer(written, stretch.share(), "extractive", (*notes, "note_whole_structure"))
    if model is not None and stretch.entries:
        answer = _Reading(understood, stretch, model).run(max_tokens, on_progress, cancelled, notes)
        if answer is not None:
            return answer
        notes = (*notes, "note_model_failed")
    written = _extracted(understood, stretch)
    return _answer(written, stretch.share(), "extractive", (*notes, "note_whole_extractive"))


class _Reading:
    """One reading by the chat model."""

    def __init__(self, understood: Understood, stretch: Stretch, model: Model) -> None:
        self._question = understood.question
        self._shape = understood.shape
        self._words = subject_words(understood, stretch)
        self._stretch = stretch
        self._model = model

    def run(
        self, max_tokens: int, on_progress: OnProgress, cancelled: Cancelled, notes: tuple[str, ...]
    ) -> WholeAnswer | None:
        """``None`` when the model read nothing."""
        calls = batches(self._question, self._stretch.entries, self._model)
        kept = within_budget(calls, max_tokens, self._words)
        skipped = [entry for place, call in enumerate(calls) if place not in kept for entry in call]
        mapper = Mapper(self._question, self._shape, self._model, on_progress, cancelled)
        mapped = mapper.run([calls[place] for place in sorted(kept)])
        if len(mapped.failed) == len(self._stretch.entries) - len(skipped):
            return None
        share = self._stretch.share([*skipped, *mapped.failed])
        notes += ("note_whole_budget",) if skipped else ()
        notes += ("note_whole_failed",) if mapped.failed else ()
        notes += ("note_unknown_citations",) if mapped.unknown else ()
        written, merged = self._reduced(mapped, share)
        return _answer(written, share, "llm", notes if merged else (*notes, "note_whole_unmerged"))

    def _reduced(self, mapped: Mapped, share: ReadShare) -> tuple[Written, bool]:
        """What was found, put together, and whether the model took part in that."""
        findings = mapped.findings
        if self._shape is Shape.SUMMARY:
            whole = summarised(self._question, findings, self._stretch, self._model) if findings else None
            return whole or by_section(findings, self._stretch), whole is not None or not findings
        groups, merged = grouped(self._question, findings, self._model)
        count = _EXACT if share.is_whole and merged else "whole_count_at_least"
        return listed(groups, self._stretch, language_of(self._question), count=count), merged


def within_budget(calls: Sequence[Sequence[Entry]], max_tokens: int, words: Sequence[str]) -> frozenset[int]:
    """The places of the calls that ``max_tokens`` allow, at least one.

    Those that hold most of the question's words come first; without words they lie evenly over the document.
    """
    sizes = [sum(tokens_of(entry) for entry in call) for call in calls]
    if sum(sizes) <= max_tokens:
        return frozenset(range(len(calls)))
    kept: set[int] = set()
    for place in _by_words(calls, words) if words else _evenly(len(calls)):
        if not kept or sum(sizes[other] for other in kept) + sizes[place] <= max_tokens:
            kept.add(place)
    return frozenset(kept)


def _evenly(count: int) -> list[int]:
    """All places below ``count``, so that every beginning of the order is spread over them: by halved steps."""
    order: dict[int, None] = {}
    step = count
    while step >= 1:
        order |= dict.fromkeys(range(0, count, step))
        step //= 2
    return list(order)


def _by_words(calls: Sequence[Sequence[Entry]], words: Sequence[str]) -> list[int]:
    held = [WordsHeld(*(text for entry in call for text in (*entry.under, entry.text))) for call in calls]
    share = [sum(text.share(word) for word in words) for text in held]
    return sorted(range(len(calls)), key=lambda place: (-share[place], place))


def _extracted(understood: Understood, stretch: Stretch) -> Written:
    findings: list[Finding] = extract(understood, stretch)
    if understood.shape is Shape.SUMMARY:
        return by_section(findings, stretch)
    return listed(
        [[finding] for finding in findings],
        stretch,
        language_of(understood.question),
        count="whole_count_by_words",
    )


def _answer(written: Written, share: ReadShare, method: str, notes: tuple[str, ...]) -> WholeAnswer:
    answered = bool(written.citations)
    draft = Draft(
        text=written.text if answered else "",
        citations=written.citations,
        answered=answered,
        notes=notes,
        checks=written.checks if answered else (),
    )
    return WholeAnswer(draft=draft, passages=written.evidence.passages, share=share, method=method)
