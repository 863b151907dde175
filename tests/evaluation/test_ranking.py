"""Evidence recall and reciprocal rank, against cases worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SettingsError
from core.span import Span
from evaluation.gold import EvidencePiece, GoldCase, read_gold
from evaluation.ranking import Retrieved, evidence_recall, reciprocal_rank


def passage(doc: str, start: int, end: int, *pages: int) -> Retrieved:
    return Retrieved(doc=doc, span=Span(start, end), pages=pages)


def case(*pieces: EvidencePiece, mode: str = "all") -> GoldCase:
    return GoldCase(id="1", question="?", evidence=pieces, evidence_mode=mode)  # type: ignore[arg-type]


A = EvidencePiece(doc="a", start=10, end=20)
B = EvidencePiece(doc="b", start=0, end=5)


@pytest.mark.parametrize(
    ("passages", "k", "recall"),
    [
        ([passage("a", 0, 30), passage("b", 0, 9)], 5, 1.0),
        ([passage("a", 0, 30), passage("b", 0, 9)], 1, 0.5),
        ([passage("a", 0, 15), passage("a", 15, 30)], 5, 0.5),
        ([passage("a", 0, 15), passage("a", 19, 30)], 5, 0.0),
        ([passage("b", 0, 4)], 5, 0.0),
        ([], 5, 0.0),
    ],
)
def test_recall_counts_whole_pieces(passages: list[Retrieved], k: int, recall: float) -> None:
    assert evidence_recall(case(A, B), passages, k) == recall


def test_recall_in_the_other_modes() -> None:
    one = EvidencePiece(doc="a", start=0, end=5, group=1)
    two = EvidencePiece(doc="b", start=0, end=5, group=1)
    three = EvidencePiece(doc="c", start=0, end=5, group=2)
    assert evidence_recall(case(one, two, three, mode="any"), [passage("b", 0, 9)], 5) == 0.5
    assert evidence_recall(case(A, mode="documents"), [passage("a", 90, 99)], 5) == 1.0
    on_page = EvidencePiece(doc="p", page=3)
    assert evidence_recall(case(on_page), [passage("p", 0, 9, 2, 3)], 5) == 1.0
    assert evidence_recall(case(on_page), [passage("p", 0, 9, 2)], 5) == 0.0
    with pytest.raises(ValueError, match="no evidence"):
        evidence_recall(case(), [], 5)


def test_reciprocal_rank() -> None:
    assert reciprocal_rank(case(A), [passage("b", 0, 9), passage("a", 15, 16)]) == 0.5
    assert reciprocal_rank(case(A), [passage("a", 20, 30)]) == 0.0


def test_a_wrong_line_of_gold_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "1", "question": "?", "more": 1}\n\n{"id": "2"}\n')
    with pytest.raises(SettingsError) as caught:
        read_gold(path)
    assert "line 3" in str(caught.value)
