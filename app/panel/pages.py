"""Page images with the cited lines marked: pure functions of the original file and its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.document import Line
from ingest.viewer.pictures import Sheet, drawer

_Boxes = tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A picture as a data address, and boxes in percent of the page: ``(left, top, width, height)``."""

    page: int
    image: str
    pale: _Boxes
    strong: _Boxes


def page_views(
    data: bytes, media_type: str, pages: Sequence[int], passage: Sequence[Line], cited: Sequence[Line]
) -> list[PageView]:
    """The pages (1-based) of the original with the lines of passage and citation that lie on them.

    Pages that cannot be drawn (of slides, of a file that needs a password) are left out.
    """
    with drawer(data, media_type, passage) as draw:
        sheets = [(page, draw(page, True)) for page in pages]
    return [
        PageView(
            page=page,
            image=sheet.picture,
            pale=_boxes(passage, page, sheet),
            strong=_boxes(cited, page, sheet),
        )
        for page, sheet in sheets
        if sheet.picture
    ]


def _boxes(lines: Sequence[Line], page: int, sheet: Sheet) -> _Boxes:
    return tuple(
        (
            round(100 * line.x0 / sheet.width, 3),
            round(100 * line.y0 / sheet.height, 3),
            round(100 * (line.x1 - line.x0) / sheet.width, 3),
            round(100 * (line.y1 - line.y0) / sheet.height, 3),
        )
        for line in lines
        if line.page == page
    )
