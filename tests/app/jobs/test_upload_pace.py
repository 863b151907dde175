"""Time left: nothing while nothing is known, then what the last steps say, and nothing again when it stalls."""

from __future__ import annotations

import pytest

from app.jobs.pace import Pace
from app.uploads.table import left_words


def paced(*steps: tuple[float, int]) -> Pace:
    pace = Pace()
    for at_s, done in steps:
        pace.note(at_s, done)
    return pace


def test_nothing_is_said_before_some_steps_took_some_time() -> None:
    assert Pace().left_s(5, 80) is None
    assert paced((0, 0)).left_s(9, 80) is None
    assert paced((0, 0), (0.5, 10)).left_s(0.5, 80) is None
    assert paced((0, 0), (5, 1)).left_s(5, 80) is None


def test_the_last_steps_say_how_long_it_takes() -> None:
    steady = paced(*((float(page), page) for page in range(11)))
    assert steady.left_s(10, 80) == pytest.approx(70)
    assert steady.left_s(10.5, 80) == pytest.approx(69.5)
    # Slow pages first, quick ones for the last half minute.
    mixed = paced((0, 0), (100, 10), *((100 + page / 10, 10 + page) for page in range(1, 400)))
    left_s = mixed.left_s(139.9, 409 + 100)
    assert left_s == pytest.approx(10, abs=0.5)


def test_a_step_that_hangs_and_a_stage_that_is_done_promise_nothing() -> None:
    steady = paced(*((float(page), page) for page in range(11)))
    assert steady.left_s(21, 80) is None
    assert steady.left_s(10, 10) is None
    again = paced((0, 0), (10, 10), (11, 2))
    assert again.left_s(11, 80) is None


def test_time_is_said_as_people_say_it() -> None:
    assert left_words(None, "zh") == ""
    assert left_words(1.2, "en") == "about 5 s left in this step"
    assert left_words(43, "zh") == "这一步约剩 45 秒"
    assert left_words(250, "en") == "about 4 min left in this step"
