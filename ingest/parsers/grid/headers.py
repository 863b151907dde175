"""Which rows of a table are its title, its header, its body and its notes, by what stands in the cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ingest.parsers.grid.matrix import Cell, Kind, Matrix, Row

_MAX_HEADER_ROWS = 4
_SAMPLE_ROWS = 20
_MAX_HEADER_CHARS = 80
# A line of its own below a table: a footnote mark, or too long for a label.
_NOTE = re.compile(
    r"[(（\[]?[a-zA-Z0-9]{1,2}[)）\]]\s|[*※†]|(?:备注|注|说明|来源|数据来源|资料来源|单位|Notes?|Sources?)\s*[:：]",
    re.I,
)
_NOTE_CHARS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A table taken apart: lines above it, one header row (empty: none), body rows, lines below it.

    ``first`` is the row of the matrix at which the body starts, ``header_first`` where the header does.
    """

    lead: tuple[str, ...]
    header: tuple[str, ...]
    body: list[Row]
    trail: tuple[str, ...]
    header_first: int
    first: int


def laid_out(matrix: Matrix, *, header_rows: int | None = None) -> Layout:
    """The parts of a table. ``header_rows`` says how many rows head it where the file itself tells."""
    if header_rows is None:
        lead, stop = _lead(matrix), len(matrix.rows)
        start = len(lead)
        while stop - start > 2 and _is_note(matrix, stop - 1):
            stop -= 1
        count = _header_rows(matrix.part(start, stop))
    else:
        lead, start, stop, count = [], 0, len(matrix.rows), header_rows
    header = _flattened(matrix.part(start, stop), count) if count else ()
    trail = [_line(matrix.rows[row]) for row in range(stop, len(matrix.rows))]
    return Layout(
        lead=tuple(lead),
        header=header,
        body=matrix.rows[start + count : stop],
        trail=tuple(trail),
        header_first=start,
        first=start + count,
    )


def _line(row: Row) -> str:
    return "　".join(" ".join(cell.text.split()) for cell in row if cell is not None)


def _lead(matrix: Matrix) -> list[str]:
    """The lines above the header: one cell wide, or a unit at the left and a date at the right."""
    lead: list[str] = []
    if matrix.width < 2:
        return lead
    for row in range(len(matrix.rows) - 1):
        filled = matrix.filled(row)
        is_title = len(filled) == 1 and _is_title(matrix, row, filled[0])
        if not (is_title or _is_caption(matrix, row, filled)):
            break
        lead.append(_line(matrix.rows[row]))
    # Nothing but single cells: no table has a header there.
    rows_left = range(len(lead), len(matrix.rows))
    return lead if any(len(matrix.filled(row)) > 1 for row in rows_left) else []


def _is_title(matrix: Matrix, row: int, column: int) -> bool:
    cell, merge = matrix.rows[row][column], matrix.merge_at(row, column)
    if cell is None or cell.kind is not Kind.TEXT:
        return False
    if merge is None or merge.left == merge.right:
        return merge is None or merge.top == merge.bottom
    return merge.right - merge.left + 1 == matrix.width or column == 0


def _is_caption(matrix: Matrix, row: int, filled: list[int]) -> bool:
    """Whether a row says only the unit (first column) and the period (last column) of the table below."""
    if matrix.width < 4 or filled != [0, matrix.width - 1] or row + 2 >= len(matrix.rows):
        return False
    below = [cell for cell in matrix.rows[row + 1] if cell is not None]
    return len(below) > 2 and all(cell.kind is Kind.TEXT for cell in below)


def _is_note(matrix: Matrix, row: int) -> bool:
    """Whether the last row is a line of its own: a footnote, not a row with one value."""
    filled = matrix.filled(row)
    if len(filled) != 1 or matrix.width < 2:
        return False
    cell, merge = matrix.rows[row][filled[0]], matrix.merge_at(row, filled[0])
    if cell is None or cell.kind is not Kind.TEXT:
        return False
    is_wide = merge is not None and merge.right - merge.left + 1 == matrix.width
    return is_wide or bool(_NOTE.match(cell.text)) or (filled[0] == 0 and len(cell.text) > _NOTE_CHARS)


def _header_rows(matrix: Matrix) -> int:
    """How many rows head the table, 0 when its first row is data like the others."""
    if len(matrix.rows) < 2 or not _heads(matrix, 0):
        return 0
    count = 1
    limit = min(_MAX_HEADER_ROWS, len(matrix.rows) - 1)
    while count < limit and _goes_on(matrix, count):
        count += 1
    return count


def _heads(matrix: Matrix, row: int) -> bool:
    """Whether the cells of ``row`` name columns: texts, or years and dates above other kinds of values."""
    if len(matrix.filled(row)) < 2 and not any(m.top == row and m.left != m.right for m in matrix.merges):
        return False
    contrast = 0
    for column in matrix.filled(row):
        cell = matrix.rows[row][column]
        assert cell is not None
        if len(cell.text) > _MAX_HEADER_CHARS * 3:
            return False
        below = _column(matrix, row + 1, column)
        kind = _majority(below)
        if cell.kind is Kind.TEXT:
            contrast += kind in (Kind.NUMBER, Kind.DATE)
            continue
        if cell.kind is kind and not (cell.is_year and not all(c.is_year for c in below)):
            return False
        if not (cell.is_year or cell.kind is Kind.DATE):
            return False
        contrast += 1
    return contrast > 0 or _is_bold(matrix, row) or _names_columns(matrix, row)


def _names_columns(matrix: Matrix, row: int) -> bool:
    """Whether a row of texts above texts can be a header: short and distinct, none of them a value below."""
    texts = [(column, cell.text) for column, cell in enumerate(matrix.rows[row]) if cell is not None]
    if any(len(text) > _MAX_HEADER_CHARS or "://" in text or "@" in text for _, text in texts):
        return False
    if len({text for _, text in texts}) < len(texts) or len(texts) * 2 < matrix.width:
        return False
    return not any(text in [c.text for c in _column(matrix, row + 1, column)] for column, text in texts)


def _is_bold(matrix: Matrix, row: int) -> bool:
    """Whether a row is set in bold and what follows it is not."""
    heads = [cell.bold for cell in matrix.rows[row] if cell is not None]
    below = [cell.bold for cell in matrix.rows[row + 1] if cell is not None]
    return all(heads) and bool(below) and not all(below)


def _goes_on(matrix: Matrix, row: int) -> bool:
    """Whether ``row`` is one more header row: the rows above group or leave blank what it names."""
    above = [m for m in matrix.merges if m.top < row]
    if any(m.bottom >= row for m in above):
        return all(cell is None or cell.kind is Kind.TEXT or cell.is_year for cell in matrix.rows[row])
    filled = matrix.filled(row)
    if len(filled) < 2 and matrix.width > 2:
        return False
    is_grouped = any(m.top == m.bottom == row - 1 and m.left < m.right for m in above)
    names_blank = any(column and matrix.rows[row - 1][column] is None for column in filled)
    cells = [cell for cell in matrix.rows[row] if cell is not None]
    if not all(cell.kind is Kind.TEXT or cell.is_year for cell in cells):
        return False
    if is_grouped:
        return True
    numbers = [_majority(_column(matrix, row + 1, column)) in (Kind.NUMBER, Kind.DATE) for column in filled]
    return names_blank and sum(numbers) * 2 >= len(numbers) and bool(numbers)


def _column(matrix: Matrix, first: int, column: int) -> list[Cell]:
    rows = matrix.rows[first : first + _SAMPLE_ROWS]
    return [cell for row in rows if (cell := row[column]) is not None]


def _majority(cells: list[Cell]) -> Kind | None:
    kinds = [cell.kind for cell in cells]
    return max(Kind, key=kinds.count) if kinds else None


def _flattened(matrix: Matrix, count: int) -> tuple[str, ...]:
    """One header row of ``count``: what stands above a column from top to bottom, joined by " / "."""
    levels = [_spread(matrix, row, count) for row in range(count)]
    names: list[str] = []
    for column in range(matrix.width):
        parts = [level[column] for level in levels if level[column]]
        distinct = [part for index, part in enumerate(parts) if index == 0 or part != parts[index - 1]]
        names.append(" / ".join(distinct))
    return tuple(names)


def _spread(matrix: Matrix, row: int, count: int) -> list[str]:
    """The texts of a header row, repeated where a merge or, above the last row, a group of columns says so."""
    texts = [" ".join(cell.text.split()) if cell else "" for cell in matrix.rows[row]]
    own = list(texts)
    for merge in matrix.merges:
        if merge.top <= row <= merge.bottom and merge.top < count:
            origin = matrix.rows[merge.top][merge.left]
            for column in range(merge.left, merge.right + 1):
                texts[column] = " ".join(origin.text.split()) if origin else ""
    is_merged = any(merge.top == row and merge.left < merge.right for merge in matrix.merges)
    if row == count - 1 or is_merged:
        return texts
    for group in _value_groups(matrix, count):
        named = [column for column in group if own[column]]
        if len(named) == 1 and not texts[group[0]]:
            texts[group[0]] = own[named[0]]
        for before, column in pairwise(group):
            texts[column] = texts[column] or texts[before]
    return texts


def _value_groups(matrix: Matrix, count: int) -> list[list[int]]:
    """Columns of values, parted at blank columns; those left of the first numbers are labels."""
    numbers = [
        column
        for column in range(matrix.width)
        if _majority(_column(matrix, count, column)) in (Kind.NUMBER, Kind.DATE)
    ]
    groups: list[list[int]] = []
    for column in range(numbers[0] if numbers else matrix.width, matrix.width):
        if column in matrix.gaps or not groups:
            groups.append([])
        groups[-1].append(column)
    return groups
