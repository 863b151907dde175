"""How much is shown around a passage: what stands beside it, and step by step the rest of its section."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.document import Block
from core.span import Span
from ingest.sentences import sentences

# Characters: what is shown beside a passage at once, what each further step shows, and how many steps there are.
_NEAR: Final = 200
_STEP: Final = 700
_STEPS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """``here`` holds the passage; ``before`` and ``after`` go on from it, the nearest first."""

    before: tuple[Span, ...]
    here: Span
    after: tuple[Span, ...]


def windows(text: str, blocks: Sequence[Block], section: Span, passage: Span) -> Windows:
    """Stretches of ``section`` around ``passage`` (inside it), cut between blocks; long blocks between sentences."""
    cuts = sorted({section.start, section.end, *_cuts(text, blocks, section)})
    start = cuts[max(bisect_right(cuts, max(passage.start - _NEAR, section.start)) - 1, 0)]
    end = cuts[min(bisect_left(cuts, min(passage.end + _NEAR, section.end)), len(cuts) - 1)]
    here = Span(min(start, passage.start), max(end, passage.end))
    return Windows(before=tuple(_back(cuts, here.start)), here=here, after=tuple(_on(cuts, here.end)))


def _cuts(text: str, blocks: Sequence[Block], section: Span) -> Iterator[int]:
    for block in blocks:
        inside = block.span.intersection(section)
        if inside is None:
            continue
        yield inside.start
        at = inside.start
        while inside.end - at > _STEP:
            at = _next_cut(text, at)
            yield at


def _next_cut(text: str, at: int) -> int:
    """Behind the last line, else the last sentence, that is whole within a step from ``at``."""
    end = at + _STEP
    line = text.rfind("\n", at, end) + 1
    if line > at:
        return line
    last = max((span.start for span in sentences(text, at, end)), default=at)
    return last if last > at else end


def _back(cuts: Sequence[int], start: int) -> Iterator[Span]:
    for _ in range(_STEPS):
        place = bisect_left(cuts, start)
        if not place:
            return
        first = cuts[min(bisect_left(cuts, start - _STEP), place - 1)]
        yield Span(first, start)
        start = first


def _on(cuts: Sequence[int], end: int) -> Iterator[Span]:
    for _ in range(_STEPS):
        place = bisect_right(cuts, end)
        if place == len(cuts):
            return
        last = cuts[max(bisect_right(cuts, end + _STEP) - 1, place)]
        yield Span(end, last)
        end = last
