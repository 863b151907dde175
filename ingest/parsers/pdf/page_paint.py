"""What is painted on a PDF page, and in which order: pictures, filled shapes, text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pymupdf

from ingest.parsers.builder import Box

Boxes = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

# Coverage is counted on a grid of this many cells a side.
_GRID: Final = 64
_IMAGES: Final = ("fill-image", "fill-imgmask")
_FILLS: Final = ("fill-path", "fill-shade")
# Text modes of PDF as MuPDF numbers them: 3 is "neither fill nor stroke".
INVISIBLE: Final = 3
# Resolution of the picture that contrast is measured on: thin strokes of 6 pt still show.
_DPI: Final = 108


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePaint:
    """What ``text_layer.layer_quality`` must know about a page.

    ``image_coverage`` is the share of the page (0..1) under pictures, ``drawn_paths`` counts filled and
    stroked paths. ``invisible`` says that most of the text is unseen above or below a picture of the page: it
    is a scan and this is its OCR layer.
    """

    image_coverage: float
    drawn_paths: int
    invisible: bool


class Painting:
    """One page: its text spans as MuPDF traces them, and what is painted before and after each.

    Positions in the order of painting are MuPDF's ``seqno``.
    """

    def __init__(self, page: pymupdf.Page) -> None:
        self._page = page
        # Text and log have the page's coordinates before it is turned by /Rotate; the picture has those after.
        self.size = float(page.cropbox.width), float(page.cropbox.height)
        self.spans: list[dict[str, Any]] = page.get_texttrace()
        self._log: list[tuple[str, Box]] = page.get_bboxlog()
        self.images = self._boxes(_IMAGES)
        self.solids = self._boxes(_IMAGES + _FILLS)
        self.paths = sum(kind in ("fill-path", "stroke-path") for kind, _ in self._log)

    @cached_property
    def image_coverage(self) -> float:
        """The share of the page under pictures; a scan in strips counts as one."""
        grid = np.zeros((_GRID, _GRID), bool)
        width, height = self.size
        for _, x0, y0, x1, y1 in self.images:
            columns = np.clip([x0 / width * _GRID, x1 / width * _GRID], 0, _GRID)
            rows = np.clip([y0 / height * _GRID, y1 / height * _GRID], 0, _GRID)
            grid[round(rows[0]) : round(rows[1]), round(columns[0]) : round(columns[1])] = True
        return float(grid.mean())

    def shades(self, box: Box) -> Pixels:
        """The grey values (0 black, 255 white) to be seen inside ``box``; empty outside the page."""
        x0, y0, x1, y1 = (pymupdf.Rect(box) * self._page.rotation_matrix * (_DPI / 72)).irect
        height, width = self._picture.shape
        return self._picture[max(y0, 0) : min(y1, height), max(x0, 0) : min(x1, width)]

    @cached_property
    def _picture(self) -> Pixels:
        shot = self._page.get_pixmap(dpi=_DPI, colorspace=pymupdf.csGRAY, alpha=False)
        return np.frombuffer(shot.samples, np.uint8).reshape(shot.height, shot.stride)[:, : shot.width]

    def _boxes(self, kinds: tuple[str, ...]) -> Boxes:
        """``(n, 5)``: when it is painted, and its box."""
        found = [(number, *box) for number, (kind, box) in enumerate(self._log) if kind in kinds]
        return np.asarray(found, np.float64).reshape(-1, 5)
