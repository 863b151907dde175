"""Whether what is refused should be, and whether what should be is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.intervals import Interval, interval

Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Positive is a refusal of a question without an answer; each 0..1 with its 95 % interval."""

    precision: Interval
    recall: Interval
    f1: Interval


def refusal(unanswerable: Sequence[bool], answerable: Sequence[bool]) -> Refusal | None:
    """Of what was refused among the questions of both kinds; ``None`` where one kind is missing.

    Precision is 1 where nothing was refused.
    """
    if not unanswerable or not answerable:
        return None
    right, wrong = [float(one) for one in unanswerable], [float(one) for one in answerable]

    def precision(found: Shares, lost: Shares) -> Shares:
        refused = found * len(right) + lost * len(wrong)
        return np.divide(found * len(right), refused, out=np.ones_like(found), where=refused > 0)

    def f1(found: Shares, lost: Shares) -> Shares:
        both = found * len(right) * 2
        total = found * len(right) + lost * len(wrong) + len(right)
        return np.asarray(both / total)

    return Refusal(
        precision=interval(precision, right, wrong),
        recall=interval(lambda found: found, right),
        f1=interval(f1, right, wrong),
    )
