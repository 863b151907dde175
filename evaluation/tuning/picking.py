"""Settings picked on one half of the questions and judged on the other."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.retrieval.questions import Question
from evaluation.tuning.climb import climb, proof
from evaluation.tuning.halves import halves_of
from evaluation.tuning.knobs import Knob
from evaluation.tuning.measuring import Bench
from evaluation.tuning.report import Tuned


def tuned(bench: Bench, knobs: Sequence[Knob], questions: Sequence[Question]) -> Tuned:
    """The half held back is asked only when something was chosen. Raises what measuring raises, and
    ``SettingsError`` for too few questions."""
    halves = halves_of(questions)
    climbed = climb(knobs, lambda changes: bench.scores(changes, halves.picked_on), bench.is_now)
    judged = None
    if climbed.chosen:
        before, after = (bench.scores(made, halves.held_back) for made in ({}, climbed.chosen))
        judged = proof(before, after)
    return Tuned(set_name=bench.name, figure=bench.figure, halves=halves, climb=climbed, proof=judged)
