"""A caller's permits: a minute's worth at once, then as they come in."""

from __future__ import annotations

import pytest

from app.api.pace import Pace
from core.api_errors import ApiOftenError


def test_permits_come_in_with_time_and_for_each_caller() -> None:
    now = [0.0]
    pace = Pace(60, lambda: now[0])
    for _ in range(60):
        pace.take("ann")
    with pytest.raises(ApiOftenError) as refused:
        pace.take("ann")
    assert refused.value.details == {"limit": 60, "wait_s": 1}
    pace.take("bob")
    now[0] = 2.0
    pace.take("ann")
    pace.take("ann")
    with pytest.raises(ApiOftenError):
        pace.take("ann")
    now[0] = 10_000.0
    for _ in range(60):
        pace.take("ann")
    with pytest.raises(ApiOftenError):
        pace.take("ann")


def test_a_limit_of_nothing_is_none() -> None:
    pace = Pace(0, lambda: 0.0)
    for _ in range(500):
        pace.take("ann")
