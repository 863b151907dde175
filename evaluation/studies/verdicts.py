"""Whether the values of a setting differ beyond noise: pure functions of the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.gate.noise import chance_of_loss
from evaluation.intervals import Difference, paired_difference
from evaluation.studies.points import Point

LEVEL: Final = 0.05
# A gain under this is no reason to change anything, however certain.
LEAST_GAIN: Final = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """``gain`` is the best point's against what is shipped; ``chance`` how likely one so large is among so many
    values that are all alike. ``level`` are the points that the best is not beyond noise better than."""

    best: Point
    shipped: Point
    gain: Difference
    chance: float
    level: tuple[Point, ...]
    worse: tuple[Point, ...]

    @property
    def is_certain(self) -> bool:
        """Whether the best is better than what is shipped beyond noise."""
        return self.best != self.shipped and self.chance <= LEVEL and self.gain.low > 0

    @property
    def matters(self) -> bool:
        """Whether it is also better by enough to change anything."""
        return self.is_certain and self.gain.mean >= LEAST_GAIN


def difference(baseline: Point, current: Point) -> Difference:
    """Paired by question, current - baseline, with a 95 % bootstrap interval."""
    keys = list(baseline.scores)
    return paired_difference([baseline.scores[k] for k in keys], [current.scores[k] for k in keys])


def chance_of_gain(baseline: Point, current: Point, tries: int) -> float:
    """How likely (0..1) a mean gain so large is when both are alike and the best of ``tries`` was picked.

    One-sided paired randomisation test (see ``chance_of_loss``), times the number of tries. Source: Bonferroni;
    Dunn, "Multiple Comparisons Among Means", 1961.
    """
    gains = [baseline.scores[key] - current.scores[key] for key in baseline.scores]
    return min(1.0, chance_of_loss(gains) * max(tries, 1))


def verdict(points: Sequence[Point], shipped: Point) -> Verdict:
    """On one curve, or on several that may be compared. The first of equally good points is the best.

    Raises ``ValueError`` without points.
    """
    best = max(points, key=lambda point: point.mean)
    if best.mean == shipped.mean:
        best = shipped
    others = [point for point in points if point is not best]
    level = tuple(point for point in others if chance_of_gain(point, best, len(others)) > LEVEL)
    return Verdict(
        best=best,
        shipped=shipped,
        gain=difference(shipped, best),
        chance=1.0 if best is shipped else chance_of_gain(shipped, best, len(others)),
        level=level,
        worse=tuple(point for point in others if point not in level),
    )
