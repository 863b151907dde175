"""The report as JSON: what the page says, for programs."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.reporting.grouping import Group, by_type, groups_of, stages_of
from evaluation.reporting.pictures import curve_of
from evaluation.reporting.run_file import RunFile, SystemRecord
from evaluation.reporting.summary import sentences_of

Json = dict[str, object]


def digest(runs: Sequence[RunFile], language: str) -> Json:
    """Sentences, figures, stages and the names of the worst cases; what each run was made with."""
    made = [run.model_dump(exclude={"systems"}, mode="json") for run in runs]
    return {"runs": made, "groups": [_group(group, language) for group in groups_of(runs)]}


def _group(group: Group, language: str) -> Json:
    return {
        "kind": group.kind,
        "set": group.set,
        "summary": sentences_of(group, language),
        "systems": {name: _system(system) for name, system in group.systems.items()},
    }


def _system(system: SystemRecord) -> Json:
    curve = curve_of(system.cases)
    return {
        "figures": {name: figure.model_dump() for name, figure in system.figures.items()},
        "facts": system.facts,
        "stages": stages_of(system.cases),
        "by_type": {
            name: {kind: {"value": v, "cases": n} for kind, (v, n) in by_type(system.cases, name).items()}
            for name in system.figures
        },
        "reliability": {"cases": curve.count, "ece": curve.ece, "brier": curve.brier} if curve else None,
        "worst": [case.id for case in system.cases if case.shown is not None],
    }
