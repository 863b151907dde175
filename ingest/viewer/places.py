"""Where a document's blocks stand: which part of the text on which page, and in which boxes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from core.document import Block, BlockKind, Line, lines_of
from core.span import Span, trimmed
from ingest.viewer.view import DocumentView

# Kinds that stand in one box on a page, however their cells follow each other.
_WHOLE: Final = frozenset({BlockKind.TABLE, BlockKind.IMAGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one page holds of a block; ``block`` is ``None`` for words that belong to none.

    ``page`` is 0 for formats without pages. ``is_first`` marks the part that a block begins with.
    """

    number: int
    span: Span
    page: int
    block: int | None
    is_first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A box on a page, in points from its top left, that holds (a part of) the block or chunk ``owner``."""

    page: int
    owner: int
    x0: float
    y0: float
    x1: float
    y1: float
    is_first: bool


def parts_of(view: DocumentView) -> tuple[Part, ...]:
    """All non-blank words of the document, in the order of the text."""
    runs = _page_runs(view.lines)
    found: list[Part] = []
    for block, span in _owned(view.text, view.blocks):
        first = True
        for page, piece in _by_page(span, runs):
            kept = trimmed(view.text, piece.start, piece.end)
            if kept is not None:
                part = Part(number=len(found), span=kept, page=page, block=block, is_first=first)
                found.append(part)
                first = False
    return tuple(found)


def spread(lines: Sequence[Line]) -> tuple[Line, ...]:
    """``lines``, where those that name one box together (the lines of a shape on a slide) share it evenly."""
    found: list[Line] = []
    for _, same in groupby(lines, key=lambda line: (line.page, line.x0, line.y0, line.x1, line.y1)):
        group = list(same)
        height = (group[0].y1 - group[0].y0) / len(group)
        for number, line in enumerate(group):
            top = line.y0 + number * height
            found.append(replace(line, y0=top, y1=top + height))
    return tuple(found)


def block_places(view: DocumentView) -> tuple[Place, ...]:
    """The boxes of all blocks, in reading order."""
    return tuple(
        place
        for number, block in enumerate(view.blocks)
        for place in places(lines_of(view.lines, block.span), number, whole=block.kind in _WHOLE)
    )


def places(lines: Sequence[Line], owner: int, *, whole: bool = False) -> Iterator[Place]:
    """Boxes around runs of ``lines`` that go down a page; a new column or page begins another.

    With ``whole`` one box a page.
    """
    group: list[Line] = []
    first = True
    for line in lines:
        if group and (line.page != group[-1].page or (not whole and _goes_up(group[-1], line))):
            yield _around(group, owner, first)
            group, first = [], False
        group.append(line)
    if group:
        yield _around(group, owner, first)


def _goes_up(before: Line, line: Line) -> bool:
    return line.y1 <= before.y0 + 0.2 * (before.y1 - before.y0)


def _around(lines: Sequence[Line], owner: int, is_first: bool) -> Place:
    return Place(
        page=lines[0].page,
        owner=owner,
        x0=min(line.x0 for line in lines),
        y0=min(line.y0 for line in lines),
        x1=max(line.x1 for line in lines),
        y1=max(line.y1 for line in lines),
        is_first=is_first,
    )


def _owned(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int | None, Span]]:
    """The whole text in order: each block, and what lies between two."""
    end = 0
    for number, block in enumerate(blocks):
        if end < block.span.start:
            yield None, Span(end, block.span.start)
        yield number, block.span
        end = block.span.end
    if end < len(text):
        yield None, Span(end, len(text))


def _page_runs(lines: Sequence[Line]) -> tuple[list[int], list[int]]:
    """Where in the text another page begins, and which one it is; a page may come more than once."""
    starts: list[int] = []
    pages: list[int] = []
    for line in lines:
        if not pages or pages[-1] != line.page:
            starts.append(line.span.start if pages else 0)
            pages.append(line.page)
    return starts or [0], pages or [0]


def _by_page(span: Span, runs: tuple[list[int], list[int]]) -> Iterator[tuple[int, Span]]:
    starts, pages = runs
    index = bisect_right(starts, span.start) - 1
    start = span.start
    while start < span.end:
        end = min(starts[index + 1] if index + 1 < len(starts) else span.end, span.end)
        yield pages[index], Span(start, end)
        start, index = end, index + 1
