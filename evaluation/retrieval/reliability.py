"""Whether a score means what it says: the share that is right among questions of about the same score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

BINS: Final = 10
_SIDE, _MARGIN = 240, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Scores from ``low`` to below ``high`` (the last bin holds 1): their mean and the share that is right."""

    low: float
    high: float
    count: int
    score: float
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """``bins`` that hold anything, ascending; ``ece`` and ``brier`` are 0 (best) to 1."""

    count: int
    ece: float
    brier: float
    bins: tuple[Bin, ...]


def reliability(scores: Sequence[float], right: Sequence[bool], bins: int = BINS) -> Reliability:
    """The curve in ``bins`` of equal width.

    Sources: expected calibration error, Guo et al., "On Calibration of Modern Neural Networks", 2017;
    Brier, "Verification of Forecasts Expressed in Terms of Probability", 1950. Raises ``ValueError`` for
    sequences that are empty or of unlike length and for a score outside 0..1.
    """
    if not scores or len(scores) != len(right):
        raise ValueError(f"expected an outcome for every score, got {len(scores)} and {len(right)}")
    if not all(0 <= score <= 1 for score in scores):
        raise ValueError(f"expected scores from 0 to 1, got {min(scores)} to {max(scores)}")
    held: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for score, outcome in zip(scores, right, strict=True):
        held[min(int(score * bins), bins - 1)].append((score, outcome))
    made = tuple(
        Bin(
            low=at / bins,
            high=(at + 1) / bins,
            count=len(rows),
            score=sum(score for score, _ in rows) / len(rows),
            right=sum(outcome for _, outcome in rows) / len(rows),
        )
        for at, rows in enumerate(held)
        if rows
    )
    return Reliability(
        count=len(scores),
        ece=sum(one.count * abs(one.score - one.right) for one in made) / len(scores),
        brier=sum((s - r) ** 2 for s, r in zip(scores, right, strict=True)) / len(scores),
        bins=made,
    )


def curve_svg(curve: Reliability, title: str) -> str:
    """A small drawing: score to the right, share right upwards, the diagonal where both agree; a point's
    area follows the number of its questions."""
    most = max(one.count for one in curve.bins)
    points = "".join(
        f'<circle cx="{_x(one.score)}" cy="{_y(one.right)}" r="{2 + 7 * (one.count / most) ** 0.5:.1f}" '
        f'fill="#2266aa" fill-opacity="0.6"/>'
        for one in curve.bins
    )
    line = " ".join(f"{_x(one.score)},{_y(one.right)}" for one in curve.bins)
    side = _SIDE + 2 * _MARGIN
    marks = "".join(
        f'<text x="{_x(share)}" y="{_SIDE + _MARGIN + 16}" text-anchor="middle">{share:g}</text>'
        f'<text x="{_MARGIN - 6}" y="{_y(share)}" text-anchor="end">{share:g}</text>'
        for share in (0, 0.5, 1)
    )
    head = f"{title}: n = {curve.count}, ECE {curve.ece:.3f}, Brier {curve.brier:.3f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" height="{side}" '
        f'font-family="sans-serif" font-size="11"><rect width="{side}" height="{side}" fill="white"/>'
        f'<text x="{_MARGIN}" y="22">{escape(head)}</text>'
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#888"/>'
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#888" stroke-dasharray="4"/>'
        f'<polyline points="{line}" fill="none" stroke="#2266aa"/>{points}{marks}</svg>\n'
    )


def _x(share: float) -> str:
    return f"{_MARGIN + _SIDE * share:.1f}"


def _y(share: float) -> str:
    return f"{_MARGIN + _SIDE * (1 - share):.1f}"
