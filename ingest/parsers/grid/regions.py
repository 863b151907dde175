"""Where the tables of a sheet stand: connected regions of cells, with the small gaps people leave in them.

Cells connect when they share a side. Then regions become one when their rectangles overlap, when a column of
numbers stands one blank column beside the labels it belongs to, and when one blank row parts a table from its
header or from more of the same rows. Everything else stays apart: tables side by side or below each other,
and the lines above and below them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping

from ingest.parsers.grid.matrix import Area, Cell, Kind, Matrix

Cells = Mapping[tuple[int, int], Cell]

# A band with more pieces than this is no set of tables: it is taken as one.
_MAX_PIECES = 50
_MAX_AREAS = 2000
_MAX_MERGED_ROWS = 1000
_SAMPLE_ROWS = 20
_MAX_HEADER_ROWS = 4
# Rows that two pieces beside each other must share before one can continue the other.
_SHARED_ROWS = 0.8


def regions(cells: Cells, merges: Iterable[Area]) -> list[Area]:
    """The rectangles that hold tables or lines, from top to bottom, then left to right."""
    covering = [merge for merge in merges if (merge.top, merge.left) in cells]
    found: list[Area] = []
    for band in _bands(cells, covering):
        found += _joined_beside(cells, _pieces(band))
    return sorted(_joined_below(cells, found), key=lambda area: (area.top, area.left))


def matrix_of(cells: Cells, merges: Iterable[Area], area: Area) -> Matrix:
    """The cells of ``area``; rows and columns where nothing stands are left out."""
    columns = range(area.left, area.right + 1)
    rows = [[cells.get((row, column)) for column in columns] for row in range(area.top, area.bottom + 1)]
    kept_rows = [number for number, row in enumerate(rows) if any(row)]
    kept = [number for number in range(len(columns)) if any(rows[row][number] for row in kept_rows)]
    inside = [merge for merge in merges if merge.overlaps(area) and (merge.top, merge.left) in cells]
    placed = [_placed(merge, area, kept_rows, kept) for merge in inside]
    return Matrix(
        rows=[[rows[row][column] for column in kept] for row in kept_rows],
        merges=tuple(merge for merge in placed if merge is not None),
        gaps=frozenset(place for place, column in enumerate(kept) if place and kept[place - 1] != column - 1),
    )


def _placed(merge: Area, area: Area, rows: list[int], columns: list[int]) -> Area | None:
    """``merge`` counted in the rows and columns that were kept."""
    top, bottom = bisect_left(rows, merge.top - area.top), bisect_left(rows, merge.bottom - area.top + 1) - 1
    left = bisect_left(columns, merge.left - area.left)
    right = bisect_left(columns, merge.right - area.left + 1) - 1
    return Area(top, left, bottom, right) if top <= bottom and left <= right else None


def _bands(cells: Cells, merges: list[Area]) -> list[list[tuple[int, int, int]]]:
    """Runs of neighbouring cells as (row, first column, last column), parted where a row is blank."""
    by_row: dict[int, list[tuple[int, int]]] = {}
    for row, column in cells:
        by_row.setdefault(row, []).append((column, column))
    last = max(by_row, default=0)
    for merge in merges:
        for row in range(merge.top, min(merge.bottom, last, merge.top + _MAX_MERGED_ROWS) + 1):
            by_row.setdefault(row, []).append((merge.left, merge.right))
    bands: list[list[tuple[int, int, int]]] = []
    previous = -1
    for row in sorted(by_row):
        if row != previous + 1 or not bands:
            bands.append([])
        bands[-1] += [(row, left, right) for left, right in _runs(by_row[row])]
        previous = row
    return bands


def _runs(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for left, right in sorted(spans):
        if runs and left <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(runs[-1][1], right))
        else:
            runs.append((left, right))
    return runs


def _pieces(band: list[tuple[int, int, int]]) -> list[Area]:
    """Connected pieces of a band; pieces whose rectangles overlap are one."""
    leader = list(range(len(band)))

    def find(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    above: list[int] = []
    current: list[int] = []
    for index, (row, left, right) in enumerate(band):
        if current and band[current[0]][0] != row:
            above, current = current, []
        for other in above:
            if band[other][1] <= right and left <= band[other][2]:
                leader[find(other)] = find(index)
        current.append(index)
    areas: dict[int, Area] = {}
    for index, (row, left, right) in enumerate(band):
        area, root = Area(row, left, row, right), find(index)
        areas[root] = areas[root].hull(area) if root in areas else area
    return _joined(list(areas.values()), Area.overlaps)


def _joined(areas: list[Area], belong: Callable[[Area, Area], bool]) -> list[Area]:
    """``areas`` with those that belong together as one, until nothing changes."""
    if len(areas) > _MAX_PIECES:
        whole = areas[0]
        for area in areas:
            whole = whole.hull(area)
        return [whole]
    changed = True
    while changed:
        changed = False
        for index, area in enumerate(areas):
            others = [other for other in areas[index + 1 :] if belong(area, other)]
            if others:
                for other in others:
                    area = area.hull(other)
                areas = [*areas[:index], area, *(a for a in areas[index + 1 :] if a not in others)]
                changed = True
                break
    return areas


def _joined_beside(cells: Cells, areas: list[Area]) -> list[Area]:
    def belong(one: Area, other: Area) -> bool:
        left, right = sorted((one, other), key=lambda area: area.left)
        if left.overlaps(right):
            return True
        shared = min(left.bottom, right.bottom) - max(left.top, right.top) + 1
        rows = max(left.bottom, right.bottom) - min(left.top, right.top) + 1
        is_near = right.left - left.right == 2 and shared >= _SHARED_ROWS * rows and rows > 1
        return is_near and _is_all_numbers(cells, right)

    return _joined(sorted(areas, key=lambda area: (area.left, area.top)), belong)


def _is_all_numbers(cells: Cells, area: Area) -> bool:
    """Whether no column of ``area`` holds mostly texts below its first row."""
    rows = range(area.top + 1, min(area.bottom, area.top + _SAMPLE_ROWS) + 1)
    for column in range(area.left, area.right + 1):
        kinds = [cell.kind for row in rows if (cell := cells.get((row, column)))]
        if not kinds or kinds.count(Kind.TEXT) * 2 >= len(kinds):
            return False
    return True


def _joined_below(cells: Cells, areas: list[Area]) -> list[Area]:
    """Regions with the header, or the further rows, that one blank row parts from them."""
    areas = sorted(areas, key=lambda area: (area.top, area.left))
    index = 0
    while index < len(areas) <= _MAX_AREAS:
        area = areas[index]
        near = [a for a in areas[:index] if 1 <= area.top - a.bottom <= 2]
        upper = next((a for a in reversed(near) if _goes_on(cells, a, area)), None)
        if upper is None:
            index += 1
            continue
        joined = area.hull(upper)
        rest = [a for a in areas if a not in (area, upper)]
        while touched := [a for a in rest if a.overlaps(joined)]:
            for other in touched:
                joined = joined.hull(other)
            rest = [a for a in rest if a not in touched]
        areas = sorted([*rest, joined], key=lambda a: (a.top, a.left))
        index = areas.index(joined)
    return areas


def _goes_on(cells: Cells, upper: Area, lower: Area) -> bool:
    """Whether ``lower`` starts with data that the header or the rows in ``upper`` stand above."""
    first = _row(cells, lower, lower.top)
    if not any(cell and cell.kind is not Kind.TEXT for cell in first):
        return False
    rows = [_row(cells, upper, row) for row in range(upper.top, min(upper.bottom, upper.top + 4) + 1)]
    is_header = upper.bottom - upper.top < _MAX_HEADER_ROWS and all(
        cell.kind is Kind.TEXT for row in rows for cell in row if cell
    )
    if is_header:
        is_within = lower.left <= upper.left and upper.right <= lower.right
        return is_within and (upper.left > lower.left or any(sum(map(bool, row)) > 1 for row in rows))
    if lower.left != upper.left or lower.right > upper.right:
        return False
    last = [_kind(cell) for cell in _row(cells, upper, upper.bottom)]
    return last[: len(first)] == [_kind(cell) for cell in first]


def _row(cells: Cells, area: Area, row: int) -> list[Cell | None]:
    return [cells.get((row, column)) for column in range(area.left, area.right + 1)]


def _kind(cell: Cell | None) -> Kind | None:
    return cell.kind if cell else None
