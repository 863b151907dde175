"""The cells of a Word table on their grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from xml.etree.ElementTree import Element

from ingest.parsers.docx.xml import W, find, flattened, number, switch, value
from ingest.parsers.grid.matrix import Area, Matrix
from ingest.parsers.grid.matrix import Cell as GridCell

# No real table is wider; a wrong span must not make a row of a million cells.
_MOST_COLUMNS: Final = 1000
_FORM_RATIO: Final = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """``w:tc``. ``column`` is where it begins; a ``continued`` cell is the lower part of a merged one."""

    element: Element
    column: int
    width: int
    continued: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """The words of a cell, a line for each of its paragraphs."""

    text: str
    bold: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """``w:tr``. ``removed`` for a tracked deletion, ``hidden`` for one that Word does not print."""

    element: Element
    cells: tuple[Cell, ...]
    is_header: bool
    removed: bool
    hidden: bool

    @property
    def width(self) -> int:
        return max((cell.column + cell.width for cell in self.cells), default=0)


def rows_of(table: Element) -> list[Row]:
    """The rows of ``w:tbl`` in order."""
    return [_row(child) for child in flattened(table) if child.tag == W + "tr"]


def form_rows(rows: Sequence[Row], words: Mapping[Element, Shown]) -> list[list[str]]:
    """The cells of a form one after the other, or nothing for a table whose cells stand in columns.

    Forms are drawn on a grid far finer than any of their rows.
    """
    most = max((len(row.cells) for row in rows), default=0)
    if max((row.width for row in rows), default=0) <= _FORM_RATIO * most:
        return []
    return [["" if cell.continued else words[cell.element].text for cell in row.cells] for row in rows]


def matrix_of(rows: Sequence[Row], words: Mapping[Element, Shown]) -> Matrix:
    """The grid of ``rows`` without blank ones. ``words`` tells what each cell shows.

    A merged cell says its words once, at its top left.
    """
    kept = [row for row in rows if any(words[cell.element].text for cell in row.cells if not cell.continued)]
    width = max((row.width for row in kept), default=0)
    grid: list[list[GridCell | None]] = [[None] * width for _ in kept]
    merges: dict[int, Area] = {}
    closed: list[Area] = []
    for at, row in enumerate(kept):
        for cell in row.cells:
            over = merges.get(cell.column)
            if cell.continued and over is not None and over.bottom == at - 1:
                merges[cell.column] = replace(over, bottom=at)
                continue
            if over is not None:
                closed.append(over)
            merges[cell.column] = Area(at, cell.column, at, cell.column + cell.width - 1)
            shown = words[cell.element]
            if shown.text:
                # A row that Word repeats on each page is a header even without bold letters.
                grid[at][cell.column] = GridCell(text=shown.text, bold=shown.bold or row.is_header)
    areas = [
        area for area in (*closed, *merges.values()) if area.top != area.bottom or area.left != area.right
    ]
    return Matrix(rows=grid, merges=tuple(areas))


def _row(row: Element) -> Row:
    properties = row.find(W + "trPr")
    return Row(
        element=row,
        cells=tuple(_cells(row, number(properties, "gridBefore") or 0)),
        is_header=bool(switch(properties, "tblHeader")),
        removed=find(properties, "del") is not None,
        hidden=bool(switch(properties, "hidden")),
    )


def _cells(row: Element, column: int) -> Iterator[Cell]:
    for cell in flattened(row):
        if cell.tag != W + "tc" or find(cell, "tcPr/cellDel") is not None:
            continue
        width = max(number(cell, "tcPr/gridSpan") or 1, 1)
        if column + width > _MOST_COLUMNS:
            width = 1
        continued = any(_continues(cell, name) for name in ("tcPr/vMerge", "tcPr/hMerge"))
        yield Cell(element=cell, column=column, width=width, continued=continued)
        column += width


def _continues(cell: Element, path: str) -> bool:
    return find(cell, path) is not None and value(cell, path) != "restart"
