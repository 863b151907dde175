"""Drawings are well formed, and their points lie where the values say."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evaluation.reporting.plots.axes import Axes, ticks
from evaluation.reporting.plots.lines import curves, reliability_curves, within_time
from evaluation.reporting.plots.shapes import histogram, radar
from evaluation.retrieval.reliability import reliability


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def points(root: ElementTree.Element, tag: str, nth: int = 0) -> list[tuple[float, float]]:
    found = [one for one in root.iter(tag) if "points" in one.attrib and one.get("class") != "grid"][nth]
    return [tuple(map(float, pair.split(","))) for pair in found.attrib["points"].split()]  # type: ignore[misc]


def test_axes() -> None:
    axes = Axes(left=0, right=10)
    assert axes.x(0) < axes.x(5) < axes.x(10) == axes.x(99)
    assert axes.y(1) < axes.y(0.5) < axes.y(0)
    log = Axes(left=1, right=100, is_log=True)
    assert log.x(10) == pytest.approx((log.x(1) + log.x(100)) / 2, abs=0.1)
    assert log.x(0) == log.x(1)
    with pytest.raises(ValueError, match="range"):
        Axes(left=1, right=1)


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 2520, [0, 500, 1000, 1500, 2000, 2500]),
        (0, 0.33, [0, 0.1, 0.2, 0.3]),
        (7, 11, [7, 8, 9, 10, 11]),
    ],
)
def test_ticks_are_round(low: float, high: float, marks: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(marks)


def test_more_is_further_up_and_right() -> None:
    root = parsed(curves({"a <b>": [(800, 0.5), (1600, 0.75)], "c": [(800, 1.0)]}, "t & u", "x", "y"))
    (x1, y1), (x2, y2) = points(root, "polyline")
    assert x1 < x2 and y1 > y2
    dots = list(root.iter("circle"))
    assert len(dots) == 3 and dots[0][0].text == "a <b>: 800 → 50.0%"
    assert root.get("aria-label") == "t & u"
    with pytest.raises(ValueError, match="points"):
        curves({}, "", "", "")


def test_the_median_is_where_half_is_done() -> None:
    root = parsed(within_time({"a": [10.0, 20.0, 40.0, 80.0], "none": []}, "t", "x", "y"))
    line = points(root, "polyline")
    axes = Axes(left=8, right=100, is_log=True)
    assert (axes.x(20), axes.y(0.5)) in line and line[-1][1] == axes.y(1)
    assert within_time({"a": [5.0]}, "t", "x", "y")


def test_reliability_points_grow_with_their_questions() -> None:
    curve = reliability([0.1, 0.15, 0.9], [False, False, True])
    small, large = sorted(parsed(reliability_curves({"a": curve}, "t", "x", "y")).iter("circle"),
                          key=lambda one: float(one.attrib["r"]))  # fmt: skip
    assert small[0].text == "a: 90% → 100% (n = 1)" and large[0].text == "a: 12% → 0% (n = 2)"


def test_a_radar_reaches_the_rim_at_one() -> None:
    root = parsed(radar(["a", "b", "c"], {"s": [1, 0.5, 0]}, "t"))
    shape = points(root, "polygon", 0)
    rim = [one for one in root.iter("polygon") if one.get("class") == "grid"][-1].attrib["points"].split()
    assert "{},{}".format(*shape[0]) == rim[0]
    assert shape[2] == (220.0, 145.0)
    with pytest.raises(ValueError, match="three"):
        radar(["a", "b"], {}, "t")


def test_a_histogram_shows_shares_not_counts() -> None:
    root = parsed(histogram({"a": {0: 1, 50: 3}, "b": {50: 300}, "none": {}}, 25, "t", "x", "y"))
    tops = [min(y for _, y in points(root, "polyline", n)) for n in range(2)]
    assert tops[1] < tops[0]
    first = points(root, "polyline", 0)
    assert len(first) == 6 and first[2][1] == first[3][1] == max(y for _, y in first)
