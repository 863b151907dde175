"""Which runs of neighbouring units make an extracted answer: as likely as can be for their length."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

# In columns, where a Chinese character takes two: some five sentences.
_MAX_WIDTH: Final = 600
# A shorter run takes the place of the likeliest one when it has this share of its likelihood.
_ENOUGH: Final = 0.98
_MAX_RUNS: Final = 3
# 4.1, 第三十二条: numbers that mean one part. A bare 4 stands in too many texts.
_NUMBER: Final = re.compile(r"\s*(\d{1,3}(?:\.\d{1,3})+|第[〇零一二三四五六七八九十百千\d]{1,8}[条條章节節])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The units from ``first`` to ``last``, and how likely (0..1) the answer is among them."""

    first: int
    last: int
    likelihood: float

    def __contains__(self, index: int) -> bool:
        return self.first <= index <= self.last


def runs(
    likelihoods: npt.NDArray[np.float64],
    widths: Sequence[int],
    follows: Callable[[int], bool],
    *,
    least: float,
) -> list[Run]:
    """The likeliest run of units, then up to two more of at least ``least``; none shares a unit with another.

    ``follows`` tells whether a unit may be joined with the one before it. A run is no wider than 600 columns
    unless it is one unit. Ties go to the shorter run, then to the first.
    """
    found: list[Run] = []
    while len(found) < _MAX_RUNS:
        free = list(_free(likelihoods, widths, follows, found))
        best = max((run.likelihood for run, _ in free), default=0.0)
        if not free or (found and best < least):
            break
        enough = [(width, run.first, run) for run, width in free if run.likelihood >= _ENOUGH * best]
        found.append(min(enough, key=lambda one: one[:2])[2])
    return found


def _free(
    likelihoods: npt.NDArray[np.float64],
    widths: Sequence[int],
    follows: Callable[[int], bool],
    taken: Sequence[Run],
) -> Iterator[tuple[Run, int]]:
    """Every run that may be one, with its width."""
    for first in range(len(widths)):
        likelihood, width = 0.0, 0
        for last in range(first, len(widths)):
            likelihood, width = likelihood + float(likelihoods[last]), width + widths[last]
            is_taken = any(last in run for run in taken)
            if is_taken or (last > first and (width > _MAX_WIDTH or not follows(last))):
                break
            yield Run(first=first, last=last, likelihood=likelihood), width


def named_by(chosen: str, heading: str, shown: str) -> bool:
    """Whether ``chosen`` names, by its number, the part that ``heading`` stands over or ``shown`` begins with."""
    for text in (heading, shown):
        number = _NUMBER.match(text)
        if number and re.search(rf"(?<![\d.]){re.escape(number[1])}(?!\.?\d)", chosen):
            return True
    return False
