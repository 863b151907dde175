"""The place in a source that a click asks for, and the places before and after it in the same answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.answer import Answer, Citation, Passage
from core.span import Span
from core.verdict import CounterEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """``index`` is the passage's in the search, ``n`` its number in the answer (0: not cited).

    ``counter`` is what there speaks against the answer; ``passage`` is ``None`` where that was never searched.
    """

    index: int = -1
    n: int = 0
    passage: Passage | None = None
    citations: tuple[Citation, ...] = ()
    counter: CounterEvidence | None = None

    @property
    def strong(self) -> tuple[Span, ...]:
        """The words that carry, or speak against, a sentence."""
        if self.counter:
            return (self.counter.span,)
        return tuple(span for citation in self.citations for span in citation.strong)

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages of what is cited; of the passage where nothing is."""
        cited = tuple(sorted({page for citation in self.citations for page in citation.pages}))
        return cited or (self.passage.pages if self.passage else ())


def place_asked(answer: Answer, payload: Mapping[str, object]) -> Place | None:
    """``{"passage": index}`` or ``{"counter": index}``; ``None`` for a place that the answer does not have."""
    counter, index = payload.get("counter"), payload.get("passage")
    if isinstance(counter, int):
        return _against(answer, counter) if 0 <= counter < len(answer.counter) else None
    if not isinstance(index, int) or not 0 <= index < len(answer.search.passages):
        return None
    citations = tuple(citation for citation in answer.citations if citation.passage == index)
    return Place(
        index=index,
        n=citations[0].n if citations else 0,
        passage=answer.search.passages[index],
        citations=citations,
    )


def neighbours(answer: Answer, place: Place) -> tuple[int, int, int, int]:
    """The passages before and after it (-1: none), its own position (from 1) and how many there are.

    A cited passage stands among the cited ones in order of number, any other among those that are not.
    """
    cited = list(dict.fromkeys(c.passage for c in sorted(answer.citations, key=lambda c: c.n)))
    read = range(len(answer.search.passages) - answer.left_out)
    among = cited if place.n else [index for index in read if index not in cited]
    if place.counter or place.index not in among:
        return -1, -1, 0, 0
    at = among.index(place.index)
    before = among[at - 1] if at else -1
    after = among[at + 1] if at + 1 < len(among) else -1
    return before, after, at + 1, len(among)


def _against(answer: Answer, number: int) -> Place:
    counter = answer.counter[number]
    passage = answer.search.passages[counter.passage] if counter.passage >= 0 else None
    return Place(index=counter.passage, passage=passage, counter=counter)
