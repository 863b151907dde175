"""Pages whose writing stands on its side: read upright, with boxes on the page as it is shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pymupdf

from ingest.parsers.builder import Box
from ingest.parsers.pdf.lines import PdfLine
from ingest.parsers.pdf.page import PdfBlock

# A page is turned when this share of its letters runs up or down; a table may hold a few turned headings.
_SHARE = 0.8


def side_turn(page: pymupdf.Page) -> int:
    """The rotation (0, 90, 270) that sets the page's writing upright; vertical scripts stay as they are."""
    letters: Counter[int] = Counter()
    for block in page.get_text("dict", flags=pymupdf.TEXT_MEDIABOX_CLIP)["blocks"]:
        for line in block.get("lines", ()):
            count = sum(len(span["text"].strip()) for span in line["spans"])
            down = line["dir"][1]
            upright = line.get("wmode") == 1 or abs(down) < 0.98
            letters[0 if upright else (270 if down > 0 else 90)] += count
    turn, count = letters.most_common(1)[0] if letters else (0, 0)
    return turn if count >= _SHARE * sum(letters.values()) else 0


def turned_back(blocks: list[PdfBlock], turn: int, page: pymupdf.Page) -> list[PdfBlock]:
    """The blocks of ``page``, which was turned by ``turn``, with boxes as before it was turned."""
    if not turn:
        return blocks
    width, height = float(page.rect.width), float(page.rect.height)
    return [_block(block, turn, width, height) for block in blocks]


def _block(block: PdfBlock, turn: int, width: float, height: float) -> PdfBlock:
    lines = tuple(_line(line, turn, width, height) for line in block.lines)
    if block.table is None:
        return replace(block, lines=lines)
    table = replace(block.table, boxes=tuple(line.box for line in lines))
    return replace(block, lines=lines, table=table)


def _line(line: PdfLine, turn: int, width: float, height: float) -> PdfLine:
    x0, y0, x1, y1 = line.box
    box: Box = (y0, width - x1, y1, width - x0) if turn == 90 else (height - y1, x0, height - y0, x1)
    return replace(line, box=box)
