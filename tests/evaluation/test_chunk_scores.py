"""Which stage a piece of evidence was lost at, and what an equal budget brings."""

from __future__ import annotations

import numpy as np
import pytest

from core.span import Span
from evaluation.chunk_scores import (
    chroma_scores,
    chunk_scores,
    failures,
    means,
    orders,
    search_scores,
)
from evaluation.chunk_set import Question
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Passage, Place
from tests.evaluation.passages import passage

# Three documents of 1,000 characters, cut at every hundred; a chunk has as many tokens as characters.
CHUNKS = [
    passage(start, start + 100, doc=doc, follows=start not in (0, 500))
    for doc in "abc"
    for start in range(0, 1000, 100)
]
OF_DOC = {doc: [chunk for chunk in CHUNKS if chunk.place.doc == doc] for doc in "abc"}


def question(*pieces: tuple[str, int, int], mode: str = "all") -> Question:
    evidence = tuple(EvidencePiece(doc=doc, start=start, end=end) for doc, start, end in pieces)
    case = GoldCase(id="q", question="?", evidence=evidence, evidence_mode=mode)  # type: ignore[arg-type]
    return Question(case=case, places=tuple(Place(doc, Span(*span)) for doc, *span in pieces))


def first(*chunks: tuple[str, int]) -> np.ndarray:
    """An order with these chunks first, the others as they stand."""
    places = [
        next(n for n, c in enumerate(CHUNKS) if (c.place.doc, c.place.span.start) == one) for one in chunks
    ]
    return np.array(places + [n for n in range(len(CHUNKS)) if n not in places])


def test_an_order_is_by_nearness_and_ties_by_place() -> None:
    chunks = np.array([[0, 1], [1, 0], [1, 0], [0.6, 0.8]], dtype=np.float32)
    found = orders(np.array([[1, 0], [0, 1]], dtype=np.float32), chunks)
    assert [order.tolist() for order in found] == [[1, 2, 3, 0], [0, 3, 1, 2]]


def test_shares_are_of_the_pieces_of_one_question() -> None:
    asked = question(("a", 10, 90), ("a", 150, 250), ("b", 450, 550), ("c", 50, 350))
    assert chunk_scores(asked, OF_DOC) == {
        "complete": 0.25,
        "adjacent": 0.25,
        "truncated": 0.5,
        "case_complete": 0,
        "case_adjacent": 0,
        "case_truncated": 1,
    }
    assert chunk_scores(question(("gone", 1, 2)), OF_DOC)["truncated"] == 1


def test_what_belongs_to_one_answer_is_whole_only_together() -> None:
    apart = chunk_scores(question(("a", 10, 30), ("a", 70, 90), ("b", 10, 30), ("b", 120, 130)), OF_DOC)
    assert (apart["complete"], apart["case_complete"], apart["case_adjacent"]) == (1, 0.5, 0.5)
    either = chunk_scores(question(("a", 10, 30), ("a", 510, 530), mode="any"), OF_DOC)
    assert either["case_complete"] == 1


def test_what_a_budget_brings() -> None:
    asked = question(("c", 120, 180), ("b", 250, 350))
    scores = search_scores(asked, CHUNKS, first(("b", 200), ("b", 300)))
    assert (scores["recall@800"], scores["whole@800"]) == (0.5, 0)
    assert (scores["recall@2400"], scores["whole@2400"]) == (1, 1)
    assert scores["char_recall@800"] == pytest.approx(100 / 160)
    assert scores["precision@800"] == pytest.approx(100 / 800)
    assert scores["iou@800"] == pytest.approx(100 / 860)
    either = question(("c", 120, 180), ("b", 250, 350), mode="any")
    assert search_scores(either, CHUNKS, first(("b", 200), ("b", 300)))["recall@800"] == 1


def test_five_chunks_as_chroma_returns_them() -> None:
    scores = chroma_scores(question(("b", 250, 350)), CHUNKS, OF_DOC, first(("b", 200)))
    assert scores == pytest.approx(
        {"chroma_recall": 0.5, "chroma_precision": 0.1, "chroma_omega": 0.5, "chroma_iou": 50 / 550}
    )


@pytest.mark.parametrize(
    ("piece", "stage", "rank", "share"),
    [
        (("c", 710, 790), "embedding", 29, 1.0),
        (("c", 650, 720), "overlap", 28, 5 / 7),
        (("c", 650, 850), "chunking", 29, 0.5),
    ],
)
def test_a_loss_is_put_down_to_its_stage(
    piece: tuple[str, int, int], stage: str, rank: int, share: float
) -> None:
    # The last of 30 comes first, so that the others are one later than they stand; 16 chunks are paid for.
    (found,) = failures(question(("a", 10, 90), piece), CHUNKS, OF_DOC, first(("c", 900)))
    assert (found.stage, found.rank, found.share) == (stage, rank, pytest.approx(share))
    assert found.first is CHUNKS[-1] and isinstance(found.best, Passage)


def test_means() -> None:
    assert means([{"a": 1.0}, {"a": 0.0}]) == {"a": 0.5}
    assert means([]) == {}
