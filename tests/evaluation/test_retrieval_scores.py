"""The figures of a question against evidence whose place is known, in every mode of the gold."""

from __future__ import annotations

import pytest

from core.document import Line
from core.span import Span
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Place
from evaluation.retrieval.questions import Question, StoredText
from evaluation.retrieval.scores import cut, losses_of, scores_of

TEXTS = {
    name: StoredText(text="字" * 9000, language="zh", lines=()) for name in ("s/a.txt", "s/b.txt", "s/c.txt")
} | {
    "s/r.pdf": StoredText(
        text="x" * 300,
        language="en",
        lines=tuple(
            Line(page=page, span=Span(100 * page - 100, 100 * page), x0=0, y0=0, x1=1, y1=1)
            for page in (1, 2, 3)
        ),
    )
}


def asked(*pieces: EvidencePiece, mode: str = "all", language: str = "zh") -> Question:
    case = GoldCase.model_validate(
        {"id": "q", "question": "?", "evidence": pieces, "evidence_mode": mode, "lang": language}
    )
    return Question(part="s", gold=case, case=case, history=(), rewrite="", language=language)


def piece(doc: str, start: int, end: int, group: int | None = None) -> EvidencePiece:
    return EvidencePiece(doc=f"s/{doc}", text="…", start=start, end=end, group=group)


def place(doc: str, start: int, end: int) -> Place:
    return Place(f"s/{doc}", Span(start, end))


def test_the_budget_cuts_the_last_passage_and_drops_the_rest() -> None:
    places = [place("a.txt", 0, 10), place("b.txt", 5, 25), place("a.txt", 50, 60)]
    assert cut(places, 10) == places[:1]
    assert cut(places, 14) == [places[0], place("b.txt", 5, 9)]
    assert cut(places, 99) == places
    assert cut([], 5) == []


def test_ranks_are_of_whole_passages_and_recall_is_of_the_budget() -> None:
    question = asked(piece("a.txt", 10, 20), piece("b.txt", 2000, 2020))
    scores = scores_of(
        question, [place("c.txt", 0, 500), place("a.txt", 0, 100), place("b.txt", 0, 2500)], TEXTS
    )
    assert (scores["hit@1"], scores["touch@1"], scores["mrr"]) == (0, 0, 0.5)
    assert (scores["recall@5"], scores["recall"], scores["whole"]) == (1, 0.5, 0)
    assert scores["chars"] == 2400
    assert (scores["precision@5"], scores["f1@5"], scores["empty"]) == (0.4, pytest.approx(4 / 7), 0)
    assert scores["ndcg@5"] == pytest.approx((0.63093 + 0.5) / 1.63093, abs=1e-4)
    # A quarter of the budget ends inside the second passage, after the whole of a's evidence.
    assert (scores["recall@25%"], scores["chars@25%"]) == (0.5, 600)
    # All ten characters of a, none of b: 1800 of it are left by the budget.
    assert scores["iou"] == pytest.approx(10 / (2400 + 20))


def test_a_piece_that_is_only_touched_is_no_hit() -> None:
    scores = scores_of(asked(piece("a.txt", 10, 20)), [place("a.txt", 0, 15)], TEXTS)
    assert (scores["hit@1"], scores["touch@1"], scores["mrr"], scores["recall"]) == (0, 1, 1, 0)
    assert scores["iou"] == pytest.approx(5 / 20)
    halves = scores_of(asked(piece("a.txt", 10, 20)), [place("a.txt", 0, 15), place("a.txt", 15, 30)], TEXTS)
    assert halves["recall"] == halves["whole"] == 1


def test_one_piece_of_each_group_is_enough_where_the_gold_says_any() -> None:
    pieces = [piece("a.txt", 0, 10, 0), piece("b.txt", 0, 10, 0), piece("c.txt", 0, 10, 1)]
    question = asked(*pieces, mode="any")
    one = scores_of(question, [place("b.txt", 0, 10)], TEXTS)
    assert (one["hit@1"], one["recall"], one["whole"]) == (1, 0.5, 0)
    # The piece of a group that was found is the one that counts.
    assert one["iou"] == pytest.approx(10 / 20)
    both = scores_of(question, [place("c.txt", 0, 10), place("a.txt", 0, 10)], TEXTS)
    assert both["whole"] == both["iou"] == 1


def test_not_every_relevant_piece_is_wanted() -> None:
    question = asked(piece("a.txt", 0, 10), piece("b.txt", 0, 10), mode="relevant")
    scores = scores_of(question, [place("a.txt", 0, 10)], TEXTS)
    assert scores["recall"] == 0.5 and "whole" not in scores


def test_pages_and_documents_are_places_too() -> None:
    paged = asked(EvidencePiece(doc="s/r.pdf", page=2, text=["x"]), language="en")
    on_page = scores_of(paged, [place("r.pdf", 150, 160)], TEXTS)
    assert (on_page["hit@1"], on_page["recall"], on_page["mrr"]) == (1, 1, 1) and "iou" not in on_page
    assert scores_of(paged, [place("r.pdf", 0, 90)], TEXTS)["recall"] == 0
    # What the budget cuts off is not there: page 2 begins behind it.
    far = [Place("s/a.txt", Span(0, 5950)), place("r.pdf", 0, 200)]
    assert scores_of(paged, far, TEXTS)["recall"] == 0 < scores_of(paged, far, TEXTS)["recall@5"]
    wanted = [EvidencePiece(doc=f"s/{name}.txt") for name in "ab"]
    whole = asked(*wanted, mode="documents")
    assert scores_of(whole, [place("b.txt", 3, 4)], TEXTS)["recall"] == 0.5


@pytest.mark.parametrize(
    ("places", "deeper", "stage", "rank"),
    [
        ([("c.txt", 0, 2400), ("a.txt", 0, 100)], [("c.txt", 0, 10), ("a.txt", 0, 100)], "budget", 2),
        ([("a.txt", 0, 15)], [("a.txt", 0, 15)], "part", 0),
        ([("c.txt", 0, 9)], [("c.txt", 0, 9), ("b.txt", 0, 9), ("a.txt", 0, 40)], "depth", 3),
        ([("c.txt", 0, 9)], [("c.txt", 0, 9)], "candidates", 0),
    ],
)
def test_a_loss_names_its_stage(
    places: list[tuple[str, int, int]], deeper: list[tuple[str, int, int]], stage: str, rank: int
) -> None:
    found, below = [place(*one) for one in places], [place(*one) for one in deeper]
    (loss,) = losses_of(asked(piece("a.txt", 10, 20)), found, below, TEXTS)
    assert (loss.stage, loss.rank, loss.piece.doc, loss.first) == (stage, rank, "s/a.txt", found[0])


def test_a_group_is_lost_once_and_only_when_none_of_it_is_there() -> None:
    pieces = [piece("a.txt", 0, 10, 0), piece("b.txt", 0, 10, 0), piece("c.txt", 0, 10, 1)]
    losses = list(losses_of(asked(*pieces, mode="any"), [place("b.txt", 0, 10)], [], TEXTS))
    assert [loss.piece.doc for loss in losses] == ["s/c.txt"]
