"""What parsing yields: one immutable text with structure, pages and boxes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.span import Span

BODY_LEVEL = 99


class BlockKind(StrEnum):
    """What a block is on the page."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CODE = "code"
    CAPTION = "caption"
    IMAGE = "image"
    PAGE_FURNITURE = "page_furniture"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A structural unit of a document.

    ``level`` is 1..6 for headings, else ``BODY_LEVEL``. ``section_path`` holds the headings above it,
    outermost first; a heading's own path ends with itself.
    """

    kind: BlockKind
    span: Span
    level: int = BODY_LEVEL
    section_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One printed line: where its characters stand in the text and on the page.

    ``page`` is 1-based; the box is in points with the origin at the top left of the page.
    """

    span: Span
    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something the reader must know about how a document was read. ``code`` names a message."""

    code: str
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parsed file. Every position elsewhere in the program is a span over ``text``.

    ``blocks`` are in ascending, non-overlapping order. ``lines`` are in ascending order and empty for
    formats without pages; ``page_count`` is 0 for them.
    """

    text: str
    title: str
    language: str
    media_type: str
    blocks: tuple[Block, ...]
    lines: tuple[Line, ...] = ()
    page_count: int = 0
    notices: tuple[Notice, ...] = ()


def lines_of(lines: Sequence[Line], span: Span) -> tuple[Line, ...]:
    """The lines (ascending) that share characters with ``span``."""
    first = max(bisect_right(lines, span.start, key=lambda line: line.span.start) - 1, 0)
    found: list[Line] = []
    for line in lines[first:]:
        if line.span.start >= span.end:
            break
        if line.span.overlaps(span):
            found.append(line)
    return tuple(found)


def pages_of(lines: Sequence[Line], span: Span) -> tuple[int, ...]:
    """The 1-based pages that carry ``span``, ascending; empty for formats without pages."""
    return tuple(sorted({line.page for line in lines_of(lines, span)}))
