"""Writes a table into a document: as Markdown rows, or as records when its rows are too long for a line.

Records: a row of more than ``_RECORD_WIDTH`` columns of print (a Chinese character takes two) on average, in a
table with a header, becomes a paragraph of "- header: value" lines, line breaks kept; the dash says that a line
does not go on with the one before. Measured on sheets of questions and answers: rows of some 165 characters
read well as table rows, several to a chunk; a row beyond about 500 columns fills a chunk alone and, cut inside,
would part its values from their header.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.document import BlockKind
from core.language import language_of
from ingest.parsers.builder import Box, DocumentBuilder
from ingest.parsers.grid.headers import Layout, laid_out
from ingest.parsers.grid.matrix import Matrix, Row

_RECORD_WIDTH = 500
_SHORT_LIST = 3
_LINE_CHARS = 40


def add_matrix(builder: DocumentBuilder, matrix: Matrix) -> None:
    """Adds the lines above the table, the table and the notes below it."""
    if matrix.width == 1:
        _add_column(builder, matrix)
        return
    if len(matrix.rows) == 1:
        _add_lines(builder, ["　".join(_line(cell.text) for cell in matrix.rows[0] if cell)])
        return
    layout = laid_out(matrix)
    _add_lines(builder, layout.lead)
    if layout.header and _mean_width(layout.body) > _RECORD_WIDTH:
        _add_records(builder, layout)
    else:
        builder.table(_rows(layout), header=bool(layout.header))
    _add_lines(builder, layout.trail)


def add_placed(
    builder: DocumentBuilder, matrix: Matrix, boxes: Sequence[Box], *, page: int, header_rows: int | None
) -> None:
    """Adds a table that stands on a page; ``boxes`` are those of the rows of ``matrix``."""
    layout = laid_out(matrix, header_rows=header_rows)
    for line, box in zip(layout.lead, boxes, strict=False):
        builder.add(BlockKind.PARAGRAPH, line, page=page, box=box)
    body = list(boxes[layout.first : layout.first + len(layout.body)])
    head = boxes[layout.header_first : layout.first]
    if layout.header:
        body.insert(0, hull_of(head))
    builder.table(_rows(layout), header=bool(layout.header), page=page, boxes=body)
    for line, box in zip(reversed(layout.trail), reversed(boxes), strict=False):
        builder.add(BlockKind.PARAGRAPH, line, page=page, box=box)


def hull_of(boxes: Sequence[Box]) -> Box:
    """The smallest box around all of ``boxes``, of which there is at least one."""
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


def _rows(layout: Layout) -> list[list[str]]:
    rows = [[cell.text if cell else "" for cell in row] for row in layout.body]
    return [list(layout.header), *rows] if layout.header else rows


def _add_column(builder: DocumentBuilder, matrix: Matrix) -> None:
    """Lines, or a list of short values, which stays together as a table of one column."""
    texts = [row[0].text for row in matrix.rows if row[0]]
    is_text = len(texts) <= _SHORT_LIST or sum(map(len, texts)) > _LINE_CHARS * len(texts)
    if is_text:
        _add_lines(builder, texts)
    else:
        builder.table([[text] for text in texts], header=False)


def _add_lines(builder: DocumentBuilder, texts: Sequence[str]) -> None:
    for text in texts:
        builder.add(BlockKind.PARAGRAPH, _lines(text))


def _mean_width(rows: Sequence[Row]) -> float:
    """Columns of print of a row, on average."""
    texts = (cell.text for row in rows for cell in row if cell)
    width = sum(len(text) + sum(char >= "\u2e80" for char in text) for text in texts)
    return width / len(rows) if rows else 0


def _add_records(builder: DocumentBuilder, layout: Layout) -> None:
    colon = "：" if language_of(" ".join(layout.header)) == "zh" else ": "
    for row in layout.body:
        pairs = [(name, _lines(cell.text)) for name, cell in zip(layout.header, row, strict=True) if cell]
        builder.add(
            BlockKind.PARAGRAPH,
            "\n".join(f"- {name}{colon if name else ''}{value}" for name, value in pairs),
        )


def _line(text: str) -> str:
    return " ".join(text.split())


def _lines(text: str) -> str:
    """``text`` without blank lines and spaces at the ends of lines."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
