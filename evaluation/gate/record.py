"""What the gate saw, as it is stored in a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.settings import Settings
from evaluation.attribution.loss import Loss, Stored
from evaluation.gate.figures import CaseRun
from evaluation.gate.texts import first_losses
from evaluation.gold import evidence_fault
from evaluation.passage import Place
from evaluation.reporting.recording import envelope, figures_of, hash_of, rounded, shown_of, worst_of
from evaluation.reporting.run_file import CaseRecord, DataSet, RunFile, Shown, SystemRecord
from evaluation.run_stamp import run_stamp
from ingest.sources import sources_of


def run_of(
    runs: Sequence[CaseRun],
    stored: Stored,
    settings: Settings,
    model: str,
    gold: Sequence[Path],
    corpus: Sequence[Path],
) -> RunFile:
    """One set, named after the folder of the first gold file. Raises ``OSError``."""
    name = gold[0].resolve().parent.name
    data = DataSet(
        name=name,
        documents=len(stored.texts),
        questions=len(runs),
        sha256=hash_of([*gold, *(source.path for source in sources_of(corpus))]),
    )
    cases = [_case(run) for run in runs]
    worst = worst_of(cases, lambda case: sum(case.scores.values()))
    kept = [
        case.model_copy(update={"shown": _shown(run, stored)}) if case.id in worst else case
        for case, run in zip(cases, runs, strict=True)
    ]
    system = SystemRecord(set=name, name="gate", figures=figures_of(cases), cases=tuple(kept))
    return envelope("gate", run_stamp(), settings, model, [data], [system])


def _case(run: CaseRun) -> CaseRecord:
    lost = _first(run)
    return CaseRecord(
        id=run.case.id,
        type=run.case.type,
        question=run.case.question,
        scores=rounded(run.scores),
        stage=lost.stage.value if lost else "",
        reason=lost.reason if lost else "",
    )


def _first(run: CaseRun) -> Loss | None:
    return next(iter(first_losses(run)), None)


def _shown(run: CaseRun, stored: Stored) -> Shown:
    """The evidence; and the chunk that holds most of what was lost."""
    if evidence_fault(run.case, stored.texts):
        return shown_of(run.case, (), (), stored.texts.__getitem__)
    evidence = [stored.place(piece) for piece in run.case.evidence]
    chunks = [
        Place(place.doc, holder.span) for place in evidence if (holder := stored.holder(place)) is not None
    ]
    return shown_of(run.case, list(dict.fromkeys(chunks)), evidence, stored.texts.__getitem__)
