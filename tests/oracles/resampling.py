"""Intervals and chances for a handful of values by counting every way there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product


def every_mean(values: Sequence[float]) -> list[float]:
    """The mean of every sample with replacement, ascending."""
    return sorted(sum(found) / len(values) for found in product(values, repeat=len(values)))


def share_below(values: Sequence[float], bound: float) -> float:
    """How likely a resampled mean is below ``bound``."""
    means = every_mean(values)
    return sum(mean < bound - 1e-9 for mean in means) / len(means)


def share_above(values: Sequence[float], bound: float) -> float:
    means = every_mean(values)
    return sum(mean > bound + 1e-9 for mean in means) / len(means)


def two_sided(gains: Sequence[float]) -> float:
    """Twice the smaller tail of all ways to turn the signs, at most 1."""
    ways = [
        sum(s * g for s, g in zip(signs, gains, strict=True)) for signs in product((-1, 1), repeat=len(gains))
    ]
    total = sum(gains)
    low = sum(way <= total + 1e-9 for way in ways) / len(ways)
    high = sum(way >= total - 1e-9 for way in ways) / len(ways)
    return min(1.0, 2 * min(low, high))


def percentile(values: Sequence[float], share: float) -> float:
    """Between the two nearest of the sorted values, by the line that joins them."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def calibration(scores: Sequence[float], right: Sequence[bool], bins: int) -> tuple[float, float]:
    """Expected calibration error and Brier score, each score's bin found by looking through all of them."""
    error = 0.0
    for n in range(bins):
        inside: Callable[[float], bool] = (
            (lambda s, n=n: n / bins <= s <= 1)
            if n == bins - 1
            else (lambda s, n=n: n / bins <= s < (n + 1) / bins)
        )
        rows = [(s, r) for s, r in zip(scores, right, strict=True) if inside(s)]
        if rows:
            gap = abs(sum(s for s, _ in rows) / len(rows) - sum(r for _, r in rows) / len(rows))
            error += len(rows) / len(scores) * gap
    brier = sum((s - float(r)) * (s - float(r)) for s, r in zip(scores, right, strict=True)) / len(scores)
    return error, brier


def closed_bonferroni(ps: Sequence[float]) -> list[float]:
    """For each the largest ``size * smallest`` of all groups that it is in, at most 1: closed testing."""
    places = range(len(ps))
    groups = [group for size in range(1, len(ps) + 1) for group in combinations(places, size)]
    return [
        min(1.0, max(len(group) * min(ps[one] for one in group) for group in groups if place in group))
        for place in places
    ]
