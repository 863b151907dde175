"""Figures and paired differences with an interval that says what is noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Mean of (current - baseline) over the questions and its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


def paired_difference(
    baseline: Sequence[float], current: Sequence[float], *, resamples: int = 2000, seed: int = 0
) -> Difference:
    """Percentile bootstrap over questions; the same seed gives the same interval.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993. Raises ``ValueError`` for
    sequences that are empty or of unlike length.
    """
    if not baseline or len(baseline) != len(current):
        raise ValueError(f"expected the same questions, got {len(baseline)} and {len(current)}")
    gains = np.asarray(current, dtype=np.float64) - np.asarray(baseline, dtype=np.float64)
    chosen = np.random.default_rng(seed).integers(0, len(gains), size=(resamples, len(gains)))
    low, high = np.percentile(gains[chosen].mean(axis=1), [2.5, 97.5])
    return Difference(mean=float(gains.mean()), low=float(low), high=float(high))


def holm(ps: Sequence[float]) -> list[float]:
    """Each chance (0..1) adjusted for there being so many: one below a level keeps all errors together below it.

    Step-down: the smallest times their number, the next one times one less, none below the one before it.
    Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scand. J. Statistics 6, 1979.
    """
    adjusted, least = [1.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = least
    return adjusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


def interval(
    statistic: Callable[..., NDArray[np.float64]],
    *groups: Sequence[float],
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """``statistic`` of the groups' means; percentile bootstrap, each group by itself.

    ``statistic`` takes one array of means for each group and yields one value for each place. Raises
    ``ValueError`` for an empty group.
    """
    if not groups or not all(groups):
        raise ValueError("expected at least one group, and none empty")
    rng = np.random.default_rng(seed)
    arrays = [np.asarray(group, dtype=np.float64) for group in groups]
    means = [a[rng.integers(0, len(a), size=(resamples, len(a)))].mean(axis=1) for a in arrays]
    low, high = np.percentile(statistic(*means), [2.5, 97.5])
    value = statistic(*(a.mean(keepdims=True) for a in arrays))[0]
    return Interval(value=float(value), low=float(low), high=float(high))
