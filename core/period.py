"""Dates as exact as a text names them (2024, 2024-05, 2024-05-01, 2024-Q3, 2024-H1), and periods between them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

_ISO: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-Q([1-4])|-H([12]))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From the first day of ``since`` to the last day of ``until``; ``None`` is an open end.

    Raises ``ValueError`` for an end that is no date.
    """

    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        for end in (self.since, self.until):
            if end is not None:
                days_of(end)

    @property
    def is_endless(self) -> bool:
        """Whether every day lies in it."""
        return self.since is None and self.until is None

    def meets(self, iso: str) -> bool:
        """Whether some day of the date lies in the period."""
        first, last = days_of(iso)
        if self.since is not None:
            first = max(first, days_of(self.since)[0])
        return first <= (last if self.until is None else min(last, days_of(self.until)[1]))

    def meets_one(self, dates: Iterable[str]) -> bool:
        return any(map(self.meets, dates))


@lru_cache(maxsize=4096)
def days_of(iso: str) -> tuple[date, date]:
    """The first and the last day of a date. Raises ``ValueError`` when it is none."""
    found = _ISO.fullmatch(iso)
    if found is None:
        raise ValueError(
            f"expected a date such as 2024, 2024-05, 2024-05-01, 2024-Q3 or 2024-H1, got {iso!r}"
        )
    year, month, day, quarter, half = (int(part) if part else 0 for part in found.groups())
    if day:
        return date(year, month, day), date(year, month, day)
    first, months = _months(month, quarter, half)
    last = first + months - 1
    return date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1])


def _months(month: int, quarter: int, half: int) -> tuple[int, int]:
    """The first month and how many there are."""
    if month:
        return month, 1
    if quarter:
        return 3 * quarter - 2, 3
    return (6 * half - 5, 6) if half else (1, 12)
