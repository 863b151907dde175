"""Whether a loss on the same cases is more than chance, for sets of any size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

# Up to so many cases that differ, every way to turn their signs is counted.
_EXACT: Final = 14
_DRAWS: Final = 20_000
# A mean that differs by less is the same but for rounding.
_EPSILON: Final = 1e-9


def chance_of_loss(gains: Sequence[float], seed: int = 0) -> float:
    """How likely (0..1) gains as bad as these, or worse, are when better and worse are a matter of chance.

    ``gains`` are current - baseline, higher being better. One-sided paired randomisation test: the sign of
    each difference is turned in every possible way (of many, by ``_DRAWS`` draws that are the same each
    time); exact for small sets, where a bootstrap is not. Five cases that are worse and none that is better
    come to 1/32. Source: Fisher, "The Design of Experiments", 1935; for retrieval Smucker, Allan and
    Carterette, "A Comparison of Statistical Significance Tests", CIKM 2007.
    """
    differing = np.asarray([gain for gain in gains if abs(gain) > _EPSILON], dtype=np.float64)
    if not len(differing):
        return 1.0
    turned = _signs(len(differing), seed) @ np.abs(differing)
    as_bad = turned <= differing.sum() + _EPSILON
    if len(differing) <= _EXACT:
        return float(as_bad.mean())
    # What was seen is one of the ways: a draw of none as bad is not proof that there is none.
    return float((as_bad.sum() + 1) / (len(as_bad) + 1))


def _signs(count: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    if count <= _EXACT:
        bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    else:
        bits = np.random.default_rng(seed).integers(0, 2, size=(_DRAWS, count))
    return np.asarray(2 * bits - 1, dtype=np.float64)
