"""What checkers said of sentences, as it is stored in a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from core.verdict import Verdict
from evaluation.reporting.recording import figure_of, hash_of, rounded
from evaluation.reporting.run_file import CaseRecord, DataSet, Excerpt, Figure, Shown, SystemRecord
from evaluation.verification.case import Case
from evaluation.verification.checkers import Judged
from evaluation.verification.metrics import GOAL, Split, figures_of, milliseconds
from ingest.sources import sources_of

# Wrong cases that are kept with their texts, of each kind.
_OF_A_KIND: Final = 2


def data_of(folder: Path, cases: Sequence[Case]) -> DataSet:
    """A gold set; ``cases`` are those made from it."""
    name = folder.resolve().name
    own = [case for case in cases if case.part == name]
    files = [folder / "gold.jsonl", *(source.path for source in sources_of([folder / "corpus"]))]
    documents = len({case.doc for case in own})
    return DataSet(name=name, documents=documents, questions=len(own), sha256=hash_of(files))


def systems_of(halves: Mapping[str, Mapping[str, Sequence[Judged]]]) -> list[SystemRecord]:
    """One for each half and checker; the set is the half."""
    return [system_of(half, name, judged) for half, runs in halves.items() for name, judged in runs.items()]


def system_of(half: str, name: str, judged: Sequence[Judged]) -> SystemRecord:
    """``right`` of each sentence, ``caught`` of the false ones, ``alarm`` of the true ones; and for each verdict
    whether those that got it deserve it (``as_supported`` and so on)."""
    shown: dict[str, int] = {}
    cases = [_case(one, shown) for one in judged]
    p50, p95 = milliseconds(judged)
    return SystemRecord(
        set=half,
        name=name,
        figures=_figures(judged, cases),
        facts=rounded({"p50_ms": p50, "p95_ms": p95}),
        cases=tuple(cases),
    )


def _figures(judged: Sequence[Judged], cases: Sequence[CaseRecord]) -> dict[str, Figure]:
    found: dict[str, Figure] = {}
    for name in ("right", "caught", "alarm", *(f"as_{verdict.value}" for verdict in Verdict)):
        values = [case.scores[name] for case in cases if name in case.scores]
        if values:
            found[name] = figure_of(values)
    split = Split.of(judged)
    goal = figures_of(split.false_of(GOAL), split.true)
    if goal is not None:
        for name, one in (("goal_precision", goal.precision), ("goal_recall", goal.recall)):
            found[name] = Figure(value=one.value, low=one.low, high=one.high, cases=goal.positives)
    return found


def _case(one: Judged, shown: dict[str, int]) -> CaseRecord:
    case = one.case
    is_wrong = one.verdict is not case.expected
    keep = is_wrong and shown.get(case.kind, 0) < _OF_A_KIND
    shown[case.kind] = shown.get(case.kind, 0) + keep
    said = "; ".join((f"{case.expected.value} -> {one.verdict.value}", *one.reasons))
    return CaseRecord(
        id=case.id,
        type=case.kind,
        question=case.sentence,
        scores=_scores(one),
        latency_ms=round(one.ms, 3),
        stage="verifier" if is_wrong else "",
        reason=said if is_wrong else "",
        shown=_shown(case) if keep else None,
    )


def _scores(one: Judged) -> dict[str, float]:
    right = float(one.verdict is one.case.expected)
    scores = {"right": right, f"as_{one.verdict.value}": right}
    flagged = float(one.verdict is Verdict.UNSUPPORTED)
    if one.case.expected is Verdict.UNSUPPORTED:
        scores["caught"] = flagged
    elif one.case.expected is Verdict.SUPPORTED:
        scores["alarm"] = flagged
    return scores


def _shown(case: Case) -> Shown:
    return Shown(
        answer=case.original,
        returned=(Excerpt(doc=case.source, start=case.passage.start, text=case.passage_text),),
    )
