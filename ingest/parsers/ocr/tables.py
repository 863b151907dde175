"""Tables on pictures, by how words stand below each other: the engine sees no rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ingest.parsers.ocr.reader import OcrCell, OcrLine
from ingest.parsers.tables import markdown_rows

_LEAST_ROWS: Final = 3
# Rows of a table are at most this far apart, in line heights.
_ROW_GAP: Final = 2.5
# The row that shows all columns is one of the first.
_HEAD_ROWS: Final = 8

Columns = list[tuple[float, float]]


def table_runs(lines: Sequence[OcrLine]) -> Iterator[tuple[tuple[OcrLine, ...], Columns]]:
    """``lines`` in runs, each with the left and right edges of its columns; text has none."""
    start = plain = 0
    while start < len(lines):
        rows, columns = _table(lines[start:])
        if not rows:
            start += 1
            continue
        if plain < start:
            yield tuple(lines[plain:start]), []
        yield tuple(rows), columns
        start = plain = start + len(rows)
    if plain < len(lines):
        yield tuple(lines[plain:]), []


def table_lines(rows: Sequence[OcrLine], columns: Columns) -> tuple[OcrLine, ...]:
    """The rows as Markdown, one line a row; the rule under the header shares the header's place."""
    written = markdown_rows([_row(line, columns) for line in rows])
    return tuple(replace(line, text=text) for line, text in zip([rows[0], *rows], written, strict=True))


def _table(lines: Sequence[OcrLine]) -> tuple[Sequence[OcrLine], Columns]:
    """The table that opens with the first line, and its columns; nothing when none does."""
    rows = _near(lines)
    if len(rows) < _LEAST_ROWS:
        return (), []
    fullest = max(range(min(len(rows), _HEAD_ROWS)), key=lambda number: len(rows[number].cells))
    columns = [(cell.box[0], cell.box[2]) for cell in rows[fullest].cells]
    end = 0
    for number, line in enumerate(rows):
        touched = [_touched(cell, columns) for cell in line.cells]
        if number > fullest and any(len(under) > 1 for under in touched):
            break
        columns = _widened(columns, line.cells)
        if len(line.cells) > 1:
            end = number + 1
    full = sum(len(line.cells) > 1 for line in rows[:end])
    # Rows of one cell are the rest of a cell that was broken; more of them than rows are no table.
    return (rows[:end], columns) if full >= _LEAST_ROWS and 2 * full >= end else ((), [])


def _near(lines: Sequence[OcrLine]) -> Sequence[OcrLine]:
    """The lines that follow the first closely, if that one has cells."""
    if len(lines[0].cells) < 2:
        return ()
    for number, (before, line) in enumerate(pairwise(lines), start=1):
        height = line.upright[3] - line.upright[1]
        if not -0.5 * height < line.upright[1] - before.upright[1] < (_ROW_GAP + 1) * height:
            return lines[:number]
    return lines


def _touched(cell: OcrCell, columns: Columns) -> list[int]:
    """The columns that a cell stands under, by a third of their width or its own."""
    left, right = cell.box[0], cell.box[2]
    return [
        number
        for number, (start, end) in enumerate(columns)
        if min(right, end) - max(left, start) > min(right - left, end - start) / 3
    ]


def _widened(columns: Columns, cells: Sequence[OcrCell]) -> Columns:
    """``columns`` with room for ``cells`` that stand under one of them, and new ones for those under none."""
    wider = list(columns)
    for cell in cells:
        under = _touched(cell, columns)
        if len(under) == 1:
            start, end = wider[under[0]]
            wider[under[0]] = min(start, cell.box[0]), max(end, cell.box[2])
        elif not under:
            wider.append((cell.box[0], cell.box[2]))
    wider.sort()
    parted = [wider[0]]
    for start, end in wider[1:]:
        if start < parted[-1][1]:  # they grew into each other: they meet half way
            middle = (start + parted[-1][1]) / 2
            parted[-1] = parted[-1][0], max(middle, parted[-1][0])
            start = middle
        parted.append((start, max(end, start)))
    return parted


def _row(line: OcrLine, columns: Columns) -> list[str]:
    """The words of ``line`` by column; each cell goes to the nearest."""
    row = [""] * len(columns)
    for cell in line.cells:
        middle = (cell.box[0] + cell.box[2]) / 2
        distances = [max(start - middle, middle - end, 0.0) for start, end in columns]
        nearest = distances.index(min(distances))
        row[nearest] = f"{row[nearest]} {cell.text}".strip()
    return row
