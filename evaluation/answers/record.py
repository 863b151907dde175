"""The answers to a set's questions as they are stored in a run."""

from __future__ import annotations

from dataclasses import asdict

from evaluation.answers.runs import Row, Run
from evaluation.passage import Place
from evaluation.reporting.recording import figures_of, rounded, worst_of
from evaluation.reporting.run_file import CaseRecord, Figure, SystemRecord
from evaluation.retrieval.base import Base
from evaluation.retrieval.record import shown_in


def system_of(set_name: str, method: str, run: Run, base: Base) -> SystemRecord:
    """Every question with its scores; the worst ones with what was cited."""
    cases = [_case(row) for row in run.rows]
    worth = {row.question.key: row.worth for row in run.rows}
    worst = worst_of(cases, lambda case: worth[case.id])
    figures = figures_of(cases)
    if run.refusal:
        refused = asdict(run.refusal)
        figures |= {f"refusal_{name}": _figure(refused[name], len(cases)) for name in refused}
    return SystemRecord(
        set=set_name,
        name=method,
        figures=figures,
        facts=rounded({"precision_pooled": run.pooled, "p50_ms": run.latency.p50, "p95_ms": run.latency.p95}),
        cases=tuple(
            case.model_copy(update={"shown": shown_in(base, row.question.case, _cited(row))})
            if case.id in worst
            else case
            for case, row in zip(cases, run.rows, strict=True)
        ),
    )


def _figure(found: dict[str, float], cases: int) -> Figure:
    return Figure(cases=cases, **rounded(found))


def _case(row: Row) -> CaseRecord:
    kind = "answered" if row.scores else "refused"
    right = float(row.answered if row.scores else not row.answered)
    return CaseRecord(
        id=row.question.key,
        type=row.question.case.type,
        question=row.question.case.question,
        scores=rounded(row.scores | {kind: right}),
        latency_ms=round(row.latency_ms, 2),
        sureness=None if row.probability is None else round(row.probability, 4),
        is_right=bool(row.scores) and row.is_found,
        stage=row.stage,
        reason=row.reason,
    )


def _cited(row: Row) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(one.place for one in row.cited))
