"""Lines: quality against what is returned, the share of questions answered in time, and a score against the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.reporting.markup import Markup, el, joined
from evaluation.reporting.plots.axes import Axes, dash_of, drawing, frame, series_class, ticks
from evaluation.retrieval.reliability import Reliability

Point = tuple[float, float]


def curves(series: Mapping[str, Sequence[Point]], title: str, x_title: str, y_title: str) -> Markup:
    """A line with a point for each pair of x and a share; where all shares are above a half, the lower half is left
    out. Raises ``ValueError`` for no points."""
    points = [point for found in series.values() for point in found]
    if not points:
        raise ValueError("expected points")
    bottom = 0.5 if min(y for _, y in points) > 0.5 else 0.0
    axes = Axes(left=0, right=max(x for x, _ in points) * 1.05 or 1, bottom=bottom)
    x_ticks = ticks(axes.left, axes.right)
    drawn = [_curve(axes, found, at, name) for at, (name, found) in enumerate(series.items())]
    return drawing(title, frame(axes, x_title, y_title, x_ticks=x_ticks), *drawn)


def _curve(axes: Axes, points: Sequence[Point], at: int, name: str) -> Markup:
    places = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in points)
    line = el("polyline", points=places, class_=f"line {series_class(at)}", stroke_dasharray=dash_of(at))
    dots = (
        el(
            "circle", el("title", f"{name}: {x:,g} → {y:.1%}"),
            cx=axes.x(x), cy=axes.y(y), r=3.5, class_=f"dot {series_class(at)}",
        )
        for x, y in points
    )  # fmt: skip
    return joined(line, *dots)


def within_time(series: Mapping[str, Sequence[float]], title: str, x_title: str, y_title: str) -> Markup:
    """For each system the share of questions that took at most so many milliseconds (empirical distribution; the
    times by their logarithm). Raises ``ValueError`` for no times."""
    every = [value for found in series.values() for value in found]
    if not every:
        raise ValueError("expected times")
    low, high = max(min(every) * 0.8, 0.01), max(every) * 1.25
    axes = Axes(left=low, right=max(high, low * 2), is_log=True)
    drawn = [_steps(axes, sorted(found), at) for at, found in enumerate(series.values()) if found]
    x_ticks = _decades(low, max(high, low * 2))
    return drawing(title, frame(axes, x_title, y_title, x_ticks=x_ticks), *drawn)


def _decades(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten in between; of many the powers alone."""
    found = [f * 10.0**n for n in range(-3, 7) for f in (1, 2, 5)]
    inside = [round(value, 6) for value in found if low <= value <= high]
    return inside if len(inside) <= 7 else [v for v in inside if f"{v:e}".startswith("1.0")]


def _steps(axes: Axes, values: Sequence[float], at: int) -> Markup:
    count = len(values)
    places = [f"{axes.x(axes.left)},{axes.y(0)}"]
    for n, value in enumerate(values, start=1):
        places += [f"{axes.x(value)},{axes.y((n - 1) / count)}", f"{axes.x(value)},{axes.y(n / count)}"]
    places.append(f"{axes.x(axes.right)},{axes.y(1)}")
    drawn = " ".join(places)
    return el("polyline", points=drawn, class_=f"line {series_class(at)}", stroke_dasharray=dash_of(at))


def reliability_curves(series: Mapping[str, Reliability], title: str, x_title: str, y_title: str) -> Markup:
    """What a score says against what came true; on the diagonal it means what it says. The area of a point is
    that of the number of its questions. Raises ``ValueError`` for none."""
    if not series:
        raise ValueError("expected a curve")
    axes = Axes(left=0, right=1)
    most = max(one.count for curve in series.values() for one in curve.bins)
    ideal = el("line", class_="ideal", x1=axes.x(0), y1=axes.y(0), x2=axes.x(1), y2=axes.y(1))
    drawn: list[Markup] = []
    for at, (name, curve) in enumerate(series.items()):
        places = " ".join(f"{axes.x(one.score)},{axes.y(one.right)}" for one in curve.bins)
        drawn.append(
            el("polyline", points=places, class_=f"line {series_class(at)}", stroke_dasharray=dash_of(at))
        )
        drawn += [
            el(
                "circle", el("title", f"{name}: {one.score:.0%} → {one.right:.0%} (n = {one.count})"),
                cx=axes.x(one.score), cy=axes.y(one.right), r=round(2.5 + 6 * (one.count / most) ** 0.5, 1),
                class_=f"dot {series_class(at)}",
            )
            for one in curve.bins
        ]  # fmt: skip
    marks = frame(axes, x_title, y_title, x_ticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
    return drawing(title, marks, ideal, *drawn)
