"""No model: the source's own sentences that answer best, verbatim, each run of them cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.language import language_of
from core.protocols import Embedder
from core.span import Span
from core.verdict import Verdict
from retrieval.answerers.relevance import Placed, likelihoods, placed_units
from retrieval.answerers.runs import Run, named_by, runs
from retrieval.evidence import Draft, Evidence, OnText
from retrieval.query.shape import shape_of
from retrieval.query.understood import Shape
from retrieval.units import width_of

# A further run must be this likely to be wanted; a question for several things wants several.
_LEAST: Final = 0.25
_LEAST_OF_MANY: Final = 0.1
# A part that a chosen run names by its number need not be so likely itself.
_LEAST_NAMED: Final = 0.02
# A question ends with its mark, and has so many letters at least.
_QUESTION: Final = re.compile(r"[^?？]+[?？]")
_LEAST_CHARS: Final = 3
_OF_MANY: Final = frozenset({Shape.LIST, Shape.COMPARE, Shape.SUMMARY})
# Across languages a unit must hold more than this share of the question's content words.
_FOREIGN_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Quote:
    """What is shown of one run: ``span`` is what is cited, ``strong`` its likeliest unit."""

    passage: int
    span: Span
    shown: str
    strong: tuple[Span, ...]


class ExtractiveAnswerer:
    """Finds the runs of units that most likely answer, by words and by meaning."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def answer(self, question: str, evidence: Evidence, on_text: OnText) -> Draft:
        """At most three runs in the order of the source; unanswered when nothing shares a word with the question.

        Raises ``EmbeddingError``.
        """
        quotes = self._quotes(question, evidence)
        if not quotes:
            return Draft(text="", citations=(), answered=False)
        numbers: dict[int, int] = {}
        parts, citations = [], []
        for quote in quotes:
            n = numbers.setdefault(quote.passage, len(numbers) + 1)
            # A marker inside a table row would break the table.
            is_table = quote.shown.rstrip().endswith("|")
            parts.append(f"{quote.shown}\n\n[{n}]" if is_table else f"{quote.shown} [{n}]")
            citations.append(
                evidence.cite(
                    n, quote.passage, quote.span, quote.shown, Verdict.SUPPORTED, strong=quote.strong
                )
            )
        text = "\n\n".join(parts)
        on_text(text)
        return Draft(text=text, citations=tuple(citations), answered=True, notes=("note_extractive",))

    def _quotes(self, question: str, evidence: Evidence) -> list[_Quote]:
        placed = placed_units(question, evidence)
        if not placed:
            return []
        likely = likelihoods(question, placed, evidence, self._embedder)
        best = placed[int(likely.argmax())]
        if not _speaks_to(question, evidence.passages[0].text, best):
            return []

        def follows(index: int) -> bool:
            return _follows(placed[index - 1], placed[index], evidence)

        many = shape_of(question) in _OF_MANY or asks_several(question)
        least = _LEAST_OF_MANY if many else _LEAST
        found = runs(likely, [width_of(one.unit.shown) for one in placed], follows, least=least)
        found += _called_upon(found, placed, likely.tolist(), evidence)
        ordered = sorted(found, key=lambda run: run.first)
        return [_quote(run, placed, likely.tolist(), evidence) for run in ordered]


def asks_several(question: str) -> bool:
    """Whether there is more than one question in it, each with a mark of its own: "How long? And what then?"."""
    return sum(len(re.findall(r"\w", part)) >= _LEAST_CHARS for part in _QUESTION.findall(question)) > 1


def _called_upon(
    found: Sequence[Run], placed: Sequence[Placed], likely: Sequence[float], evidence: Evidence
) -> list[Run]:
    """The likeliest unit of each part that a chosen run names by its number: "the other conditions of 4.1"."""
    taken = {index for run in found for index in range(run.first, run.last + 1)}
    best: dict[tuple[str, tuple[str, ...]], int] = {}
    for run in found:
        part = _part(placed[run.first], evidence)
        chosen = "\n".join(placed[index].unit.shown for index in range(run.first, run.last + 1))
        for index, one in enumerate(placed):
            other = _part(one, evidence)
            is_other = other[0] == part[0] and other != part and index not in taken
            if not is_other or likely[index] < max(
                _LEAST_NAMED, likely[best[other]] if other in best else 0.0
            ):
                continue
            if named_by(chosen, other[1][-1] if other[1] else "", one.unit.shown):
                best[other] = index
    return [Run(first=index, last=index, likelihood=likely[index]) for index in sorted(set(best.values()))]


def _part(one: Placed, evidence: Evidence) -> tuple[str, tuple[str, ...]]:
    """The version and the section that a unit stands in."""
    passage = evidence.passages[one.passage]
    return passage.version_id, passage.section_path


def _quote(run: Run, placed: Sequence[Placed], likely: Sequence[float], evidence: Evidence) -> _Quote:
    first, last = placed[run.first], placed[run.last]
    if run.first == run.last:
        span = first.unit.span
        return _Quote(passage=first.passage, span=span, shown=first.unit.shown, strong=(span,))
    span = first.unit.span.hull(last.unit.span)
    best = max(range(run.first, run.last + 1), key=likely.__getitem__)
    text = evidence.texts[evidence.passages[first.passage].version_id]
    return _Quote(passage=first.passage, span=span, shown=span.of(text), strong=(placed[best].unit.span,))


def _follows(before: Placed, after: Placed, evidence: Evidence) -> bool:
    """Whether two units stand in one block with nothing between, and are shown as they stand there."""
    if (before.passage, before.unit.block) != (after.passage, after.unit.block):
        return False
    text = evidence.texts[evidence.passages[after.passage].version_id]
    if any(one.unit.shown != one.unit.span.of(text) for one in (before, after)):
        return False
    return not text[before.unit.span.end : after.unit.span.start].strip()


def _speaks_to(question: str, first_passage: str, best: Placed) -> bool:
    """Words that share nothing with the question cannot be shown as its answer.

    In another language only names and numbers can be shared, and where such a passage comes first nothing is
    known of how sure it is: one name alone is not enough.
    """
    held = best.held.values()
    if not held:
        return True
    if all(language_of(text) == language_of(question) for text in (first_passage, best.unit.shown)):
        return any(held)
    return sum(held) / len(held) > _FOREIGN_SHARE
