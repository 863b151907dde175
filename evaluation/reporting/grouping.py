"""Several runs as one report sees them: by kind and set, each system under a name of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from evaluation.reporting.run_file import CaseRecord, RunFile, SystemRecord

KINDS: Final = ("chunks", "retrieval", "answers", "verify", "gate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What one kind of run says about one set: systems by name, the first one leading."""

    kind: str
    set: str
    systems: dict[str, SystemRecord]

    @property
    def leading(self) -> SystemRecord:
        """The one that the others are compared with; of checkers the last, which is ours."""
        systems = list(self.systems.values())
        return systems[-1] if self.kind == "verify" else systems[0]


def groups_of(runs: Sequence[RunFile]) -> list[Group]:
    """Set by set, in the order of a question's way; two systems of one name are told apart by the commit, or a
    number."""
    found: dict[tuple[str, str], dict[str, SystemRecord]] = defaultdict(dict)
    for run in runs:
        for system in run.systems:
            systems = found[run.kind, system.set]
            systems[_free(system.name, run.made.commit[:7], systems)] = system
    sets = list(dict.fromkeys(name for _, name in found))
    order = sorted(found, key=lambda key: (sets.index(key[1]), _place(key[0])))
    return [Group(kind=kind, set=name, systems=found[kind, name]) for kind, name in order]


def _place(kind: str) -> int:
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def _free(name: str, commit: str, taken: dict[str, SystemRecord]) -> str:
    options = [name, f"{name} @{commit}", *(f"{name} ({n})" for n in range(2, len(taken) + 3))]
    return next(option for option in options if option not in taken)


def by_type(cases: Sequence[CaseRecord], figure: str) -> dict[str, tuple[float, int]]:
    """The mean of a figure and the number of cases, for each kind of question that has it."""
    values: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        if figure in case.scores:
            values[case.type].append(case.scores[figure])
    return {name: (fmean(found), len(found)) for name, found in sorted(values.items())}


def stages_of(cases: Sequence[CaseRecord]) -> dict[str, int]:
    """How many cases each stage lost, most first."""
    counts: dict[str, int] = defaultdict(int)
    for case in cases:
        if case.stage:
            counts[case.stage] += 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
