"""Paired comparison of two strategies on the same questions, with an interval that says what is noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


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
