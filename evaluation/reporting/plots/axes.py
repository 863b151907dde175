"""A frame with two axes, and where a value lies in it. Colours and fonts are the page's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.reporting.markup import Markup, el, joined

WIDTH: Final = 440
HEIGHT: Final = 290
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 14, 14, 44
# The page has so many colours for series; the next ones begin anew, with another dash.
COLOURS: Final = 6
_DASHES: Final = ("", "6 4", "2 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Values from ``left`` to ``right`` and from ``bottom`` to ``top``; ``is_log``: the first ones by their logarithm.

    Raises ``ValueError`` for an empty range.
    """

    left: float
    right: float
    bottom: float = 0.0
    top: float = 1.0
    is_log: bool = False

    def __post_init__(self) -> None:
        if self.left >= self.right or self.bottom >= self.top:
            raise ValueError(f"expected a range, got {self.left}..{self.right}, {self.bottom}..{self.top}")

    def x(self, value: float) -> float:
        """Within the frame, whatever the value."""
        share = self._share(value) if self.is_log else (value - self.left) / (self.right - self.left)
        return round(_LEFT + min(max(share, 0), 1) * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        """Upwards."""
        share = (value - self.bottom) / (self.top - self.bottom)
        return round(HEIGHT - _BOTTOM - min(max(share, 0), 1) * (HEIGHT - _TOP - _BOTTOM), 1)

    def _share(self, value: float) -> float:
        low, high = math.log(self.left), math.log(self.right)
        return (math.log(max(value, self.left)) - low) / (high - low)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers (1, 2 or 5 times a power of ten apart) from ``low`` to ``high``, at most ``most``."""
    power = 10 ** math.floor(math.log10((high - low) / most))
    found = (_multiples(low, high, power * factor) for factor in (1, 2, 5, 10, 20))
    return next(marks for marks in found if len(marks) <= most)


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


def frame(
    axes: Axes, x_title: str, y_title: str, *, x_ticks: Sequence[float], percent: bool = True
) -> Markup:
    """Grid, numbers and titles."""
    bottom, top = axes.y(axes.bottom), axes.y(axes.top)
    left, right = axes.x(axes.left), axes.x(axes.right)
    parts: list[Markup] = []
    for value in ticks(axes.bottom, axes.top):
        at = axes.y(value)
        parts.append(el("line", class_="grid", x1=left, x2=right, y1=at, y2=at))
        written = f"{value * 100:g}%" if percent else f"{value:g}"
        parts.append(el("text", written, x=left - 6, y=at + 4, text_anchor="end"))
    for value in x_ticks:
        at = axes.x(value)
        parts.append(el("line", class_="grid", x1=at, x2=at, y1=bottom, y2=top))
        parts.append(el("text", f"{value:,g}", x=at, y=bottom + 16, text_anchor="middle"))
    parts.append(el("text", x_title, class_="axis", x=(left + right) / 2, y=HEIGHT - 8, text_anchor="middle"))
    turned = f"rotate(-90 12 {(top + bottom) / 2})"
    parts.append(
        el("text", y_title, class_="axis", x=12, y=(top + bottom) / 2, text_anchor="middle", transform=turned)
    )
    return joined(*parts)


def drawing(title: str, *parts: str, width: int = WIDTH, height: int = HEIGHT) -> Markup:
    """The whole picture; ``title`` is for those who do not see it."""
    inner = joined(el("title", title), *parts)
    return el("svg", inner, viewBox=f"0 0 {width} {height}", role="img", aria_label=title)


def series_class(at: int) -> str:
    """The class of a series' colour."""
    return f"s{at % COLOURS}"


def dash_of(at: int) -> str | None:
    """A pattern for lines that share a colour; ``None`` for a whole line."""
    return _DASHES[at // COLOURS % len(_DASHES)] or None


def legend(names: Sequence[str]) -> Markup:
    """Names with their colours, as a list beneath the picture."""
    items = [
        joined(
            el("span", "", class_=f"key {series_class(at)} d{at // COLOURS % len(_DASHES)}"),
            name,
        )
        for at, name in enumerate(names)
    ]
    return el("ul", *(el("li", item) for item in items), class_="legend")
