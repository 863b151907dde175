"""A quoted passage in two layers: pale for what was given, strong for the words that carry a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from core.answer import Citation, Passage
from core.span import Span, union

# Characters of the passage that are shown around what is cited.
_AROUND: Final = 160


class Layer(StrEnum):
    """``pale``: of the passage; ``cited``: of a cited place in it; ``strong``: the words that carry."""

    PALE = "pale"
    CITED = "cited"
    STRONG = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayeredRun:
    """Words of one layer; ``is_cut`` when something of the passage before them is not shown."""

    layer: Layer
    text: str
    is_cut: bool = False


def layered(passage: Passage, citations: Iterable[Citation]) -> Iterator[LayeredRun]:
    """What is cited of a passage, with what stands around it; all of a passage that nothing is cited of."""
    cited = union(citation.span for citation in citations)
    strong = union(span for citation in citations for span in citation.strong)
    end = passage.span.start
    for window in _windows(passage.span, cited):
        for number, run in enumerate(_runs(passage, window, cited, strong)):
            yield LayeredRun(layer=run[0], text=run[1], is_cut=number == 0 and window.start > end)
        end = window.end
    if end < passage.span.end:
        yield LayeredRun(layer=Layer.PALE, text="", is_cut=True)


def _windows(passage: Span, cited: tuple[Span, ...]) -> tuple[Span, ...]:
    if not cited:
        return (passage,)
    around = (Span(max(span.start - _AROUND, 0), span.end + _AROUND) for span in cited)
    return tuple(window for span in union(around, gap=_AROUND // 2) if (window := span.intersection(passage)))


def _runs(
    passage: Passage, window: Span, cited: tuple[Span, ...], strong: tuple[Span, ...]
) -> Iterator[tuple[Layer, str]]:
    borders = {window.start, window.end}
    for span in (*cited, *strong):
        borders |= {at for at in (span.start, span.end) if window.start < at < window.end}
    for start, end in pairwise(sorted(borders)):
        run = Span(start, end)
        layer = Layer.PALE
        if any(span.contains(run) for span in strong):
            layer = Layer.STRONG
        elif any(span.contains(run) for span in cited):
            layer = Layer.CITED
        yield layer, passage.text[start - passage.span.start : end - passage.span.start]
