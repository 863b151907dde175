"""A PDF page read from its picture: what the text recognition found, as blocks in page points."""

from __future__ import annotations

import numpy as np
import pymupdf

from core.document import BlockKind
from ingest.parsers.builder import Box
from ingest.parsers.ocr.paragraphs import OcrParagraph, paragraphs
from ingest.parsers.ocr.reader import OcrImage, OcrLine, read_pixels
from ingest.parsers.pdf.lines import PdfLine, clean_line
from ingest.parsers.pdf.page import PdfBlock

_DPI = 200
# A poster at 200 dpi would not fit into memory; the engine shrinks larger pictures anyway.
_LONGEST_SIDE = 3000


def read_page(page: pymupdf.Page) -> OcrImage:
    """What stands on the page's picture. Raises ``OcrUnavailableError``."""
    dpi = min(_DPI, int(72 * _LONGEST_SIDE / max(page.rect.width, page.rect.height, 1)))
    picture = page.get_pixmap(dpi=max(dpi, 36), colorspace=pymupdf.csRGB, alpha=False)
    pixels = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.width, 3)
    return read_pixels(pixels)


def ocr_blocks(image: OcrImage, page: pymupdf.Page) -> list[PdfBlock]:
    """The blocks of a page that was read, in reading order."""
    scale = page.rect.width / max(image.width, 1), page.rect.height / max(image.height, 1)
    blocks = [_block(found, scale) for found in paragraphs(image)]
    return [block for block in blocks if block.lines]


def _block(found: OcrParagraph, scale: tuple[float, float]) -> PdfBlock:
    lines = [_line(line, scale, found.kind is BlockKind.HEADING) for line in found.lines]
    return PdfBlock(kind=found.kind, level=found.level, lines=tuple(line for line in lines if line.text))


def _line(line: OcrLine, scale: tuple[float, float], bold: bool) -> PdfLine:
    x0, y0, x1, y1 = line.box
    box: Box = (x0 * scale[0], y0 * scale[1], x1 * scale[0], y1 * scale[1])
    return PdfLine(text=clean_line(line.text), box=box, size=round(box[3] - box[1]), bold=bold)
