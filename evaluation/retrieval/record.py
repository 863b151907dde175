"""A search over a set as it is stored in a run."""

from __future__ import annotations

from core.span import Span
from evaluation.gold import GoldCase
from evaluation.passage import Place
from evaluation.reporting.recording import figures_of, rounded, shown_of, worst_of
from evaluation.reporting.run_file import CaseRecord, DataSet, Shown, SystemRecord
from evaluation.retrieval.base import Base
from evaluation.retrieval.questions import Asked, RetrievalSet
from evaluation.retrieval.runs import Row, Run


def data_of(found: RetrievalSet, base: Base, asked: Asked) -> DataSet:
    return DataSet(
        name=found.name,
        documents=len(base.texts),
        questions=len(asked.questions) + len(asked.unanswerable),
        sha256=found.sha256,
    )


def system_of(run: Run, base: Base) -> SystemRecord:
    """Every question with its scores; the worst ones with what was returned."""
    cases = [_case(row) for row in run.rows]
    worst = worst_of(cases, lambda case: case.scores.get("recall", 1.0))
    facts = {"build_s": run.build_s, "p50_ms": run.latency.p50, "p95_ms": run.latency.p95}
    facts |= {"embed_p50_ms": run.embedding.p50, "embed_p95_ms": run.embedding.p95}
    return SystemRecord(
        set=run.set_name,
        name=run.name,
        figures=figures_of(cases),
        facts=rounded(facts),
        cases=tuple(
            case.model_copy(update={"shown": shown_in(base, row.question.case, row.returned.places)})
            if case.id in worst
            else case
            for case, row in zip(cases, run.rows, strict=True)
        ),
    )


def shown_in(base: Base, case: GoldCase, places: tuple[Place, ...]) -> Shown:
    """The places with their words, and the evidence marked in them. Documents are named by key."""
    evidence = [
        Place(piece.doc, Span(piece.start, piece.end))
        for piece in case.evidence
        if piece.start is not None and piece.end is not None
    ]
    return shown_of(case, places, evidence, lambda doc: base.texts[doc].text)


def _case(row: Row) -> CaseRecord:
    score = row.returned.score
    return CaseRecord(
        id=row.question.key,
        type=row.question.case.type,
        question=row.question.case.question,
        scores=rounded(row.scores),
        latency_ms=round(row.returned.latency_ms, 2),
        sureness=round(score, 4) if score is not None and 0 <= score <= 1 else None,
        is_right=row.scores.get("hit@1", 0.0) == 1,
        stage=row.stage,
        reason=row.reason,
    )
