"""Answers of the product judged by ragas, set by set, and stored as a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.answer import Answer
from core.settings import Settings
from evaluation.gold import GoldCase
from evaluation.ragas_judge import Sample
from evaluation.reporting.recording import envelope, figures_of, rounded
from evaluation.reporting.run_file import CaseRecord, DataSet, RunFile, SystemRecord, write_run
from evaluation.retrieval.base import Base, Models, open_base, settings_at
from evaluation.retrieval.progress import Progress
from evaluation.retrieval.questions import Asked, Question, asked_of, read_set
from evaluation.retrieval.record import data_of
from evaluation.run_stamp import run_stamp
from evaluation.vector_cache import VectorCache
from retrieval.knowledge_base import KnowledgeBase
from retrieval.options import AskOptions


class Judge(Protocol):
    """``evaluation.ragas_judge.RagasJudge``."""

    def scores(self, sample: Sample) -> dict[str, float]:
        """The figures that could be judged. Raises ``ChatModelError``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``method`` answers as ``AskOptions`` has it; ``max_questions`` is for each set (0: all)."""

    folders: tuple[Path, ...]
    method: str
    judge: str
    max_questions: int = 0
    out: Path | None = None


def judged_sets(
    settings: Settings, plan: Plan, models: Models, judge: Judge, progress: Progress
) -> RunFile | None:
    """The run so far, written to ``plan.out`` after each set; ``None`` without a set.

    Only questions with an answer are judged. Raises what reading, adding, asking and judging raise.
    """
    stamp, run = run_stamp(), None
    data, systems = list[DataSet](), list[SystemRecord]()
    model = models.of(settings)
    for folder in plan.folders:
        found = read_set(folder.resolve().name, [folder], 0)
        base = open_base(found, settings, model, progress.of("ingest", least=20))
        asked = asked_of(found, base.texts, base.twins, plan.max_questions)
        progress.tell("run", set=found.name, name=plan.method)
        cases = _cases(base, asked, plan.method, judge, progress.of("ask", least=1))
        systems.append(
            SystemRecord(set=found.name, name=plan.method, figures=figures_of(cases), cases=tuple(cases))
        )
        data.append(data_of(found, base, asked))
        options = {"judge": plan.judge, "method": plan.method, "questions": plan.max_questions}
        run = envelope("ragas", stamp, settings, model.embedder.fingerprint, data, systems, options)
        if plan.out:
            write_run(plan.out, run)
    return run


def models_of(settings: Settings, cache: VectorCache, progress: Progress) -> Models:
    """The embedding models of a run over sets."""
    return Models(cache, progress.of("embed", least=500))


def _cases(
    base: Base, asked: Asked, method: str, judge: Judge, on_question: Callable[[int, int], None]
) -> list[CaseRecord]:
    knowledge = KnowledgeBase(settings_at(base.home, base.settings))
    knowledge.workspace.embedder = base.model.embedder
    cases: list[CaseRecord] = []
    try:
        for done, question in enumerate(asked.questions, start=1):
            text, options = question.case.question, AskOptions(method=method)
            answer = knowledge.ask(text, history=question.history, options=options)
            cases.append(_case(question, answer, judge))
            on_question(done, len(asked.questions))
    finally:
        knowledge.workspace.close()
    return cases


def _case(question: Question, answer: Answer, judge: Judge) -> CaseRecord:
    sample = Sample(
        question=question.case.question,
        answer=answer.text if answer.answered else "",
        contexts=tuple(passage.text for passage in answer.search.passages),
        reference=reference_of(question.case),
    )
    return CaseRecord(
        id=question.key,
        type=question.case.type,
        question=question.case.question,
        scores=rounded(judge.scores(sample)),
        latency_ms=round(answer.latency_ms, 2),
    )


def reference_of(case: GoldCase) -> str:
    """The gold answer in one text; of alternatives the first."""
    if isinstance(case.answer, str):
        return case.answer
    return "; ".join(part if isinstance(part, str) else part[0] for part in case.answer)


def table_of(run: RunFile, head: Sequence[str]) -> str:
    """Markdown: one row a set; each figure with its interval and the number of judged answers."""
    rows = [list(head), ["---", "---:", *("---:" for _ in head[2:])]]
    for system in run.systems:
        cells = [system.set, str(len(system.cases))]
        for name in head[2:]:
            one = system.figures.get(name)
            cells.append(f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}] ({one.cases})" if one else "-")
        rows.append(cells)
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
