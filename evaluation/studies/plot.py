"""A small drawing of a study: one panel a curve, the figure with its interval over the values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from evaluation.intervals import Interval

_HEIGHT, _TOP, _LEFT, _BOTTOM, _GAP, _STEP = 220, 44, 48, 40, 26, 46
# About the width of a letter of a label, in pixels.
_LETTER: Final = 8
_LINE, _SHIPPED, _QUIET = "#2266aa", "#c2570c", "#888"
_FONT: Final = 'font-family="sans-serif" font-size="11"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One value: what it is called, what came out, whether it is the shipped one."""

    label: str
    figure: Interval
    is_shipped: bool


def study_svg(title: str, curves: Sequence[tuple[str, Sequence[Mark]]], legend: str) -> str:
    """A self-contained SVG. All panels share one scale; the shipped value is filled in another colour."""
    marks = [mark for _, found in curves for mark in found]
    low = min(mark.figure.low for mark in marks)
    high = max(mark.figure.high for mark in marks)
    scale = _Scale(low=low, high=high if high > low else low + 0.01)
    parts, left = [], _LEFT
    for name, found in curves:
        step = max(_STEP, _LETTER * max(len(mark.label) for mark in found))
        parts.append(_panel(name, found, left, step, scale))
        left += step * len(found) + _GAP
    axis = "".join(
        f'<line x1="{_LEFT}" x2="{left - _GAP}" y1="{scale.y(value):.1f}" y2="{scale.y(value):.1f}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 6}" y="{scale.y(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>'
        for value in scale.ticks()
    )
    height = _TOP + _HEIGHT + _BOTTOM + 18
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left} {height}" width="{left}" height="{height}" '
        f'{_FONT} role="img"><rect width="{left}" height="{height}" fill="white"/>'
        f'<text x="{_LEFT}" y="18" font-size="13">{escape(title)}</text>{axis}{"".join(parts)}'
        f'<text x="{_LEFT}" y="{height - 6}" fill="{_QUIET}">{escape(legend)}</text></svg>\n'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    low: float
    high: float

    def y(self, value: float) -> float:
        return _TOP + _HEIGHT * (1 - (value - self.low) / (self.high - self.low))

    def ticks(self) -> list[float]:
        return [self.low + (self.high - self.low) * step / 4 for step in range(5)]


def _panel(name: str, marks: Sequence[Mark], left: int, step: int, scale: _Scale) -> str:
    places = [left + step * (at + 0.5) for at in range(len(marks))]
    line = " ".join(f"{x:.1f},{scale.y(m.figure.value):.1f}" for x, m in zip(places, marks, strict=True))
    middle = left + step * len(marks) / 2
    return (
        f'<text x="{middle:.1f}" y="{_TOP - 8}" text-anchor="middle" fill="{_QUIET}">{escape(name)}</text>'
        f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-opacity="0.5"/>'
        + "".join(_mark(x, mark, scale) for x, mark in zip(places, marks, strict=True))
    )


def _mark(x: float, mark: Mark, scale: _Scale) -> str:
    colour = _SHIPPED if mark.is_shipped else _LINE
    top, bottom = scale.y(mark.figure.high), scale.y(mark.figure.low)
    told = f"{mark.label}: {mark.figure.value:.3f} [{mark.figure.low:.3f}, {mark.figure.high:.3f}]"
    return (
        f'<g><title>{escape(told)}</title><line x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}" '
        f'stroke="{colour}"/><circle cx="{x:.1f}" cy="{scale.y(mark.figure.value):.1f}" r="4" fill="{colour}"/>'
        f'<text x="{x:.1f}" y="{_TOP + _HEIGHT + 16}" text-anchor="middle">{escape(mark.label)}</text></g>'
    )
