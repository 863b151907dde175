"""Turning one knob after the other: what is better on the questions to pick by stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.gate.noise import chance_of_loss
from evaluation.intervals import Difference, paired_difference
from evaluation.tuning.knobs import Knob

# Milder than what is recommended by: the half that is held back decides.
_WORTH_TRYING: Final = 0.1
LEVEL: Final = 0.05
# A gain under this is no reason to change anything, however certain.
LEAST_GAIN: Final = 0.005

Changes = dict[str, str]
Scores = dict[str, float]
# Scores by question of the settings with these changes, on the questions to pick by.
Measure = Callable[[Changes], Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One value. ``chance`` is that of a gain so large among the knob's values when all are alike."""

    knob: str
    value: str
    mean: float
    gain: float
    chance: float
    is_taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """What was ``chosen``, and every try in its order."""

    chosen: Changes
    start: Scores
    end: Scores
    tries: tuple[Try, ...]


def climb(knobs: Sequence[Knob], measure: Measure, is_now: Callable[[str, str], bool]) -> Climb:
    """One round over the knobs; ``is_now`` says whether a knob has a value already, which is then not tried.

    Raises what ``measure`` raises.
    """
    chosen: Changes = {}
    start = current = measure({})
    tries: list[Try] = []
    for knob in knobs:
        values = [value for value in knob.values if not is_now(knob.setting, value)]
        found = [(value, measure(chosen | knob.changes(value))) for value in values]
        rated = [(value, scores, chance_of(current, scores, len(found))) for value, scores in found]
        good = [row for row in rated if row[2] <= _WORTH_TRYING]
        best = max(good, key=lambda row: mean(row[1]), default=None)
        for value, scores, chance in rated:
            tries.append(
                Try(
                    knob=knob.setting,
                    value=value,
                    mean=mean(scores),
                    gain=mean(scores) - mean(current),
                    chance=chance,
                    is_taken=best is not None and value == best[0],
                )
            )
        if best is not None:
            chosen, current = chosen | knob.changes(best[0]), best[1]
    return Climb(chosen=chosen, start=start, end=current, tries=tuple(tries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The chosen settings against the present ones on questions that had no part in choosing."""

    before: Scores
    after: Scores
    gain: Difference
    chance: float

    @property
    def is_beyond_noise(self) -> bool:
        """And by enough to change anything."""
        return self.gain.low > 0 and self.chance <= LEVEL and self.gain.mean >= LEAST_GAIN


def proof(before: Scores, after: Scores) -> Proof:
    """Raises ``ValueError`` for scores of other questions."""
    if before.keys() != after.keys():
        raise ValueError("expected the same questions")
    gain = paired_difference(list(before.values()), [after[key] for key in before])
    return Proof(before=before, after=after, gain=gain, chance=chance_of(before, after, 1))


def chance_of(before: Scores, after: Scores, tries: int) -> float:
    """How likely (0..1) a gain so large is when nothing differs and the best of ``tries`` is looked at.

    One-sided paired randomisation test, times the tries (Bonferroni)."""
    return min(1.0, chance_of_loss([before[key] - after[key] for key in before]) * max(tries, 1))


def mean(scores: Scores) -> float:
    return sum(scores.values()) / len(scores)
