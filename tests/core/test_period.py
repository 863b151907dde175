"""Dates as exact as a text names them, against days counted one by one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.period import Period, days_of
from core.scope import Scope


@pytest.mark.parametrize(
    ("iso", "first", "last"),
    [
        ("2024", "2024-01-01", "2024-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2023-02", "2023-02-01", "2023-02-28"),
        ("2024-05-31", "2024-05-31", "2024-05-31"),
        ("2024-Q1", "2024-01-01", "2024-03-31"),
        ("2024-Q4", "2024-10-01", "2024-12-31"),
        ("2024-H1", "2024-01-01", "2024-06-30"),
        ("2024-H2", "2024-07-01", "2024-12-31"),
    ],
)
def test_a_date_has_a_first_and_a_last_day(iso: str, first: str, last: str) -> None:
    assert days_of(iso) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize("bad", ["", "abc", "2024-13", "2024-02-30", "2024-Q5", "24", "2024-5"])
def test_what_is_no_date_is_told(bad: str) -> None:
    with pytest.raises(ValueError, match=r"date|month|day"):
        Scope(since=bad)


@pytest.mark.parametrize("since", [None, "2024-03", "2024-05-31", "2025"])
@pytest.mark.parametrize("until", [None, "2024-03-01", "2024-06", "2024"])
def test_a_date_meets_a_period_when_they_share_a_day(since: str | None, until: str | None) -> None:
    period = Period(since=since, until=until)
    days = [date(2023, 1, 1) + timedelta(n) for n in range(4 * 365)]
    inside = {
        day
        for day in days
        if (since is None or day >= days_of(since)[0]) and (until is None or day <= days_of(until)[1])
    }
    for iso in ("2023", "2024", "2024-03", "2024-06-01", "2024-H2", "2025-Q1"):
        first, last = days_of(iso)
        assert period.meets(iso) is any(first <= day <= last for day in inside)
