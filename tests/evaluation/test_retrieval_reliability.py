"""Scores that mean what they say have no calibration error; others have the one that hand can compute."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evaluation.retrieval.reliability import curve_svg, reliability


def test_a_score_that_is_always_right_about_itself() -> None:
    curve = reliability([0.25] * 4 + [0.75] * 4, [True, False, False, False, True, True, True, False])
    assert curve.ece == pytest.approx(0)
    assert curve.brier == pytest.approx(0.1875)
    assert [(one.low, one.count, one.right) for one in curve.bins] == [(0.2, 4, 0.25), (0.7, 4, 0.75)]


def test_an_overconfident_score() -> None:
    curve = reliability([1.0, 0.9, 0.9, 0.0], [True, False, False, False])
    # The last bin holds 0.9 and 1: mean score 14/15, a third right.
    assert curve.ece == pytest.approx(3 / 4 * (2.8 / 3 - 1 / 3))
    assert curve.brier == pytest.approx(2 * 0.81 / 4)
    assert curve.count == 4 == sum(one.count for one in curve.bins)


@pytest.mark.parametrize(("scores", "right"), [([], []), ([0.5], []), ([1.2], [True]), ([-0.1], [True])])
def test_what_is_no_probability_is_refused(scores: list[float], right: list[bool]) -> None:
    with pytest.raises(ValueError, match="expected"):
        reliability(scores, right)


def test_the_drawing_is_well_formed_and_has_a_point_a_bin() -> None:
    curve = reliability([0.1, 0.15, 0.9], [False, False, True])
    root = ElementTree.fromstring(curve_svg(curve, "a < b & c"))
    circles = [one for one in root if one.tag.endswith("circle")]
    assert len(circles) == len(curve.bins) == 2
    assert float(circles[1].attrib["cy"]) < float(circles[0].attrib["cy"])
    assert float(circles[1].attrib["r"]) < float(circles[0].attrib["r"])
    assert "a < b & c" in (next(one for one in root if one.tag.endswith("text")).text or "")
