"""Two laws of the PDF parser over a folder: no character is lost, and a line's box holds the line's words.

    python scripts/pdf_laws.py FOLDER

Says for each file how many characters of the raw text layer are in the text or dropped with a reason, and in
how many of a sample of lines the words inside the box are the line's.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pymupdf

from core.document import Document, Line
from core.errors import YoujuError
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.pdf.layer import Dropped
from ingest.parsers.pdf.parser import PdfParser

# Marks that tables and closed dot leaders add or take, hyphens that are mended, and signs of symbol fonts.
_FREE = re.compile(r"[\s|\\.…⋯·•_\-\u00ad\u2010\u200b-\u200d\ufeff\ue000-\uf8ff☑☐☒✓√□\x00-\x1f]")
_RULE = re.compile(r"\|( --- \|)+")
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_IGNORE_ACTUALTEXT
_SAMPLE = 50


def main(folder: str) -> None:
    """Prints a line a file and the sums."""
    raw = lost = agree = looked = 0
    for path in sorted(Path(folder).glob("*.pdf")):
        data = path.read_bytes()
        try:
            document, dropped = PdfParser().read(
                data, path.name, Reading(settings=ParsingSettings(ocr="never"))
            )
        except YoujuError as exc:
            sys.stdout.write(f"{path.name}: {exc}\n")
            continue
        with pymupdf.open(stream=data, filetype="pdf") as pdf:
            counted = _lost(pdf, document, dropped)
            boxed = _agreement(pdf, document)
        sys.stdout.write(f"{path.name}: {counted[1]} of {counted[0]} lost, boxes {boxed[0]} of {boxed[1]}\n")
        raw, lost, agree, looked = raw + counted[0], lost + counted[1], agree + boxed[0], looked + boxed[1]
    sys.stdout.write(f"accounted for {1 - lost / max(raw, 1):.6f}, boxes {agree / max(looked, 1):.4f}\n")


def _lost(
    pdf: pymupdf.Document, document: Document, dropped: tuple[tuple[int, Dropped], ...]
) -> tuple[int, int]:
    ours: dict[int, Counter[str]] = defaultdict(Counter)
    for line in document.lines:
        ours[line.page].update(_FREE.sub("", line.span.of(document.text)))
    for page, piece in dropped:
        ours[page].update(_FREE.sub("", piece.text))
    raw = lost = 0
    for number in range(1, pdf.page_count + 1):
        there = Counter(_FREE.sub("", pdf[number - 1].get_text("text", flags=_FLAGS)))
        raw, lost = raw + there.total(), lost + (there - ours[number]).total()
    return raw, lost


def _agreement(pdf: pymupdf.Document, document: Document) -> tuple[int, int]:
    lines = [line for line in document.lines if not _RULE.fullmatch(line.span.of(document.text))]
    sample = random.Random(7).sample(lines, min(_SAMPLE, len(lines)))
    return sum(_agrees(pdf, document, line) for line in sample), len(sample)


def _agrees(pdf: pymupdf.Document, document: Document, line: Line) -> bool:
    """Whether the characters inside the box are those of the line, but for a tenth."""
    page = pdf[line.page - 1]
    inside: Counter[str] = Counter()
    for block in page.get_text("rawdict", flags=_FLAGS)["blocks"]:
        for char in (c for row in block.get("lines", ()) for span in row["spans"] for c in span["chars"]):
            box = pymupdf.Rect(char["bbox"]) * page.rotation_matrix
            x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
            if line.x0 <= x <= line.x1 and line.y0 <= y <= line.y1:
                inside.update(_FREE.sub("", char["c"]))
    ours = Counter(_FREE.sub("", line.span.of(document.text)))
    differ = (inside - ours).total() + (ours - inside).total()
    return differ <= 0.1 * max(ours.total(), 1)


if __name__ == "__main__":
    main(sys.argv[1])
