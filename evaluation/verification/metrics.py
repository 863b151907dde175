"""The figures of a checker: what it finds of the false sentences, and what it says of the true ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.verdict import Verdict
from evaluation.intervals import Interval, interval
from evaluation.verification.checkers import Judged

Floats = NDArray[np.float64]
# What a changed number is: its digits, what it counts, a date.
NUMERIC: Final = frozenset({"number", "unit", "date"})
GOAL: Final = NUMERIC | {"negation"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Of ``positives`` false sentences and ``negatives`` true ones; each figure is a share from 0 to 1.

    ``recall`` is the share of the false ones that are flagged, ``alarms`` that of the true ones, and
    ``precision`` what share of the flagged are false where there are as many false sentences as true
    ones: recall / (recall + alarms). So figures of kinds with unlike numbers of cases can be compared.
    """

    positives: int
    negatives: int
    recall: Interval
    alarms: Interval
    precision: Interval


Flags = Callable[[Judged], bool]


def unsupported(one: Judged) -> bool:
    """Whether it is called unsupported."""
    return one.verdict is Verdict.UNSUPPORTED


def not_supported(one: Judged) -> bool:
    """Whether it is called anything but supported."""
    return one.verdict is not Verdict.SUPPORTED


def figures_of(false: Sequence[Judged], true: Sequence[Judged], flags: Flags = unsupported) -> Figures | None:
    """The figures with their 95 % intervals; nothing without false or without true sentences."""
    if not false or not true:
        return None
    hits = [float(flags(one)) for one in false]
    alarms = [float(flags(one)) for one in true]
    return Figures(
        positives=len(hits),
        negatives=len(alarms),
        recall=interval(_first, hits),
        alarms=interval(_first, alarms),
        precision=interval(_precision, hits, alarms),
    )


def _first(mean: Floats) -> Floats:
    return mean


def _precision(recall: Floats, alarms: Floats) -> Floats:
    """One where nothing is flagged at all: nothing is flagged wrongly."""
    flagged = recall + alarms
    return np.divide(recall, flagged, out=np.ones_like(flagged), where=flagged > 0)


def confusion(judged: Sequence[Judged]) -> dict[tuple[Verdict, Verdict], int]:
    """How many cases, by what was expected and what was said."""
    counts = Counter((one.case.expected, one.verdict) for one in judged)
    return {(expected, said): counts[expected, said] for expected in Verdict for said in Verdict}


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The judged cases of one language, "" for all, by what was expected of them."""

    true: tuple[Judged, ...]
    false: tuple[Judged, ...]
    partly: tuple[Judged, ...]

    @classmethod
    def of(cls, judged: Sequence[Judged], lang: str = "") -> Split:
        taken = [one for one in judged if lang in ("", one.case.lang)]
        return cls(
            true=tuple(one for one in taken if one.case.expected is Verdict.SUPPORTED),
            false=tuple(one for one in taken if one.case.expected is Verdict.UNSUPPORTED),
            partly=tuple(one for one in taken if one.case.expected is Verdict.PARTLY),
        )

    def false_of(self, kinds: frozenset[str]) -> tuple[Judged, ...]:
        return tuple(one for one in self.false if one.case.kind in kinds)


def milliseconds(judged: Sequence[Judged]) -> tuple[float, float]:
    """The median and the 95th percentile of a check, (0, 0) without one."""
    spent = [one.ms for one in judged]
    if len(spent) < 2:
        return (spent[0], spent[0]) if spent else (0.0, 0.0)
    return median(spent), quantiles(spent, n=20)[-1]


def rightness(judged: Sequence[Judged]) -> list[float]:
    """For each case 1 when it got what was expected, else 0: what two checkers are compared by."""
    return [float(one.verdict is one.case.expected) for one in judged]
