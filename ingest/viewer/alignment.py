"""Two ways to cut one text, laid side by side: where their borders agree, what lies between, in figures."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.chunk import Chunk
from core.span import Span, trimmed
from ingest.sentences import sentences
from ingest.viewer.recut import Cut
from ingest.viewer.view import DocumentView


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Chunk ``number`` of one side (0-based) beside the rows ``[first, end)`` of its band."""

    number: int
    first: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """What lies between two borders that both sides have. ``rows`` are cut wherever either side cuts.

    ``is_same`` when both sides have one and the same chunk there.
    """

    rows: tuple[Span, ...]
    left: tuple[Cell, ...]
    right: tuple[Cell, ...]
    is_same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One side in numbers. ``shared`` borders are those the other side has too; a sentence is torn when no
    chunk holds the whole of it."""

    chunks: int
    parents: int
    mean_tokens: float
    most_tokens: int
    least_tokens: int
    borders: int
    shared: int
    sentences: int
    torn: int


def bands(text: str, left: Cut, right: Cut) -> Iterator[Band]:
    """The whole text in order; together the rows hold every non-blank character."""
    both = {*left.borders} & {*right.borders}
    every = sorted({*left.borders, *right.borders} - both)
    for start, end in pairwise([0, *sorted(both), len(text)]):
        inner = every[bisect_left(every, start) : bisect_left(every, end)]
        borders = [start, *inner, end]
        rows = [row for row in (trimmed(text, *pair) for pair in pairwise(borders)) if row is not None]
        if not rows:
            continue
        cells = [_cells(side.chunks, rows) for side in (left, right)]
        alone = [
            side.chunks[cell[0].number].span
            for side, cell in zip((left, right), cells, strict=True)
            if len(cell) == 1
        ]
        is_same = len(alone) == 2 and alone[0] == alone[1]
        yield Band(rows=tuple(rows), left=cells[0], right=cells[1], is_same=is_same)


def _cells(chunks: Sequence[Chunk], rows: Sequence[Span]) -> tuple[Cell, ...]:
    """The chunks that start in the rows; an overlap belongs to the chunk that starts later."""
    found: list[Cell] = []
    for place, row in enumerate(rows):
        number = bisect_left(chunks, row.end, key=lambda chunk: chunk.span.start) - 1
        if number < 0:
            continue
        if found and found[-1].number == number:
            found[-1] = Cell(number=number, first=found[-1].first, end=place + 1)
        else:
            found.append(Cell(number=number, first=place, end=place + 1))
    return tuple(found)


def figures(view: DocumentView, cut: Cut, other: Cut) -> Figures:
    """The numbers of ``cut``, borders compared with those of ``other``."""
    sizes = [chunk.token_count for chunk in cut.chunks]
    whole = [span for block in view.blocks for span in sentences(view.text, block.span.start, block.span.end)]
    return Figures(
        chunks=len(sizes),
        parents=len(cut.parents),
        mean_tokens=sum(sizes) / max(len(sizes), 1),
        most_tokens=max(sizes, default=0),
        least_tokens=min(sizes, default=0),
        borders=len(cut.borders),
        shared=len({*cut.borders} & {*other.borders}),
        sentences=len(whole),
        torn=sum(not _is_held(sentence, cut.chunks) for sentence in whole),
    )


def _is_held(sentence: Span, chunks: Sequence[Chunk]) -> bool:
    """Whether one of the chunks that start before the sentence reaches beyond its end."""
    last = bisect_left(chunks, sentence.start + 1, key=lambda chunk: chunk.span.start)
    # With an overlap the chunk before may hold what the one that starts last does not.
    return any(chunk.span.contains(sentence) for chunk in chunks[max(last - 2, 0) : last])
