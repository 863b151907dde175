"""Metrics against slow second implementations, on whatever hypothesis thinks of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.span import Span
from core.verdict import Verdict
from evaluation.answers.scores import (
    Cited,
    answer_held,
    citation_precision,
    citation_recall,
    key_points,
    normalised,
    page_accuracy,
    unsupported_share,
    words_held,
)
from evaluation.attribution import answering
from evaluation.comparing.compare import two_sided
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.intervals import holm, interval, paired_difference
from evaluation.passage import Place
from evaluation.ranking import (
    Retrieved,
    evidence_recall,
    f1_at,
    is_missed,
    ndcg_at,
    precision_at,
    reciprocal_rank,
)
from evaluation.retrieval.reliability import reliability
from evaluation.retrieval.runs import latency_of
from evaluation.rouge import rouge_l
from evaluation.topic_groups import TopicGroup
from evaluation.topic_metrics import topic_figures
from tests.oracles import answers as answer_oracle
from tests.oracles import chunk_spans, ranked_passages, resampling, topics
from tests.oracles.chunk_spans import Range

often = settings(max_examples=60, deadline=None)
PIECE = st.tuples(st.sampled_from("abc"), st.integers(0, 25), st.integers(1, 8)).map(
    lambda it: (it[0], it[1], it[1] + it[2])
)
PIECES = st.lists(PIECE, min_size=1, max_size=4)
PASSAGES = st.lists(PIECE, max_size=7)
SHARE = st.integers(0, 20).map(lambda n: n / 20)


def gold(pieces: Sequence[Range], groups: Sequence[int] | None = None) -> GoldCase:
    evidence = tuple(
        EvidencePiece(doc=doc, start=start, end=end, group=None if groups is None else groups[n])
        for n, (doc, start, end) in enumerate(pieces)
    )
    return GoldCase(id="q", question="?", evidence=evidence, evidence_mode="all" if groups is None else "any")


def grouped(pieces: Sequence[Range], groups: Sequence[int] | None) -> list[list[Range]]:
    if groups is None:
        return [[piece] for piece in pieces]
    names = list(dict.fromkeys(groups[: len(pieces)]))
    return [[p for p, g in zip(pieces, groups, strict=False) if g == name] for name in names]


def found(passages: Sequence[Range]) -> list[Retrieved]:
    return [Retrieved(doc=doc, span=Span(start, end), pages=()) for doc, start, end in passages]


MODES = st.one_of(st.none(), st.lists(st.integers(0, 1), min_size=4, max_size=4))


@often
@given(PIECES, MODES, PASSAGES, st.integers(1, 6))
def test_a_ranking(pieces: list[Range], groups: list[int] | None, passages: list[Range], k: int) -> None:
    case, wanted, ranked = gold(pieces, groups), grouped(pieces, groups), found(passages)
    recall = ranked_passages.recall(wanted, passages, k)
    precision = ranked_passages.precision(wanted, passages, k)
    assert evidence_recall(case, ranked, k) == pytest.approx(recall)
    assert precision_at(case, ranked, k) == pytest.approx(precision)
    both = 2 / (1 / precision + 1 / recall) if precision and recall else 0.0
    assert f1_at(case, ranked, k) == pytest.approx(both)
    rank = ranked_passages.reciprocal_rank(wanted, passages)
    assert reciprocal_rank(case, ranked) == pytest.approx(rank)
    assert is_missed(case, ranked) is (rank == 0)
    assert ndcg_at(case, ranked, k) == pytest.approx(ranked_passages.ndcg(wanted, passages, k))


def test_ndcg_by_hand() -> None:
    two = gold([("a", 0, 5), ("a", 10, 15), ("b", 0, 5)])
    best = found([("a", 0, 20), ("b", 0, 9)])
    assert ndcg_at(two, best, 5) == 1
    assert ndcg_at(two, best[::-1], 5) == pytest.approx((1 + 2 * 0.63093) / (2 + 0.63093), abs=1e-4)
    assert ndcg_at(two, found([("c", 0, 9)]), 5) == 0
    assert ndcg_at(two, best[1:], 1) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="no evidence"):
        ndcg_at(GoldCase(id="q", question="?"), best, 5)


@often
@given(PIECES, MODES, PASSAGES, st.sampled_from([0.0, 0.499, 0.9]))
def test_citations(
    pieces: list[Range], groups: list[int] | None, passages: list[Range], least: float
) -> None:
    case, wanted = gold(pieces, groups), grouped(pieces, groups)
    cited = [Cited(place=Place(doc, Span(start, end)), text="") for doc, start, end in passages]
    expected = answer_oracle.precision(wanted, passages, least)
    assert citation_precision(case, cited, least=least) == (
        None if expected is None else pytest.approx(expected)
    )
    assert citation_recall(case, cited) == pytest.approx(answer_oracle.recall(wanted, passages))


@often
@given(PIECES, PASSAGES)
def test_the_gates_citations(pieces: list[Range], passages: list[Range]) -> None:
    """The same definitions over whole answers; without citations the gate's precision is 0."""
    from tests.evaluation.cited_answers import answer_citing, stored_texts

    case = gold(pieces).model_copy(
        update={
            "evidence": tuple(EvidencePiece(doc=d, text="x" * (e - s), start=s, end=e) for d, s, e in pieces)
        }
    )
    stored, answer = stored_texts("abc", 60), answer_citing(passages)
    wanted = grouped(pieces, None)
    precision = answer_oracle.precision(wanted, passages, 0.0)
    assert answering.citation_precision(case, answer, stored) == pytest.approx(precision or 0.0)
    assert answering.citation_recall(case, answer, stored) == pytest.approx(
        answer_oracle.recall(wanted, passages)
    )


WORDS = st.lists(st.sampled_from(["甲厂", "320", "Levi’s", "ＡＢ", "on", " ", "，"]), max_size=4).map(
    " ".join
)


@often
@given(
    st.lists(st.one_of(WORDS, st.lists(WORDS, min_size=1, max_size=2)), max_size=3),
    st.lists(WORDS, max_size=3),
)
def test_parts_of_an_answer(parts: list[str | list[str]], texts: list[str]) -> None:
    pieces = (EvidencePiece(doc="a", start=0, end=5), EvidencePiece(doc="a", start=7, end=9))
    case = GoldCase(id="q", question="?", answer=parts, evidence=pieces)
    alternatives = [[part] if isinstance(part, str) else part for part in parts]
    held = answer_oracle.parts_held(alternatives, texts)
    assert answer_held(case, texts) == float(all(held))
    assert key_points(case, texts) == (pytest.approx(sum(held) / len(held)) if held else None)
    assert all(normalised(text) == answer_oracle.plain(text) for text in texts)


def test_words_and_verdicts_by_hand() -> None:
    assert words_held("red apples fell", ["apples", "red"]) == pytest.approx(2 / 3)
    yes, part, no = Verdict.SUPPORTED, Verdict.PARTLY, Verdict.UNSUPPORTED
    assert unsupported_share([yes, no, part, no]) == 0.5
    assert unsupported_share([]) is None


@often
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.lists(st.integers(1, 4), max_size=3))
def test_the_page_of_the_first_citation(wanted: list[int], cited: list[int]) -> None:
    case = GoldCase(
        id="q", question="?", evidence=tuple(EvidencePiece(doc="a", page=page) for page in wanted)
    )
    citations = [Cited(place=Place("a", Span(0, 1)), text="x", pages=(page,)) for page in cited]
    assert page_accuracy(case, citations) == float(bool(cited) and cited[0] in wanted)


LETTERS = st.text("abc", min_size=1, max_size=10)


@often
@given(LETTERS, LETTERS)
def test_rouge_is_the_harmonic_mean_of_its_two_shares(first: str, second: str) -> None:
    common = chunk_spans.longest_common(first, second)
    precision, recall = common / len(first), common / len(second)
    expected = 2 * precision * recall / (precision + recall) if common else 0.0
    assert rouge_l(" ".join(first), " ".join(second)) == pytest.approx(expected)


@often
@given(st.lists(st.tuples(SHARE, st.booleans()), min_size=1, max_size=30))
def test_reliability(rows: list[tuple[float, bool]]) -> None:
    scores, right = [score for score, _ in rows], [outcome for _, outcome in rows]
    curve = reliability(scores, right)
    assert (curve.ece, curve.brier) == pytest.approx(resampling.calibration(scores, right, 10))
    assert sum(one.count for one in curve.bins) == curve.count == len(rows)


@often
@given(st.lists(st.floats(0, 1000), min_size=1, max_size=25))
def test_percentiles_of_latency(values: list[float]) -> None:
    spent = latency_of(values)
    assert spent.p50 == pytest.approx(resampling.percentile(values, 0.5))
    assert spent.p95 == pytest.approx(resampling.percentile(values, 0.95))


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(0, 4).map(float), min_size=5, max_size=5), st.lists(SHARE, min_size=5, max_size=5)
)
def test_the_bootstrap_leaves_out_what_every_resample_leaves_out(a: list[float], b: list[float]) -> None:
    """Not more than 2.5 % of all resamples lie beyond an end, but for the noise of 2,000 of them."""
    gains = [now - old for old, now in zip(a, b, strict=True)]
    difference = paired_difference(a, b)
    assert difference.mean == pytest.approx(sum(gains) / 5)
    for low, high, values in (
        (difference.low, difference.high, gains),
        *((one.low, one.high, b) for one in [interval(lambda mean: mean, b)]),
    ):
        assert resampling.share_below(values, low) <= 0.04
        assert resampling.share_above(values, high) <= 0.04
        assert resampling.share_below(values, high) >= 0.9 or low == high or high == max(values)


@often
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.25, 0.5, 1.0]), min_size=1, max_size=9))
def test_the_two_sided_chance_is_that_of_all_ways(gains: list[float]) -> None:
    assert two_sided(gains) == pytest.approx(resampling.two_sided(gains))
    assert two_sided(gains) == pytest.approx(two_sided([-gain for gain in gains]))


def test_many_chances_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6]) == [1, 1]
    assert holm([]) == []


@often
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_many_chances_are_those_of_the_closed_test(ps: list[float]) -> None:
    # One is adjusted to the worst Bonferroni bound of all groups that it is in.
    assert holm(ps) == pytest.approx(resampling.closed_bonferroni(ps))


@often
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(0, 1000))
def test_topics(sizes: list[int], seed: int) -> None:
    names = [[f"{g}-{n}" for n in range(size)] for g, size in enumerate(sizes)]
    texts = [name for group in names for name in group]
    drawn = np.random.default_rng(seed).normal(size=(len(texts), 3))
    vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    of = dict(zip(texts, vectors, strict=True))
    groups = [TopicGroup(topic=str(g), texts=tuple(group)) for g, group in enumerate(names)]
    figures = topic_figures(groups, lambda asked: np.stack([of[text] for text in asked]))
    places = [[texts.index(name) for name in group] for group in names]
    ranks = topics.first_ranks(places, vectors.astype(float).tolist())
    count = max(len(ranks), 1)
    assert figures.chunks == len(ranks)
    assert figures.recall_at_1 == pytest.approx(sum(rank <= 1 for rank in ranks) / count)
    assert figures.recall_at_5 == pytest.approx(sum(rank <= 5 for rank in ranks) / count)
    assert figures.mrr == pytest.approx(sum(1 / rank for rank in ranks) / count)
