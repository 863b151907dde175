"""Search by vectors: right scores, right filters, and a graph that misses next to nothing."""

from __future__ import annotations

import numpy as np
import pytest

from core.protocols import Vectors
from core.vectors import normalised
from ingest.indexes import dense
from ingest.indexes.dense import DenseIndex

UNIT = np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 0, 1]], dtype=np.float32)


@pytest.fixture(scope="module")
def large() -> tuple[Vectors, DenseIndex, DenseIndex]:
    """Vectors, and an exact index and a graph of them."""
    vectors = drawn(2000)
    return vectors, DenseIndex.build(vectors), DenseIndex.build(vectors, graph=True)


def drawn(count: int, dimension: int = 24) -> Vectors:
    rng = np.random.default_rng(5)
    return normalised(rng.standard_normal((count, dimension)).astype(np.float32))


@pytest.mark.parametrize("graph", [False, True])
def test_scores_are_cosines_best_first(graph: bool) -> None:
    index = DenseIndex.build(UNIT, graph=graph)
    found = index.search(UNIT[0], 10)
    assert [position for position, _ in found] == [0, 1, 2]
    assert [round(score, 4) for _, score in found] == [1.0, 0.8, 0.0]
    assert [position for position, score in found if score >= 0.9] == [0]


def test_the_length_of_a_question_changes_no_order() -> None:
    index = DenseIndex.build(UNIT)
    assert [p for p, _ in index.search(UNIT[1] * 7, 3)] == [p for p, _ in index.search(UNIT[1], 3)]


@pytest.mark.parametrize("graph", [False, True])
def test_only_what_is_allowed_is_seen_and_large_and_small_limits_do_no_harm(graph: bool) -> None:
    index = DenseIndex.build(UNIT, graph=graph)
    assert [p for p, _ in index.search(UNIT[0], 10, np.array([False, True, True]))] == [1, 2]
    assert index.search(UNIT[0], 10, np.zeros(3, dtype=np.bool_)) == []
    assert index.search(UNIT[0], 0) == index.search(UNIT[0], -1) == []


@pytest.mark.parametrize("graph", [False, True])
def test_an_empty_one_finds_nothing(graph: bool) -> None:
    index = DenseIndex.build(np.zeros((0, 3), dtype=np.float32), graph=graph)
    assert index.search(UNIT[0], 5) == []
    assert index.vectors.shape == (0, 3)
    assert len(DenseIndex.from_bytes(index.to_bytes())) == 0


def test_the_filter_works_beyond_one_byte_of_positions() -> None:
    vectors = np.eye(40, dtype=np.float32)
    allowed = np.zeros(40, dtype=np.bool_)
    allowed[[3, 21, 37]] = True
    found = {p for p, _ in DenseIndex.build(vectors).search(vectors[21], 40, allowed)}
    assert found == {3, 21, 37}


@pytest.mark.parametrize("graph", [False, True])
def test_what_was_written_is_read_again_without_a_copy(graph: bool) -> None:
    vectors = drawn(500)
    data = DenseIndex.build(vectors, graph=graph).to_bytes()
    again = DenseIndex.from_bytes(data)
    assert again.is_graph is graph
    assert np.array_equal(again.vectors, vectors)
    assert np.shares_memory(again.vectors, data)
    assert again.search(vectors[7], 1)[0][0] == 7


def test_sums_and_scores_are_those_of_the_rows() -> None:
    vectors = drawn(300)
    index = DenseIndex.build(vectors)
    rows = np.arange(300) % 3 == 0
    assert index.sum_of(rows) == pytest.approx(vectors[rows].sum(axis=0), abs=1e-4)
    assert index.scores(vectors[0], [4, 5]) == pytest.approx(vectors[[4, 5]] @ vectors[0], abs=1e-6)


def test_a_graph_misses_next_to_nothing_and_what_is_gone_stays_out(
    large: tuple[Vectors, DenseIndex, DenseIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, exact, graph = large
    allowed = np.random.default_rng(1).random(2000) < 0.6
    monkeypatch.setattr(dense, "_FEW_ROWS", 100)
    shared = []
    for question in drawn(2050)[2000:]:
        found = {p for p, _ in graph.search(question, 20, allowed)}
        assert allowed[list(found)].all()
        shared.append(len(found & {p for p, _ in exact.search(question, 20, allowed)}) / 20)
    assert np.mean(shared) > 0.97


def test_among_few_allowed_rows_a_graph_is_exact(large: tuple[Vectors, DenseIndex, DenseIndex]) -> None:
    vectors, exact, graph = large
    allowed = np.zeros(2000, dtype=np.bool_)
    allowed[::200] = True
    assert graph.search(vectors[1], 50, allowed) == exact.search(vectors[1], 50, allowed)
    assert len(graph.search(vectors[1], 50, allowed)) == 10
