"""A grid of cells: what a sheet, a delimited file or a table on a slide is before it becomes text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_CURRENCY = r"(?:[¥￥$€£]|RMB|CNY|USD|EUR)?"
_NUMBER = re.compile(
    rf"[(（]?\s*[-+−–—]?\s*{_CURRENCY}\s*[-−]?(?:\d[\d,]*)?\.?\d+(?:[eE][-+]?\d+)?\s*(?:[%％‰]|[万亿]?元)?\s*[)）]?"
    r"|[-–—−]{1,2}"
)
_DATE = re.compile(
    r"\d{4}[-/.年]\d{1,2}(?:[-/.月](?:\d{1,2}日?)?)?(?:[T\s]\d{1,2}:\d{2}.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)
_YEAR = re.compile(r"(?:19|20)\d{2}(?:年|财年|年度)?(?:[AEFBaefb])?")


class Kind(StrEnum):
    """What stands in a cell. A dash counts as a number: it is how sheets write nothing."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows, what it was stored as (``None``: not known) and whether it is set in bold."""

    text: str
    stored: Kind | None = None
    bold: bool = False

    @property
    def kind(self) -> Kind:
        """The stored kind; of texts, the kind they look like: many sheets keep numbers as text."""
        if self.stored in (Kind.NUMBER, Kind.DATE):
            return self.stored
        text = self.text.strip()
        if len(text) > 40:
            return Kind.TEXT
        if _DATE.fullmatch(text):
            return Kind.DATE
        return Kind.NUMBER if _NUMBER.fullmatch(text) else Kind.TEXT

    @property
    def is_year(self) -> bool:
        """Whether this may be a year above a column."""
        return bool(_YEAR.fullmatch(self.text.strip()))


@dataclass(frozen=True, slots=True)
class Area:
    """Rows ``top`` to ``bottom`` and columns ``left`` to ``right``, both ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def overlaps(self, other: Area) -> bool:
        return (
            self.top <= other.bottom
            and other.top <= self.bottom
            and self.left <= other.right
            and other.left <= self.right
        )

    def hull(self, other: Area) -> Area:
        """The smallest area that holds both."""
        return Area(
            min(self.top, other.top),
            min(self.left, other.left),
            max(self.bottom, other.bottom),
            max(self.right, other.right),
        )


Row = list[Cell | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Rows of one table, all of equal width; ``merges`` are areas over them, counted from 0.

    The cell at the top left of a merge carries its value, the others are ``None``. ``gaps`` are the columns
    that a blank column, left out here, stood before.
    """

    rows: list[Row]
    merges: tuple[Area, ...] = ()
    gaps: frozenset[int] = frozenset()

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    def filled(self, row: int) -> list[int]:
        """The columns of ``row`` that show something."""
        return [column for column, cell in enumerate(self.rows[row]) if cell is not None]

    def merge_at(self, row: int, column: int) -> Area | None:
        """The merge that covers a cell."""
        place = Area(row, column, row, column)
        return next((merge for merge in self.merges if merge.overlaps(place)), None)

    def part(self, first: int, stop: int) -> Matrix:
        """Rows ``first`` to ``stop - 1`` with the merges inside them."""
        inside = [m for m in self.merges if m.top < stop and m.bottom >= first]
        merges = [
            Area(max(m.top, first) - first, m.left, min(m.bottom, stop - 1) - first, m.right) for m in inside
        ]
        return Matrix(rows=self.rows[first:stop], merges=tuple(merges), gaps=self.gaps)
