"""What changed from the baseline: figure by figure, with the cases that got worse and the stage that lost them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from evaluation.attribution.loss import Loss
from evaluation.gate.baseline import Baseline
from evaluation.gate.figures import FIGURES, CaseRun
from evaluation.gate.noise import chance_of_loss

# A loss less likely than this is no chance: four cases that are worse and none that is better (1/16) are enough.
SURE: Final = 0.1
# Scores in the baseline are rounded.
_ROUNDING: Final = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class WorseCase:
    """A case's figure then and now, and what lost it; empty when nothing can be named."""

    run: CaseRun
    before: float
    now: float
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One figure on the cases that both have. ``chance`` is that of a loss like this one (0..1)."""

    figure: str
    cases: int
    before: float
    now: float
    chance: float
    better: tuple[str, ...]
    worse: tuple[WorseCase, ...]

    @property
    def fails(self) -> bool:
        """Worse beyond noise."""
        return bool(self.worse) and self.chance < SURE


def changes(baseline: Baseline, runs: Sequence[CaseRun]) -> list[Change]:
    """A change for each figure that both have, in the order of ``FIGURES``."""
    found = [_change(name, more, baseline, runs) for name, more in FIGURES.items()]
    return [change for change in found if change is not None]


def _change(figure: str, more: bool, baseline: Baseline, runs: Sequence[CaseRun]) -> Change | None:
    triples = [
        (run, before[figure], run.scores[figure])
        for run in runs
        if figure in (before := baseline.of(run.case)) and figure in run.scores
    ]
    if not triples:
        return None
    sign = 1 if more else -1
    gains = [_gain(sign, before, now) for _, before, now in triples]
    worse = [
        WorseCase(run=run, before=before, now=now, losses=run.losses.get(figure, ()))
        for (run, before, now), gain in zip(triples, gains, strict=True)
        if gain < 0
    ]
    return Change(
        figure=figure,
        cases=len(triples),
        before=fmean(before for _, before, _ in triples),
        now=fmean(now for *_, now in triples),
        chance=chance_of_loss(gains),
        better=tuple(run.case.id for (run, *_), gain in zip(triples, gains, strict=True) if gain > 0),
        worse=tuple(worse),
    )


def _gain(sign: int, before: float, now: float) -> float:
    gain = sign * (now - before)
    return gain if abs(gain) > _ROUNDING else 0.0
