"""Each stage is blamed for what it lost, on searches and answers written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.answer import Answer, Citation, Hit, Passage, Route, SearchResult, TraceStep
from core.span import Span
from core.store import ChunkRow
from core.verdict import Verdict
from evaluation.attribution.answering import citation_precision, citation_recall
from evaluation.attribution.chunking import chunk_losses
from evaluation.attribution.failures import losses_of, write_failures
from evaluation.attribution.loss import Loss, Stage, Stored
from evaluation.attribution.searching import search_losses
from evaluation.gold import EvidencePiece, GoldCase, read_gold

TEXT = "租期为两年。押金为一千元。逾期付款的，按日付违约金。车辆不得转租。"
SENTENCES = [Span(0, 6), Span(6, 13), Span(13, 26), Span(26, 33)]


def chunk(
    number: int, span: Span, reasons: tuple[str, ...] = ("block",), previous: str | None = "p"
) -> ChunkRow:
    return ChunkRow(
        id=f"c{number}", version_id="v", document_id="d", parent_id="p", section_id="s", ordinal=number,
        span=span, section_path=(), kinds=(), reasons=reasons, token_count=5, embed_text=span.of(TEXT),
        embed_hash=str(number), previous_id=previous, next_id=None,
    )  # fmt: skip


STORED = Stored(texts={"a.md": TEXT}, chunks={"a.md": tuple(chunk(n, s) for n, s in enumerate(SENTENCES))})


def case(*spans: Span, question: str = "要交多少押金？", answer: str = "一千元") -> GoldCase:
    pieces = tuple(EvidencePiece(doc="a.md", text=s.of(TEXT), start=s.start, end=s.end) for s in spans)
    return GoldCase(id="g", question=question, answer=answer, evidence=pieces)


def passage(number: int, span: Span | None = None) -> Passage:
    span = span or SENTENCES[number]
    return Passage(
        document_id="d", version_id="v", doc="a.md", title="", section_path=(), span=span, text=span.of(TEXT),
        pages=(), score=1.0, chunk_ids=(f"c{number}",), token_count=5,
    )  # fmt: skip


def step(name: str, *order: int, dropped: tuple[tuple[str, str], ...] = ()) -> TraceStep:
    hits = tuple(Hit(chunk_id=f"c{n}", score=1.0, rank=rank, source=name) for rank, n in enumerate(order, 1))
    return TraceStep(name=name, latency_ms=0.0, hits=hits, dropped=dropped)


def result(passages: tuple[Passage, ...], *trace: TraceStep) -> SearchResult:
    return SearchResult(
        question="", searched="", passages=passages, route=Route.CONFIDENT, trace=trace, latency_ms=0.0
    )


FIRST = (passage(0),)


@pytest.mark.parametrize(
    ("stage", "trace"),
    [
        (Stage.EMBEDDING, [step("dense", 0, 2), step("lexical", 0), step("fuse", 0, 2), step("blend", 0, 2)]),
        (Stage.EMBEDDING, [step("dense", 0, 2, 1), step("lexical", 0), step("blend", 0, 2, 1)]),
        (Stage.LEXICAL, [step("lexical", 0, 2), step("fuse", 0, 2)]),
        (Stage.FUSION, [step("dense", 1, 0), step("lexical", 0), step("fuse", 0, 1)]),
        (Stage.RERANK, [step("dense", 1, 0), step("fuse", 1, 0), step("blend", 0, 1)]),
        (Stage.RERANK, [step("dense", 1, 0), step("blend", 1, 0), step("rerank", 0, 1)]),
        (
            Stage.PACKING,
            [step("dense", 1), step("blend", 1), step("expand", dropped=(("c1", "token budget"),))],
        ),
        (
            Stage.PACKING,
            [step("dense", 2, 1), step("blend", 2, 1), step("expand", dropped=(("c1", "document cap"),))],
        ),
    ],
)
def test_the_stage_after_which_the_chunk_fell_behind_is_blamed(stage: Stage, trace: list[TraceStep]) -> None:
    (loss,) = search_losses(case(SENTENCES[1]), result(FIRST, *trace), STORED)
    assert loss.stage is stage, loss
    assert (loss.chunk_id, loss.evidence) == ("c1", "押金为一千元。")
    assert dict(loss.ranks) == {s.name: h.rank for s in trace for h in s.hits if h.chunk_id == "c1"}


def test_words_of_the_question_in_a_chunk_that_no_search_found_are_the_word_searchs_loss() -> None:
    trace = [step("dense", 0), step("lexical", 0), step("blend", 0)]
    (loss,) = search_losses(case(SENTENCES[1], question="押金一千元？"), result(FIRST, *trace), STORED)
    assert loss.stage is Stage.LEXICAL


def test_what_the_first_passages_miss_is_a_loss_of_those_alone() -> None:
    found = result((passage(0), passage(1)), step("dense", 1, 0), step("blend", 0, 1))
    assert list(search_losses(case(SENTENCES[1]), found, STORED)) == []
    (loss,) = search_losses(case(SENTENCES[1]), found, STORED, 1)
    assert loss.stage is Stage.RERANK


def test_any_piece_of_a_group_is_enough() -> None:
    pieces = case(SENTENCES[1], SENTENCES[3]).evidence
    either = case().model_copy(update={"evidence": pieces, "evidence_mode": "any"})
    assert list(search_losses(either, result((passage(3),)), STORED)) == []


def test_cut_evidence_is_chunkings_overlaps_or_the_judges() -> None:
    two, three = Span(0, 13), Span(0, 26)
    assert [loss.stage for loss in chunk_losses(case(two), STORED)] == [Stage.OVERLAP]
    assert [loss.stage for loss in chunk_losses(case(three), STORED)] == [Stage.CHUNKING]
    assert list(chunk_losses(case(SENTENCES[1]), STORED)) == []
    # Each piece is whole, and what the question needs together is not.
    assert [loss.stage for loss in chunk_losses(case(SENTENCES[0], SENTENCES[1]), STORED)] == [Stage.OVERLAP]
    judged = (chunk(0, SENTENCES[0]), chunk(1, SENTENCES[1], ("block", "judged")))
    stored = Stored(texts={"a.md": TEXT}, chunks={"a.md": judged})
    assert [loss.stage for loss in chunk_losses(case(two), stored)] == [Stage.JUDGE]
    parted = (chunk(0, SENTENCES[0]), chunk(1, SENTENCES[1], previous=None))
    stored = Stored(texts={"a.md": TEXT}, chunks={"a.md": parted})
    assert [loss.stage for loss in chunk_losses(case(two), stored)] == [Stage.CHUNKING]


def test_a_search_that_brought_the_best_part_is_not_blamed_for_the_cut() -> None:
    (loss,) = search_losses(case(Span(8, 26)), result((passage(2),), step("blend", 2)), STORED)
    assert loss.stage is Stage.OVERLAP


def answer(text: str, *cited: tuple[int, Span], answered: bool = True) -> Answer:
    found = result(tuple(passage(n) for n in range(4)))
    citations = tuple(
        Citation(n=1, passage=n, span=s, text=s.of(TEXT), pages=(), sentence="", verdict=Verdict.SUPPORTED)
        for n, s in cited
    )
    return Answer(
        text=text,
        answered=answered,
        citations=citations,
        search=found,
        method="extractive",
        notes=(),
        latency_ms=0.0,
    )


def test_an_answer_is_blamed_for_what_it_leaves_out_and_a_citation_for_pointing_elsewhere() -> None:
    wanted = case(SENTENCES[1])
    stages = [
        [loss.stage for loss in losses_of(wanted, given, STORED)]
        for given in (
            answer("押金为一千元。[1]", (1, SENTENCES[1])),
            answer("租期为两年。[1]", (0, SENTENCES[0])),
            answer("押金是 1 000：一千元。[1]", (0, SENTENCES[0])),
            answer("押金为一千元。租期为两年。", (1, SENTENCES[1]), (0, SENTENCES[0])),
            answer("没有找到", answered=False),
        )
    ]
    assert stages == [[], [Stage.ANSWER], [Stage.CITATION], [Stage.CITATION], [Stage.ANSWER]]
    nothing = GoldCase(id="n", question="?", type="noanswer")
    assert [loss.stage for loss in losses_of(nothing, answer("有", (0, SENTENCES[0])), STORED)] == [
        Stage.ANSWER
    ]
    assert losses_of(nothing, answer("没有", answered=False), STORED) == ()


def test_citation_figures_by_hand() -> None:
    both = case(SENTENCES[1], SENTENCES[3])
    given = answer("", (1, SENTENCES[1]), (0, SENTENCES[0]), (1, Span(8, 10)))
    assert citation_precision(both, given, STORED) == pytest.approx(2 / 3)
    assert citation_recall(both, given, STORED) == 1 / 2
    assert citation_precision(both, answer(""), STORED) == citation_recall(both, answer(""), STORED) == 0


def test_words_that_are_not_in_the_document_are_the_parsers() -> None:
    lost = case(SENTENCES[1]).model_copy(
        update={"evidence": (EvidencePiece(doc="a.md", text="押金为两千元。"),)}
    )
    (loss,) = losses_of(lost, answer(""), STORED)
    assert (loss.stage, loss.evidence) == (Stage.PARSER, "押金为两千元。")


def test_failing_cases_are_gold_again(tmp_path: Path) -> None:
    wanted = case(SENTENCES[1])
    losses = [
        Loss(
            case=wanted, stage=Stage.RERANK, reason="moved", doc="a.md", evidence="x", ranks=(("dense", 1),)
        ),
        Loss(case=wanted, stage=Stage.ANSWER, reason="leaves it out"),
    ]
    assert write_failures(tmp_path / "f.jsonl", losses) == 1
    assert read_gold(tmp_path / "f.jsonl") == [wanted]
    row = json.loads((tmp_path / "f.jsonl").read_text("utf-8"))
    assert [failure["stage"] for failure in row["failures"]] == ["rerank", "answer"]
