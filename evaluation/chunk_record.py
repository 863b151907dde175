"""A chunking of a set as it is stored in a run."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from evaluation.chunk_runs import ChunkRun
from evaluation.chunk_scores import Failure
from evaluation.chunk_set import ChunkSet, Question
from evaluation.reporting.recording import figures_of, rounded, shown_of, sizes_of, worst_of
from evaluation.reporting.run_file import CaseRecord, DataSet, SystemRecord

_STAGES: Final = ("chunking", "overlap", "embedding")


def data_of(found: ChunkSet) -> DataSet:
    return DataSet(
        name=found.name,
        documents=len(found.documents),
        questions=len(found.questions),
        sha256=found.sha256,
    )


def system_of(found: ChunkSet, run: ChunkRun) -> SystemRecord:
    """Every question with its scores; the worst ones with the nearest chunk and the one that holds most."""
    failed: dict[str, Failure] = {}
    for failure in sorted(run.failures, key=lambda one: (_STAGES.index(one.stage), one.share)):
        failed.setdefault(failure.question.case.id, failure)
    cases = [_case(question, run, failed.get(question.case.id)) for question in found.questions]
    worst = worst_of(cases, lambda case: case.scores["recall@1600"])
    return SystemRecord(
        set=found.name,
        name=run.name,
        figures=figures_of(cases),
        facts=_facts(run),
        sizes=sizes_of(run.tokens),
        cases=tuple(
            _with_texts(case, failed[case.id], found) if case.id in worst else case for case in cases
        ),
    )


def _case(question: Question, run: ChunkRun, failure: Failure | None) -> CaseRecord:
    return CaseRecord(
        id=question.case.id,
        type=question.case.type,
        question=question.case.question,
        scores=rounded(run.scores[question.case.id]),
        stage=failure.stage if failure else "",
    )


def _with_texts(case: CaseRecord, failure: Failure, found: ChunkSet) -> CaseRecord:
    """The first chunk, and the one that holds most of what is missing, each with its rank."""
    ranks = {one.place: rank for one, rank in ((failure.best, failure.rank), (failure.first, 1)) if one}
    places = sorted(ranks, key=lambda place: ranks[place])
    shown = shown_of(
        failure.question.case, places, failure.question.places, lambda doc: found.documents[doc].text
    )
    returned = [
        one.model_copy(update={"rank": ranks[place]})
        for one, place in zip(shown.returned, places, strict=True)
    ]
    return case.model_copy(update={"shown": shown.model_copy(update={"returned": tuple(returned)})})


def _facts(run: ChunkRun) -> dict[str, float]:
    facts: dict[str, float | None] = {name: float(value) for name, value in asdict(run.sizes).items()}
    facts |= {
        "lost": float(run.lost),
        "header_inheritance": run.header_inheritance,
        "table_integrity": run.table_integrity,
        "page_retention": run.page_retention,
        "redundancy": run.redundancy,
        "judged_complete": run.judged.mean if run.judged else None,
        "judged_enough": run.judged.enough if run.judged else None,
        "cut_s": run.cut_s,
        "cut_model_s": run.cut_model_s,
        "embed_s": run.embed_s,
    }
    return {name: round(value, 4) for name, value in facts.items() if value is not None}
