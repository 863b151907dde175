"""One system on one set: each question asked, scored and timed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

import numpy as np

from evaluation.attribution.loss import Stage
from evaluation.intervals import Difference, paired_difference
from evaluation.retrieval.attributed import lost_in_search
from evaluation.retrieval.base import Base
from evaluation.retrieval.questions import Asked, Question
from evaluation.retrieval.reliability import Reliability, reliability
from evaluation.retrieval.scores import Loss, Scores, losses_of, scores_of
from evaluation.retrieval.systems import Returned, System


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Milliseconds."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question: with an empty ``scores`` when the documents hold no answer to it. ``stage`` is the first
    that lost evidence: of our own search by its trace, else as ``Loss`` has it; empty when nothing was lost."""

    question: Question
    scores: Scores
    returned: Returned
    stage: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """``means`` over the questions with an answer, ``by_part`` and ``by_type`` over those of one kind.

    ``routes`` counts what the system says of itself, by "answerable" and "unanswerable". ``curve`` is
    ``None`` when it was not asked for or the scores are no probabilities. ``gains`` are the differences
    from a baseline, where this is not itself one.
    """

    set_name: str
    name: str
    rows: tuple[Row, ...]
    losses: tuple[Loss, ...]
    means: Scores
    by_part: dict[str, Scores]
    by_type: dict[str, Scores]
    latency: Latency
    embedding: Latency
    steps: dict[str, Latency]
    routes: dict[str, dict[str, int]]
    curve: Reliability | None
    build_s: float
    gains: dict[str, Difference] = field(default_factory=dict)


def run_system(
    system: System,
    set_name: str,
    asked: Asked,
    base: Base,
    *,
    with_reliability: bool,
    on_question: Callable[[int, int], None],
) -> Run:
    """Ask everything; questions without an answer only for reliability. Raises what the search raises."""
    rows: list[Row] = []
    losses: list[Loss] = []
    questions = [*asked.questions, *(asked.unanswerable if with_reliability else ())]
    for done, question in enumerate(questions, start=1):
        returned = system.search(question)
        scores = scores_of(question, returned.places, base.texts) if question.case.evidence else {}
        lost: list[Loss] = []
        if scores and scores["recall"] < 1:
            lost = list(losses_of(question, returned.places, system.deeper(question), base.texts))
        stage, reason = _blamed(question, returned, lost, base)
        # Its trace is long, and has told what it can.
        kept = replace(returned, result=None)
        rows.append(Row(question=question, scores=scores, returned=kept, stage=stage, reason=reason))
        losses += lost
        on_question(done, len(questions))
    answerable = [row for row in rows if row.scores]
    return Run(
        set_name=set_name,
        name=system.name,
        rows=tuple(rows),
        losses=tuple(losses),
        means=_means(row.scores for row in answerable),
        by_part=_grouped(answerable, lambda row: row.question.part),
        by_type=_grouped(answerable, lambda row: row.question.case.type),
        latency=latency_of([row.returned.latency_ms for row in rows]),
        embedding=latency_of([row.returned.embed_ms for row in rows]),
        steps=_steps(rows),
        routes=_routes(rows),
        curve=_curve(rows) if with_reliability else None,
        build_s=system.build_s,
    )


def _blamed(question: Question, returned: Returned, lost: Sequence[Loss], base: Base) -> tuple[str, str]:
    """Stage and reason of the first loss: of ours by the search's own account where the gold knows offsets."""
    if not lost:
        return "", ""
    first = lost[0]
    found = lost_in_search(question, returned.result, base) if returned.result else None
    if found is not None:
        return found.stage.value, found.reason
    if returned.result and first.stage == "budget":
        return Stage.PACKING.value, f"behind the first {question.budget} characters"
    return first.stage, f"found at {first.rank}" if first.rank else ""


def differences(baseline: Run, current: Run) -> dict[str, Difference]:
    """Of each figure, on the questions that both were asked."""
    theirs = {row.question.key: row.scores for row in baseline.rows}
    pairs = [(theirs[key], row.scores) for row in current.rows if (key := row.question.key) in theirs]
    gains: dict[str, Difference] = {}
    for name in baseline.means:
        both = [(old[name], new[name]) for old, new in pairs if name in old and name in new]
        if both:
            gains[name] = paired_difference(*zip(*both, strict=True))
    return gains


def _means(scores: Iterable[Scores]) -> Scores:
    """Of each figure over the questions that have it."""
    values: dict[str, list[float]] = defaultdict(list)
    for row in scores:
        for name, value in row.items():
            values[name].append(value)
    return {name: fmean(found) for name, found in values.items()}


def _grouped(rows: Sequence[Row], group_of: Callable[[Row], str]) -> dict[str, Scores]:
    groups: dict[str, list[Scores]] = defaultdict(list)
    for row in rows:
        groups[group_of(row)].append(row.scores)
    return {name: {"questions": float(len(found))} | _means(found) for name, found in sorted(groups.items())}


def latency_of(values: Sequence[float]) -> Latency:
    """The median and the 95th percentile; zeros of nothing."""
    p50, p95 = np.percentile(values, [50, 95]) if values else (0.0, 0.0)
    return Latency(p50=float(p50), p95=float(p95))


def _steps(rows: Sequence[Row]) -> dict[str, Latency]:
    spent: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        # A step may run twice in one search.
        total: dict[str, float] = defaultdict(float)
        for name, latency_ms in row.returned.steps:
            total[name] += latency_ms
        for name, latency_ms in total.items():
            spent[name].append(latency_ms)
    return {name: latency_of(values) for name, values in spent.items()}


def _routes(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    counted: dict[str, Counter[str]] = {"answerable": Counter(), "unanswerable": Counter()}
    for row in rows:
        if row.returned.route:
            counted["answerable" if row.scores else "unanswerable"][row.returned.route] += 1
    return {kind: dict(found) for kind, found in counted.items() if found}


def _curve(rows: Sequence[Row]) -> Reliability | None:
    """Of the first passage's score, which is right when that passage holds evidence."""
    pairs: list[tuple[float, bool]] = [
        (row.returned.score, row.scores.get("hit@1", 0.0) == 1)
        for row in rows
        if row.returned.score is not None
    ]
    if not pairs or not all(0 <= score <= 1 for score, _ in pairs):
        return None
    return reliability([score for score, _ in pairs], [right for _, right in pairs])
