"""Any text held against the knowledge base, sentence by sentence; nothing is generated."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from core.answer import Answer, Passage, Route, SearchResult
from core.errors import CancelledError
from core.span import Span
from core.verdict import Aspect, Verdict
from retrieval.answerers.checking import MarkedSentence, checked, marked_sentences
from retrieval.answerers.markers import normalise
from retrieval.evidence import Evidence
from retrieval.verify.support import Support, Verified
from retrieval.verify.verifier import Verifier, alone

METHOD: Final = "verify"
# Passages that are looked at for one sentence, and how many of the last sentence's stay in view: what follows
# often speaks of the same place without naming it.
PASSAGES: Final = 8
_KEPT_IN_VIEW: Final = 3
_TITLE_CHARS: Final = 80


class _Placed(Protocol):
    @property
    def span(self) -> Span: ...


_T = TypeVar("_T", bound=_Placed)
Find = Callable[[str], Evidence]
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A sentence's verdict over the ``evidence`` it was held against."""

    verified: Verified
    evidence: Evidence


def verify_text(
    text: str,
    find: Find,
    verifier: Verifier,
    *,
    on_progress: OnProgress = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Answer:
    """The text as an answer whose sentences are checked and cite what carries or contradicts them.

    ``find`` gives the passages for a sentence. Markers that the text brings along are taken out: they number
    the sources of somebody else. Raises ``CancelledError`` and what ``find`` raises.
    """
    started = time.perf_counter()
    plain = normalise(text, 0).text
    sentences = marked_sentences(plain)
    held: list[_Held] = []
    for done, sentence in enumerate(sentences):
        if cancelled():
            raise CancelledError
        on_progress(done, len(sentences))
        held.append(_held(sentence, held[-1] if held else None, find, verifier))
    on_progress(len(sentences), len(sentences))
    evidence, places = _together(held)
    found = checked(plain, {}, evidence, _Known(held, places))
    return Answer(
        text=found.text,
        answered=True,
        citations=found.citations,
        search=_search(plain, evidence.passages),
        method=METHOD,
        notes=(),
        latency_ms=(time.perf_counter() - started) * 1000,
        checks=found.checks,
    )


def _held(sentence: MarkedSentence, before: _Held | None, find: Find, verifier: Verifier) -> _Held:
    """What the passages found for a sentence, and those of the sentence before, say of it."""
    nothing = Evidence(passages=(), texts={}, blocks={}, lines={})
    if not verifier.check(sentence.words, (), nothing).claim:
        return _Held(verified=Verified(verdict=Verdict.SUPPORTED, claim=False), evidence=nothing)
    evidence = find(sentence.words)
    if before is not None:
        evidence = _joined(evidence, _in_view(before))
    verified = verifier.check(sentence.words, (), evidence)
    if verified.verdict is not Verdict.SUPPORTED and evidence.passages:
        verified = _nearest(sentence, evidence) or verified
    return _Held(verified=replace(verified, repaired=False), evidence=evidence)


def _nearest(sentence: MarkedSentence, evidence: Evidence) -> Verified | None:
    """The verdict of the passage that says most of the sentence: it tells what stands there instead.

    ``None`` where no passage speaks of the same: a few shared words are no place to point at.
    """
    each = [alone(sentence.words, index, evidence) for index in range(len(evidence.passages))]
    pointed = [support for support in each if support.strong and _speaks_of_it(support)]
    if not pointed:
        return None
    best = max(
        pointed, key=lambda support: (support.verdict is Verdict.PARTLY, support.score, -support.passage)
    )
    return Verified(verdict=best.verdict, reasons=best.reasons, supports=(best,))


def _speaks_of_it(support: Support) -> bool:
    """Whether a passage carries a part of the sentence or contradicts it."""
    return support.verdict is not Verdict.UNSUPPORTED or any(
        reason.aspect is not Aspect.WORDS for reason in support.reasons
    )


def _in_view(before: _Held) -> Evidence:
    """The passages that the sentence before cites, else the first ones found for it."""
    cited = [support.passage for support in before.verified.supports]
    wanted = cited or list(range(len(before.evidence.passages)))
    passages = tuple(before.evidence.passages[index] for index in wanted[:_KEPT_IN_VIEW])
    return replace(before.evidence, passages=passages)


def _joined(first: Evidence, second: Evidence) -> Evidence:
    """Both in this order, a passage that stands in both once."""
    seen = {(passage.version_id, passage.span) for passage in first.passages}
    more = [passage for passage in second.passages if (passage.version_id, passage.span) not in seen]
    return Evidence(
        passages=(*first.passages, *more),
        texts={**second.texts, **first.texts},
        blocks=_merged(first.blocks, second.blocks),
        lines=_merged(first.lines, second.lines),
    )


def _merged(
    first: Mapping[str, tuple[_T, ...]], second: Mapping[str, tuple[_T, ...]]
) -> dict[str, tuple[_T, ...]]:
    """What is known of each version in either, in the order of its text, each once."""
    return {
        version_id: tuple(
            sorted(
                {*first.get(version_id, ()), *second.get(version_id, ())}, key=lambda part: part.span.start
            )
        )
        for version_id in {**first, **second}
    }


def _together(held: Sequence[_Held]) -> tuple[Evidence, list[Mapping[int, int]]]:
    """One evidence of all passages that are cited, and for each sentence the new index of each of its own."""
    whole = Evidence(passages=(), texts={}, blocks={}, lines={})
    places: list[Mapping[int, int]] = []
    for one in held:
        cited = [support.passage for support in one.verified.supports]
        passages = tuple(one.evidence.passages[index] for index in cited)
        whole = _joined(whole, replace(one.evidence, passages=passages))
        known = {(passage.version_id, passage.span): at for at, passage in enumerate(whole.passages)}
        places.append({index: known[p.version_id, p.span] for index, p in zip(cited, passages, strict=True)})
    return whole, places


class _Known(Verifier):
    """Tells for each sentence in turn what is known of it already."""

    def __init__(self, held: Sequence[_Held], places: Sequence[Mapping[int, int]]) -> None:
        super().__init__()
        self._next = iter(zip(held, places, strict=True))

    def check(self, sentence: str, cited: Sequence[int], evidence: Evidence) -> Verified:
        one, place = next(self._next)
        supports = [replace(support, passage=place[support.passage]) for support in one.verified.supports]
        return replace(one.verified, supports=tuple(supports))


def _search(text: str, passages: tuple[Passage, ...]) -> SearchResult:
    """What stands in an answer's search: the first words of the text, and what was cited."""
    line = " ".join(text.split())
    title = line if len(line) <= _TITLE_CHARS else line[: _TITLE_CHARS - 1] + "…"
    return SearchResult(
        question=title, searched=title, passages=passages, route=Route.CONFIDENT, trace=(), latency_ms=0.0
    )
