"""One page as it is seen: its picture with the boxes of blocks and chunks and the order of reading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot, sqrt
from unicodedata import east_asian_width

from core.document import Line
from ingest.viewer.inert import attributes, inert
from ingest.viewer.layers import colour
from ingest.viewer.pictures import Sheet
from ingest.viewer.places import Place
from ingest.viewer.text import classes
from ingest.viewer.view import DocumentView

# Share of the page that the smallest box takes, in percent, so that it can be hit.
_LEAST = 0.4
# Points between an arrow and the numbers it joins.
_GAP = 7


class PageWriter:
    """Writes the figures of one document's pages."""

    def __init__(self, view: DocumentView, blocks: Sequence[Place], chunks: Sequence[Place]) -> None:
        self._view = view
        self._blocks = _by_page(blocks)
        self._chunks = _by_page(chunks)
        self._lines: dict[int, list[Line]] = {}
        for line in view.lines:
            self._lines.setdefault(line.page, []).append(line)

    def figure(self, page: int, sheet: Sheet, label: str) -> str:
        """The page; boxes are in percent of it and never reach beyond it."""
        places, lines = self._blocks.get(page, []), self._lines.get(page, [])
        size = f"aspect-ratio:{sheet.width:.2f}/{sheet.height:.2f}"
        ground = _picture(sheet, label) if sheet.picture else self._words(sheet, lines)
        return (
            f'<figure class="sheet{"" if sheet.picture else " blank"}" style="{size}">{ground}'
            f"{_drawing(sheet, lines, places)}"
            f"{''.join(self._box(place, sheet) for place in places)}"
            f"{''.join(_chunk_box(place, sheet) for place in self._chunks.get(page, []))}</figure>"
        )

    def _box(self, place: Place, sheet: Sheet) -> str:
        number = place.owner + 1
        block = self._view.blocks[place.owner]
        head = attributes(
            class_=f"box {classes(block)}", href=f"#b{number}", data_b=number, style=_style(place, sheet)
        )
        return f"<a{head}>{_badge(place)}</a>"

    def _words(self, sheet: Sheet, lines: Sequence[Line]) -> str:
        """The words where they stand, for pages that cannot be drawn; as large as their boxes allow."""
        return "".join(
            f'<span class="word" style="{_style(line, sheet)};font-size:{_font(line, shown, sheet):.2f}cqw">'
            f"{inert(shown)}</span>"
            for line in lines
            if (shown := line.span.of(self._view.text).strip())
        )


def _picture(sheet: Sheet, label: str) -> str:
    return f"<img{attributes(loading='lazy', alt=label, src=sheet.picture)}>"


def _chunk_box(place: Place, sheet: Sheet) -> str:
    number = place.owner + 1
    head = attributes(
        class_=f"cbox {colour(place.owner)}", href=f"#c{number}", data_c=number, style=_style(place, sheet)
    )
    return f"<a{head}>{_badge(place)}</a>"


def _badge(place: Place) -> str:
    """The owner's number; pale where it goes on from another box."""
    return f"<b{'' if place.is_first else ' class=more'}>{place.owner + 1}</b>"


def _drawing(sheet: Sheet, lines: Sequence[Line], places: Sequence[Place]) -> str:
    """The printed lines as one path, and an arrow from each box to the next."""
    boxes = "".join(
        f"M{line.x0:.1f} {line.y0:.1f}H{line.x1:.1f}V{line.y1:.1f}H{line.x0:.1f}Z" for line in lines
    )
    # From the number of one box to that of the next: numbers stand at the top left.
    points = [(max(place.x0 - 6, 3), min(max(place.y0 + 4, 3), sheet.height - 3)) for place in places]
    arrows = "".join(_arrow(start, end) for start, end in pairwise(points))
    return (
        f'<svg viewBox="0 0 {sheet.width:.2f} {sheet.height:.2f}" preserveAspectRatio="none" '
        f'aria-hidden="true"><path class="lines" d="{boxes}"/><g class="order">{arrows}</g></svg>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Short of both numbers, so that its head can be seen; nothing when they all but touch."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if length <= 2 * _GAP + 1:
        return ""
    dx, dy = _GAP * dx / length, _GAP * dy / length
    return f'<path d="M{start[0] + dx:.1f} {start[1] + dy:.1f}L{end[0] - dx:.1f} {end[1] - dy:.1f}"/>'


def _style(place: Place | Line, sheet: Sheet) -> str:
    left, right = _percent(place.x0, place.x1, sheet.width)
    top, bottom = _percent(place.y0, place.y1, sheet.height)
    return f"left:{left:.2f}%;top:{top:.2f}%;width:{right - left:.2f}%;height:{bottom - top:.2f}%"


def _percent(low: float, high: float, whole: float) -> tuple[float, float]:
    """Both ends in percent of ``whole``, inside it and at least ``_LEAST`` apart."""
    start = min(max(100 * low / whole, 0.0), 100.0 - _LEAST)
    return start, min(max(100 * high / whole, start + _LEAST), 100.0)


def _font(line: Line, shown: str, sheet: Sheet) -> float:
    """Font size in percent of the page's width with which ``shown`` fits into its box."""
    width, height = max(line.x1 - line.x0, 1.0), max(line.y1 - line.y0, 1.0)
    ems = sum(1.0 if east_asian_width(char) in "WF" else 0.55 for char in shown)
    one_line = min(0.8 * height, width / ems)
    wrapped = min(0.8 * height, 0.85 * sqrt(width * height / (1.25 * ems)))
    return 100 * min(max(one_line, wrapped), 28.0) / sheet.width


def _by_page(found: Sequence[Place]) -> dict[int, list[Place]]:
    pages: dict[int, list[Place]] = {}
    for place in found:
        pages.setdefault(place.page, []).append(place)
    return pages
