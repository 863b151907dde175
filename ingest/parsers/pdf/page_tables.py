"""Tables of a PDF: runs in their cells, tables that are none, and tables that go on over pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.parsers.builder import Box
from ingest.parsers.pdf.layer import Run, hull
from ingest.parsers.pdf.layout import Region
from ingest.parsers.pdf.lines import PdfLine, join_lines, printed_lines
from ingest.parsers.tables import cell_text

# Two tables have the same columns when each edge differs by less than this share of the columns beside it.
_EDGE_TOLERANCE = 0.5
# Letters this far apart, in letter sizes, belong to two cells when a column's edge goes between them.
_CELL_GAP = 0.25
# A cell with more characters than this on average is a column of running text.
_PROSE_CELL = 250
_MOST_HEADER_ROWS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfTable:
    """``rows`` are the cells' words, ``boxes`` the place of each row, ``columns`` the columns' edges."""

    rows: tuple[tuple[str, ...], ...]
    boxes: tuple[Box, ...]
    columns: tuple[float, ...]

    @property
    def lines(self) -> tuple[PdfLine, ...]:
        """The rows as Markdown, without the rule under the header."""
        return tuple(
            PdfLine(text="| " + " | ".join(cell_text(value) for value in row) + " |", box=box)
            for row, box in zip(self.rows, self.boxes, strict=True)
        )

    @property
    def rule(self) -> str:
        return "|" + " --- |" * (len(self.columns) - 1)


def table_of(runs: Sequence[Run], region: Region) -> PdfTable | None:
    """The table that ``runs`` make in the region's grid; ``None`` when it is only a way to lay out text."""
    grid: list[list[list[Run]]] = [[[] for _ in region.columns[1:]] for _ in region.rows[1:]]
    for piece in runs:
        row = _slot(region.rows, piece.centre[1])
        for column, part in _parts(piece, region.columns):
            grid[row][column].append(part)
    cells = [[_cell(content) for content in row] for row in grid]
    kept = [number for number, row in enumerate(cells) if any(row)]
    used = [column for column in range(len(region.columns) - 1) if any(cells[row][column] for row in kept)]
    if len(used) < 2 or not kept or _is_prose(cells, kept):
        return None
    return PdfTable(
        rows=tuple(tuple(cells[row][column] for column in used) for row in kept),
        boxes=tuple(hull(run.box for content in grid[row] for run in content) for row in kept),
        columns=(*(region.columns[column] for column in used), region.columns[-1]),
    )


def _cell(runs: Sequence[Run]) -> str:
    return join_lines([line.text for line in printed_lines(runs)])


def _slot(edges: Sequence[float], position: float) -> int:
    """Which of the strips between ``edges`` holds ``position``; the first or last beyond them."""
    return min(sum(edge <= position for edge in edges[1:-1]), len(edges) - 2)


def _parts(run: Run, columns: Sequence[float]) -> list[tuple[int, Run]]:
    """The run, cut where a column's edge falls into a gap between its letters.

    A word that juts out of its cell, or stands in a cell that spans columns, stays whole.
    """
    left, right = run.box[0], run.box[2]
    if _slot(columns, left + 1) == _slot(columns, right - 1) or not run.is_level:
        return [(_slot(columns, run.centre[0]), run)]
    inner = [edge for edge in columns[1:-1] if left < edge < right]
    cuts = [
        number
        for number in range(1, len(run.text))
        if run.gaps[number - 1] > _CELL_GAP * run.size
        and any(run.edges[number - 1] < edge < run.edges[number] for edge in inner)
    ]
    parts = [_piece(run, start, end) for start, end in pairwise([0, *cuts, len(run.text)])]
    return [(_widest(part, columns), part) for part in parts]


def _widest(run: Run, columns: Sequence[float]) -> int:
    """The column that holds most of the run; the first when they hold alike."""
    shares = [min(run.box[2], right) - max(run.box[0], left) for left, right in pairwise(columns)]
    return shares.index(max(shares))


def _piece(run: Run, start: int, end: int) -> Run:
    if end - start == len(run.text):
        return run
    right = run.edges[end] - (run.gaps[end - 1] if end < len(run.text) else 0.0)
    return replace(
        run,
        text=run.text[start:end],
        edges=(*run.edges[start:end], right),
        gaps=run.gaps[start : end - 1],
        box=(run.edges[start], run.box[1], right, run.box[3]),
        spaced=run.spaced and start == 0,
    )


def _is_prose(cells: Sequence[Sequence[str]], kept: Sequence[int]) -> bool:
    filled = [value for row in kept for value in cells[row] if value]
    return sum(map(len, filled)) > _PROSE_CELL * len(filled)


def repeated_rows(first: PdfTable, second: PdfTable) -> int | None:
    """How many rows at the top of ``second`` repeat the header of ``first``, which it goes on.

    ``None`` when it is another table: the columns do not agree.
    """
    if len(first.columns) != len(second.columns):
        return None
    repeated = 0
    for row, again in zip(first.rows[:_MOST_HEADER_ROWS], second.rows, strict=False):
        if _squeezed(row) != _squeezed(again):
            break
        repeated += 1
    aligned = _are_aligned(first.columns, second.columns)
    return repeated if repeated or aligned else None


def _are_aligned(first: Sequence[float], second: Sequence[float]) -> bool:
    widths = [right - left for left, right in pairwise(first)]
    beside = [min(pair) for pair in pairwise([widths[0], *widths, widths[-1]])]
    return all(
        abs(a - b) <= _EDGE_TOLERANCE * width for a, b, width in zip(first, second, beside, strict=True)
    )


def _squeezed(row: Sequence[str]) -> str:
    return "|".join("".join(value.split()) for value in row)
