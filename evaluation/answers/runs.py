"""One set's questions asked of its base, each answer scored and timed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from core.answer import Answer
from evaluation.answers.refusal import Refusal, refusal
from evaluation.answers.scores import Cited, Scores, scores_of
from evaluation.intervals import Interval, interval
from evaluation.passage import Place
from evaluation.ranking import is_missed
from evaluation.retrieval.attributed import lost_in_answer
from evaluation.retrieval.base import Base, settings_at
from evaluation.retrieval.questions import Asked, Question
from evaluation.retrieval.runs import Latency, latency_of
from evaluation.retrieval.scores import retrieved
from retrieval.knowledge_base import KnowledgeBase
from retrieval.options import AskOptions

_LOOKED_AT: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question: ``scores`` are empty where the documents hold no answer to it. ``stage`` is the first that
    lost something, empty when nothing was lost or the gold knows no offsets. ``is_found``: one of the first three
    passages touches evidence, which ``probability`` is that of."""

    question: Question
    scores: Scores
    cited: tuple[Cited, ...]
    answered: bool
    method: str
    route: str
    probability: float | None
    latency_ms: float
    is_found: bool = False
    stage: str = ""
    reason: str = ""

    @property
    def worth(self) -> float:
        """0 (worst) to 1, to sort by: what is held and cited, or that an unanswerable question was refused."""
        if not self.scores:
            return float(not self.answered)
        held = self.scores.get("answer", self.scores.get("words", self.scores["recall"]))
        return (held + self.scores["recall"] + self.scores.get("precision", 0.0)) / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """``means`` are over the answerable questions that have the figure, with 95 % intervals; ``counts`` says how
    many those are. ``pooled`` is the share of all citations that touch evidence."""

    rows: tuple[Row, ...]
    means: dict[str, Interval]
    counts: dict[str, int]
    pooled: float
    refusal: Refusal | None
    latency: Latency


def run_set(base: Base, asked: Asked, method: str | None, on_question: Callable[[int, int], None]) -> Run:
    """Ask everything. Raises what asking raises."""
    knowledge = KnowledgeBase(settings_at(base.home, base.settings))
    knowledge.workspace.embedder = base.model.embedder
    questions = [*asked.questions, *asked.unanswerable]
    rows, options = list[Row](), AskOptions(method=method)
    try:
        knowledge.warm_up()
        for done, question in enumerate(questions, start=1):
            answer = knowledge.ask(question.case.question, history=question.history, options=options)
            rows.append(_row(question, answer, base))
            on_question(done, len(questions))
    finally:
        knowledge.workspace.close()
    return run_of(rows)


def run_of(rows: Sequence[Row]) -> Run:
    """The figures of these rows."""
    values: dict[str, list[float]] = defaultdict(list)
    answerable = [row for row in rows if row.scores]
    for row in answerable:
        for name, value in row.scores.items():
            values[name].append(value)
    citations = sum(len(row.cited) for row in answerable)
    touching = sum(row.scores.get("precision", 0.0) * len(row.cited) for row in answerable)
    return Run(
        rows=tuple(rows),
        means={name: interval(lambda mean: mean, found) for name, found in values.items()},
        counts={name: len(found) for name, found in values.items()},
        pooled=touching / citations if citations else 0.0,
        refusal=refusal(
            [not row.answered for row in rows if not row.scores], [not row.answered for row in answerable]
        ),
        latency=latency_of([row.latency_ms for row in rows]),
    )


def _row(question: Question, answer: Answer, base: Base) -> Row:
    passages = answer.search.passages
    cited = tuple(
        Cited(
            place=Place(base.keys[passages[one.passage].document_id], one.span),
            text=one.text,
            pages=one.pages,
        )
        for one in answer.citations
    )
    verdicts = [check.verdict for check in answer.checks if check.claim]
    lost = lost_in_answer(question, answer, base)
    return Row(
        question=question,
        scores=scores_of(question.case, cited, verdicts) if question.case.evidence else {},
        cited=cited,
        answered=answer.answered,
        method=answer.method,
        route=answer.search.route.value,
        probability=answer.search.probability,
        latency_ms=answer.latency_ms,
        is_found=_is_found(question, answer, base),
        stage=lost.stage.value if lost else "",
        reason=lost.reason if lost else "",
    )


def _is_found(question: Question, answer: Answer, base: Base) -> bool:
    passages = answer.search.passages[:_LOOKED_AT]
    places = [Place(base.keys[passage.document_id], passage.span) for passage in passages]
    return not is_missed(question.case, retrieved(places, base.texts))
