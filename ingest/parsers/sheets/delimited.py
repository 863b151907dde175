"""Delimited text (.csv, .tsv): the file as one table, its delimiter found by which one makes even rows.

The text is the table as it is rendered, not the file: a row becomes a line that can be cited, whatever quotes
and line breaks its cells have. ``csv.Sniffer`` is not used: it guesses from characters before it looks at rows.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath
from typing import Final

from core.document import Document
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.grid.blocks import add_matrix
from ingest.parsers.grid.matrix import Cell, Matrix
from ingest.parsers.text.decode import decode

# In this order where two make equally even rows: a text holds commas more often than tabs.
DELIMITERS: Final = ("\t", ";", "|", ",")
MAX_CELLS: Final = 1_000_000
_SAMPLE_ROWS = 200
_SAMPLE_CHARS = 200_000
# Excel's own first line that names the delimiter.
_DECLARED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


class CsvParser:
    """Reads ``.csv`` and ``.tsv``."""

    version = "csv-1"
    media_type = "text/csv"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``EncodingError``, ``EmptyDocumentError`` and ``UnsupportedFormatError``."""
        text, notices = decode(data, name)
        builder = DocumentBuilder()
        for notice in notices:
            builder.notice(notice.code, **dict(notice.details))
        declared = _DECLARED.match(text)
        if declared:
            text = text[declared.end() :]
        rows = _rows(text, declared.group(1) if declared else delimiter_of(text), builder)
        rows = _limited(rows, name, builder)
        width = max((len(row) for row in rows), default=0)
        cells = [[Cell(value) if value.strip() else None for value in row] for row in rows]
        filled = [row + [None] * (width - len(row)) for row in cells if any(row)]
        if filled:
            add_matrix(builder, Matrix(rows=filled))
        return builder.document(name=name, media_type=self.media_type, title=PurePath(name).stem)


def delimiter_of(text: str) -> str:
    """The delimiter under which most rows have the same number of fields, two or more; else a comma."""
    sample = text[:_SAMPLE_CHARS]
    best, best_share = ",", 0.0
    for delimiter in DELIMITERS:
        counts = [len(row) for row in islice(_records(sample, delimiter), _SAMPLE_ROWS) if row]
        # The sample may end inside a row.
        counts = counts[:-1] if len(sample) < len(text) and len(counts) > 1 else counts
        usual, times = Counter(counts).most_common(1)[0] if counts else (1, 0)
        share = times / len(counts) if usual > 1 else 0.0
        if share > best_share:
            best, best_share = delimiter, share
    return best


def _rows(text: str, delimiter: str, builder: DocumentBuilder) -> list[list[str]]:
    """The fields of each row; where a quotation mark is never closed, marks are ordinary characters."""
    try:
        return list(_records(text, delimiter, strict=True))
    except csv.Error:
        rows = list(_records(text, delimiter))
    if _swallows(rows, text):
        builder.notice("quotes_unbalanced")
        return list(_records(text, delimiter, quoted=False))
    return rows


def _swallows(rows: list[list[str]], text: str) -> bool:
    """Whether the last field is an open quotation that took in the rest of the file."""
    last = rows[-1][-1] if rows and rows[-1] else ""
    return "\n" in last.strip() and text.rstrip("\r\n").endswith(last.rstrip("\r\n"))


def _records(text: str, delimiter: str, *, strict: bool = False, quoted: bool = True) -> Iterator[list[str]]:
    csv.field_size_limit(max(len(text), csv.field_size_limit()))
    lines = io.StringIO(text, newline="")
    if not quoted:
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=delimiter, strict=strict)


def _limited(rows: list[list[str]], name: str, builder: DocumentBuilder) -> list[list[str]]:
    """The first rows that hold at most ``MAX_CELLS`` cells, with a notice when there are more."""
    seen = 0
    for number, row in enumerate(rows):
        seen += len(row)
        if seen > MAX_CELLS:
            builder.notice("cells_cut", sheets=name, limit=MAX_CELLS)
            return rows[:number]
    return rows
