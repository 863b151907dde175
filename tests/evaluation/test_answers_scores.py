"""The figures of answers, against answers worked out by hand and slow second ways of counting."""

from __future__ import annotations

import random

import pytest

from core.span import Span
from evaluation.answers.refusal import refusal
from evaluation.answers.scores import (
    Cited,
    answer_held,
    citation_precision,
    citation_recall,
    is_verbatim,
    normalised,
    page_accuracy,
    scores_of,
    wanted_parts,
    words_held,
)
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Place

TEXT = "李翰是一位台湾的插画家，也是举牌小人的创作者。他生于1980年。"


def piece(start: int, end: int, *, doc: str = "a", group: int | None = None) -> EvidencePiece:
    return EvidencePiece(doc=doc, text=TEXT[start:end], start=start, end=end, group=group)


def cited(start: int, end: int, *, doc: str = "a", pages: tuple[int, ...] = ()) -> Cited:
    return Cited(place=Place(doc, Span(start, end)), text=TEXT[start:end], pages=pages)


def case(**fields: object) -> GoldCase:
    return GoldCase.model_validate({"id": "1", "question": "谁？"} | fields)


def test_normalised_forgets_width_case_and_marks() -> None:
    assert normalised("Ｌｅｖｉ’s， 1,000 ％！") == normalised("levis 1000") == "levis1000"


def test_a_list_beside_one_piece_of_evidence_is_of_alternatives() -> None:
    one = case(answer=["李翰", "李 翰！", "某人"], evidence=(piece(0, 23),))
    assert wanted_parts(one) == [["李翰", "李翰", "某人"]]
    assert answer_held(one, ["李翰是"]) == 1
    assert answer_held(one, ["举牌小人"]) == 0
    assert answer_held(one, []) == 0


def test_a_list_beside_groups_is_of_parts_each_with_alternatives() -> None:
    two = case(
        answer=["李翰", ["1980", "一九八〇"]],
        evidence=(piece(0, 23, group=0), piece(23, 32, group=1)),
        evidence_mode="any",
    )
    assert wanted_parts(two) == [["李翰"], ["1980", "一九八〇"]]
    assert answer_held(two, ["李翰", "生于1980年"]) == 1
    assert answer_held(two, ["李翰"]) == 0


def test_an_answer_in_other_words_is_told_from_one_of_the_source() -> None:
    assert is_verbatim(case(answer="举牌小人的创作者", evidence=(piece(0, 23),)))
    assert not is_verbatim(case(answer="画画的人", evidence=(piece(0, 23),)))
    assert not is_verbatim(case(answer="", evidence=(piece(0, 23),)))


def test_words_held_counts_each_word_once() -> None:
    assert words_held("apple banana apple cherry", ["an apple", "a cherry"]) == pytest.approx(2 / 3)
    assert words_held("apple", []) == 0


def test_precision_and_recall_of_citations() -> None:
    one = case(answer="x", evidence=(piece(0, 20), piece(24, 32)))
    found = [cited(0, 4), cited(24, 32), cited(20, 23), cited(0, 20, doc="b")]
    assert citation_precision(one, found) == 0.5
    assert citation_precision(one, found, least=0.49) == 0.25
    assert citation_precision(one, []) is None
    assert citation_recall(one, found) == 1
    assert citation_recall(one, found[:1]) == 0.5
    with pytest.raises(ValueError, match="no evidence"):
        citation_recall(case(answer="x"), found)


def test_one_piece_of_each_group_is_enough() -> None:
    pieces = (piece(0, 5, group=0), piece(6, 9, group=0), piece(24, 32, group=1))
    grouped = case(evidence=pieces, evidence_mode="any")
    assert citation_recall(grouped, [cited(6, 8)]) == 0.5
    assert citation_recall(case(evidence=pieces), [cited(6, 8)]) == pytest.approx(1 / 3)


def test_pages_and_documents_count_where_nothing_more_is_known() -> None:
    paged = case(evidence=(EvidencePiece(doc="a", text="李翰", page=3),))
    assert citation_precision(paged, [cited(0, 2, pages=(2, 3)), cited(0, 2, pages=(4,))]) == 0.5
    assert page_accuracy(paged, [cited(0, 2, pages=(4,)), cited(0, 2, pages=(3,))]) == 0
    assert page_accuracy(paged, [cited(0, 2, pages=(3,))]) == 1
    assert page_accuracy(paged, []) == 0
    assert page_accuracy(case(evidence=(piece(0, 2),)), [cited(0, 2)]) is None
    known = case(evidence=(EvidencePiece(doc="a"),), evidence_mode="documents")
    assert citation_recall(known, [cited(0, 2)]) == 1
    assert citation_recall(known, [cited(0, 2, doc="b")]) == 0


def test_each_case_has_the_figures_it_allows() -> None:
    verbatim = scores_of(case(answer=["李翰"], evidence=(piece(0, 23),)), [cited(0, 23)])
    assert verbatim == {"answer": 1, "points": 1, "precision": 1, "held": 1, "recall": 1, "chars": 23}
    written = scores_of(case(answer="画画的人", evidence=(piece(0, 23),)), [])
    assert written == {"words": 0, "rouge": 0, "recall": 0}


def test_refusal_is_counted_as_by_hand() -> None:
    random_ = random.Random(5)
    for _ in range(20):
        unanswerable = [random_.random() < 0.7 for _ in range(30)]
        answerable = [random_.random() < 0.2 for _ in range(60)]
        found = refusal(unanswerable, answerable)
        assert found is not None
        right, wrong = sum(unanswerable), sum(answerable)
        precision, recall = right / (right + wrong), right / 30
        assert found.precision.value == pytest.approx(precision)
        assert found.recall.value == pytest.approx(recall)
        assert found.f1.value == pytest.approx(2 * precision * recall / (precision + recall))
        assert found.f1.low <= found.f1.value <= found.f1.high


def test_refusal_at_its_ends() -> None:
    nothing = refusal([False], [False])
    assert nothing is not None
    assert (nothing.precision.value, nothing.recall.value, nothing.f1.value) == (1, 0, 0)
    assert refusal([], [True]) is None
    assert refusal([True], []) is None
