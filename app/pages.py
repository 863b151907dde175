"""Page images with the cited lines marked: pure functions of the original file and its lines."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from core.document import Line

_DPI = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A PNG as a data address, and boxes in percent of the page: ``(left, top, width, height)``."""

    page: int
    image: str
    pale: tuple[tuple[float, float, float, float], ...]
    strong: tuple[tuple[float, float, float, float], ...]


def page_view(data: bytes, page: int, passage: Sequence[Line], cited: Sequence[Line]) -> PageView:
    """Page ``page`` (1-based) of the PDF ``data`` with the lines of passage and citation that lie on it.

    Raises ``ValueError`` when there is no such page.
    """
    # Imported here: it takes half a second of every start, and only a click on a PDF needs it.
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        if not 1 <= page <= pdf.page_count:
            raise ValueError(f"expected a page in 1..{pdf.page_count}, got {page}")
        shown = pdf[page - 1]
        width, height = float(shown.rect.width), float(shown.rect.height)
        png: bytes = shown.get_pixmap(dpi=_DPI).tobytes("png")
    return PageView(
        page=page,
        image="data:image/png;base64," + base64.b64encode(png).decode("ascii"),
        pale=_boxes(passage, page, width, height),
        strong=_boxes(cited, page, width, height),
    )


def _boxes(
    lines: Sequence[Line], page: int, width: float, height: float
) -> tuple[tuple[float, float, float, float], ...]:
    return tuple(
        (
            round(100 * line.x0 / width, 3),
            round(100 * line.y0 / height, 3),
            round(100 * (line.x1 - line.x0) / width, 3),
            round(100 * (line.y1 - line.y0) / height, 3),
        )
        for line in lines
        if line.page == page
    )
