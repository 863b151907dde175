"""Returned characters against gold characters: our figures and Chroma's, against slow second implementations."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.span import Span
from evaluation.intervals import paired_difference
from evaluation.passage import Place
from evaluation.span_metrics import chroma_precision_omega, chroma_score, span_score, within_budget
from tests.evaluation.passages import passage
from tests.oracles import chunk_spans as oracle

RANGE = st.tuples(st.sampled_from("ab"), st.integers(0, 25), st.integers(1, 10)).map(
    lambda it: (it[0], it[1], it[1] + it[2])
)
RANGES = st.lists(RANGE, max_size=6)


def places(ranges: Sequence[oracle.Range]) -> list[Place]:
    return [Place(doc, Span(start, end)) for doc, start, end in ranges]


@settings(max_examples=80, deadline=None)
@given(RANGES, RANGES)
def test_sets_of_characters(returned: list[oracle.Range], gold: list[oracle.Range]) -> None:
    found = span_score(places(returned), places(gold))
    expected = oracle.precision_recall_iou(returned, gold)
    assert (found.precision, found.recall, found.iou) == pytest.approx(expected)


@settings(max_examples=80, deadline=None)
@given(RANGES, RANGES)
def test_chromas_figures(returned: list[oracle.Range], gold: list[oracle.Range]) -> None:
    found = chroma_score(places(returned), places(gold))
    assert (found.recall, found.precision, found.iou) == pytest.approx(oracle.chroma(returned, gold))
    assert chroma_precision_omega(places(returned), places(gold)) == pytest.approx(
        oracle.chroma_omega(returned, gold)
    )


def test_chroma_counts_what_is_returned_twice_twice_and_a_touch_as_a_hit() -> None:
    gold = places([("a", 10, 20)])
    twice = chroma_score(places([("a", 10, 20), ("a", 10, 20)]), gold)
    assert (twice.recall, twice.precision, twice.iou) == (1.0, 0.5, 0.5)
    assert span_score(places([("a", 10, 20), ("a", 10, 20)]), gold).precision == 1.0
    assert chroma_precision_omega(places([("a", 0, 10), ("a", 10, 20)]), gold) == 0.5
    assert chroma_precision_omega(places([("a", 0, 9), ("a", 10, 20)]), gold) == 1.0


def test_every_strategy_pays_the_same_tokens() -> None:
    ranked = [passage(0, 100, tokens=60), passage(200, 300, tokens=50), passage(400, 500, tokens=50)]
    assert within_budget(ranked, 60) == [ranked[0].place]
    assert within_budget(ranked, 85) == [ranked[0].place, Place("d", Span(200, 250))]
    assert within_budget(ranked, 1000) == [one.place for one in ranked]
    assert within_budget([passage(0, 2, tokens=60)], 20) == []


def test_an_interval_tells_a_gain_from_noise() -> None:
    gain = paired_difference([0.0] * 40, [1.0] * 30 + [0.0] * 10)
    assert gain.mean == 0.75
    assert 0.55 < gain.low < 0.65 < 0.85 < gain.high < 0.95
    assert gain.is_certain
    noise = paired_difference([0.0, 1.0] * 20, [1.0, 0.0] * 20)
    assert noise.mean == 0 and not noise.is_certain
    assert gain == paired_difference([0.0] * 40, [1.0] * 30 + [0.0] * 10)
    with pytest.raises(ValueError, match="same questions"):
        paired_difference([1.0], [])


def test_the_interval_is_that_of_the_normal_law_for_many_questions() -> None:
    baseline, current = [0.0] * 400, [float(n % 2) for n in range(400)]
    found = paired_difference(baseline, current)
    half = 1.96 * 0.5 / 400**0.5
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), abs=0.006)
