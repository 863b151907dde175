"""The one-sided paired test against a slow count of all ways, and by hand."""

from __future__ import annotations

import random
from itertools import product

import pytest

from evaluation.gate.noise import chance_of_loss


def by_counting(gains: list[float]) -> float:
    sizes = [abs(gain) for gain in gains if gain]
    ways = [
        sum(s * size for s, size in zip(signs, sizes, strict=True))
        for signs in product((-1, 1), repeat=len(sizes))
    ]
    return sum(way <= sum(gains) + 1e-9 for way in ways) / len(ways)


def test_by_hand() -> None:
    assert chance_of_loss([0, 0, 0]) == 1
    assert chance_of_loss([-1, 0, 0, 0]) == 1 / 2
    assert chance_of_loss([-1] * 5 + [0] * 100) == 1 / 32
    assert chance_of_loss([1] * 5) == 1
    assert chance_of_loss([-1, 1]) == 3 / 4


@pytest.mark.parametrize("seed", range(5))
def test_few_cases_are_counted_exactly(seed: int) -> None:
    rng = random.Random(seed)
    gains = [rng.choice([-1.0, -0.5, -0.25, 0.0, 0.5, 1.0]) for _ in range(12)]
    assert chance_of_loss(gains) == pytest.approx(by_counting(gains))


def test_many_cases_are_drawn_and_come_close() -> None:
    # 20 of 30 worse: the binomial tail is 0.0494.
    assert chance_of_loss([-1] * 20 + [1] * 10) == pytest.approx(0.0494, abs=0.01)
    assert 0 < chance_of_loss([-1] * 60) < 0.001
    assert chance_of_loss([-1] * 20 + [1] * 10) == chance_of_loss([-1] * 20 + [1] * 10)
