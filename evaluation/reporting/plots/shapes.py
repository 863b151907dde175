"""A radar of several figures of each system, and the sizes of chunks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from evaluation.reporting.markup import Markup, el, joined
from evaluation.reporting.plots.axes import (
    HEIGHT,
    WIDTH,
    Axes,
    dash_of,
    drawing,
    frame,
    series_class,
    ticks,
)

_RADIUS: Final = 98
_FILLED: Final = 3
_RINGS: Final = (0.25, 0.5, 0.75, 1.0)


def radar(figures: Sequence[str], series: Mapping[str, Sequence[float]], title: str) -> Markup:
    """One spoke a figure, 0 in the middle and 1 at the rim; a shape for each system.

    Raises ``ValueError`` for fewer than three figures or a system with another number of values.
    """
    if len(figures) < 3 or any(len(values) != len(figures) for values in series.values()):
        raise ValueError(f"expected three figures or more and a value for each, got {len(figures)}")
    count = len(figures)
    rings = [el("polygon", points=_shape([ring] * count), class_="grid") for ring in _RINGS]
    spokes = [
        el("line", class_="grid", x1=WIDTH / 2, y1=HEIGHT / 2, x2=x, y2=y)
        for x, y in (_place(n, count, 1) for n in range(count))
    ]
    names = [_name(figure, n, count) for n, figure in enumerate(figures)]
    # Many fills upon each other are one grey.
    kind = "area" if len(series) <= _FILLED else "outline"
    shapes = [
        el(
            "polygon", el("title", name), points=_shape(values), class_=f"{kind} {series_class(at)}",
            stroke_dasharray=dash_of(at),
        )
        for at, (name, values) in enumerate(series.items())
    ]  # fmt: skip
    return drawing(title, *rings, *spokes, *shapes, *names)


def _place(n: int, count: int, share: float) -> tuple[float, float]:
    turn = 2 * math.pi * n / count - math.pi / 2
    reach = _RADIUS * min(max(share, 0), 1)
    return round(WIDTH / 2 + reach * math.cos(turn), 1), round(HEIGHT / 2 + reach * math.sin(turn), 1)


def _shape(values: Sequence[float]) -> str:
    return " ".join("{},{}".format(*_place(n, len(values), value)) for n, value in enumerate(values))


def _name(figure: str, n: int, count: int) -> Markup:
    x, y = _place(n, count, 1)
    side = x - WIDTH / 2
    anchor = "middle" if abs(side) < 5 else "start" if side > 0 else "end"
    beyond = 8 if side > 5 else -8 if side < -5 else 0
    lift = -8 if y < HEIGHT / 2 - 90 else 18 if y > HEIGHT / 2 + 90 else 4
    return el("text", figure, x=x + beyond, y=y + lift, text_anchor=anchor)


def histogram(
    series: Mapping[str, Mapping[int, int]], step: int, title: str, x_title: str, y_title: str
) -> Markup:
    """Shares of chunks by size, as an outline for each system; ``series`` counts by the lower border of a step of
    ``step``. Raises ``ValueError`` for no chunks."""
    filled = {name: counts for name, counts in series.items() if counts}
    if not filled:
        raise ValueError("expected chunks")
    right = max(max(counts) for counts in filled.values()) + step
    shares = {
        name: {low: count / sum(counts.values()) for low, count in counts.items()}
        for name, counts in filled.items()
    }
    axes = Axes(left=0, right=right, top=max(max(one.values()) for one in shares.values()) * 1.05)
    outlines = [
        _outline(axes, shares[name], step, right, at) for at, name in enumerate(series) if name in shares
    ]
    marks = frame(axes, x_title, y_title, x_ticks=ticks(0, right))
    return drawing(title, marks, joined(*outlines))


def _outline(axes: Axes, shares: Mapping[int, float], step: int, right: int, at: int) -> Markup:
    places: list[str] = []
    for low in range(0, right, step):
        height = axes.y(shares.get(low, 0))
        places += [f"{axes.x(low)},{height}", f"{axes.x(low + step)},{height}"]
    drawn = " ".join(places)
    return el("polyline", points=drawn, class_=f"line {series_class(at)}", stroke_dasharray=dash_of(at))
