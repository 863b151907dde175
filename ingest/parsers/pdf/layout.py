"""The regions of a PDF page in reading order, by PyMuPDF's layout model; the vendor's format ends here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pymupdf

from ingest.parsers.builder import Box
from ingest.parsers.pdf.layer import Run, hull

# The model takes 3 s for 20,000 drawings, and 5 s for 2,000 words but four times that for twice as many; a
# page of text has a few hundred of either.
MOST_DRAWINGS, MOST_WORDS = 30_000, 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A part of a page. ``name`` is the model's class: text, title, section-header, list-item, table,
    picture, formula, caption, footnote, code, page-header or page-footer.

    A table has the edges of its columns (left to right) and rows (top to bottom).
    """

    name: str
    box: Box
    columns: tuple[float, ...] = ()
    rows: tuple[float, ...] = ()


def is_overdrawn(page: pymupdf.Page) -> bool:
    """Whether so much is drawn on the page that analysing its layout would take too long."""
    return len(page.get_bboxlog()) > MOST_DRAWINGS


def is_overwritten(runs: Sequence[Run]) -> bool:
    """Whether so much is written on the page that analysing its layout would take too long."""
    return len(runs) > MOST_WORDS


def regions(page: pymupdf.Page) -> list[Region]:
    """The regions of the page, which must stand upright (``remove_rotation``)."""
    # Imported here: it loads the layout model, which only PDFs need.
    import pymupdf4llm

    pymupdf4llm.use_layout(True)
    answer = pymupdf4llm.to_json(page.parent, pages=[page.number], use_ocr=False, force_text=False)
    return [_region(box) for box in json.loads(answer)["pages"][0]["boxes"]]


def plain_regions(runs: Sequence[Run]) -> list[Region]:
    """The blocks of the text layer as regions, in the order in which the file draws them."""
    blocks: dict[int, list[Box]] = {}
    for run in runs:
        blocks.setdefault(run.block, []).append(run.box)
    return [Region(name="text", box=hull(boxes)) for boxes in blocks.values()]


def _region(box: dict[str, Any]) -> Region:
    place = (float(box["x0"]), float(box["y0"]), float(box["x1"]), float(box["y1"]))
    cells = (box.get("table") or {}).get("cells")
    if not cells:
        name = "text" if box["boxclass"] == "table" else box["boxclass"]
        return Region(name=name, box=place)
    return Region(
        name="table",
        box=place,
        columns=(*(float(cell[0]) for cell in cells[0]), float(cells[0][-1][2])),
        rows=(*(float(row[0][1]) for row in cells), float(cells[-1][0][3])),
    )
