"""Cuts where a document's own similarities drop, whatever their level.

Sources: 004 for the two thresholds (mean - alpha * deviation, and a percentile); Hearst, "TextTiling" (1997)
for the depth of a valley, which finds known borders best: F1 .91, .93 and .82 on joined paragraphs of CMRC, DRCD
and English encyclopedia answers, against .67, .69, .72 and .53, .58, .66 of the two thresholds between single
sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.hashing import stable_id
from core.settings import ChunkingSettings
from ingest.sections import Section
from ingest.splitters.piece import Piece
from ingest.splitters.sentence_runs import Chain, chains_of, pieces_of
from ingest.splitters.splitter import Need, SplitTools

Values = npt.NDArray[np.float32]


class BoundarySplitter:
    """One threshold a document, from the similarities of all its neighbours; then adaptive merging."""

    needs: ClassVar[frozenset[Need]] = frozenset({"similarity"})

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None:
        self._settings = settings
        self._similarity = tools.required_similarity()
        self.fingerprint = stable_id(
            "boundary-1",
            settings.min_tokens,
            settings.soft_tokens,
            settings.hard_tokens,
            settings.overlap_tokens,
            settings.boundary_rule,
            settings.boundary_percentile
            if settings.boundary_rule == "percentile"
            else settings.boundary_alpha,
            settings.boundary_window,
            self._similarity.fingerprint,
        )

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section, in order; ``sections`` are those of one document."""
        chains = chains_of(sections, self._settings, self._similarity, self._settings.boundary_window)
        drops = self._drops([chain.alike for chain in chains])
        return [
            pieces_of(chain, self._cuts(chain, is_drop), self._settings)
            for chain, is_drop in zip(chains, drops, strict=True)
        ]

    def _drops(self, alike: Sequence[Values]) -> list[npt.NDArray[np.bool_]]:
        if self._settings.boundary_rule == "valley":
            return valleys(alike, self._settings.boundary_alpha)
        known = _finite(alike)
        if not known.size:
            return [np.zeros(len(values), dtype=np.bool_) for values in alike]
        if self._settings.boundary_rule == "percentile":
            bound = np.percentile(known, self._settings.boundary_percentile)
        else:
            bound = known.mean() - self._settings.boundary_alpha * known.std()
        below = [values < bound for values in alike]
        if self._settings.boundary_window == 1:
            return below
        # Neighbouring borders share sentences then: only the lowest of them is the border.
        return [drop & _lowest(values) for drop, values in zip(below, alike, strict=True)]

    def _cuts(self, chain: Chain, is_drop: npt.NDArray[np.bool_]) -> dict[int, str]:
        name = "valley" if self._settings.boundary_rule == "valley" else "similarity"
        return {int(at): f"{name} {chain.alike[at]:.2f}" for at in np.flatnonzero(is_drop)}


def valleys(alike: Sequence[Values], alpha: float) -> list[npt.NDArray[np.bool_]]:
    """Which values are local minima deeper than the mean depth plus ``alpha`` standard deviations.

    ``alike`` holds one row a section; infinite values are no borders. Mean and deviation are those of the depths
    of all rows.
    """
    depths = [_depths(values) for values in alike]
    known = np.concatenate([depth[np.isfinite(depth)] for depth in depths]) if depths else np.zeros(0)
    if not known.size:
        return [np.zeros(len(values), dtype=np.bool_) for values in alike]
    bound = known.mean() + alpha * known.std()
    return [
        _lowest(values) & np.isfinite(depth) & (depth > bound)
        for values, depth in zip(alike, depths, strict=True)
    ]


def _depths(values: Values) -> npt.NDArray[np.float64]:
    """How far each value lies below the peaks reached by climbing from it to both sides, summed; infinite
    values are left out of the row and stay infinite."""
    depths = np.full(len(values), np.inf)
    places = np.flatnonzero(np.isfinite(values))
    row = values[places].astype(np.float64).tolist()
    depths[places] = np.add(_climbs(row), _climbs(row[::-1])[::-1])
    return depths


def _climbs(row: Sequence[float]) -> list[float]:
    """How far it goes up from each value to the one before it, and on as long as it goes up."""
    climbs: list[float] = []
    for place, value in enumerate(row):
        step = row[place - 1] - value if place else -1.0
        climbs.append(climbs[-1] + step if step >= 0 else 0.0)
    return climbs


def _lowest(values: Values) -> npt.NDArray[np.bool_]:
    """Whether no direct neighbour is lower; of a flat bottom only the first counts."""
    before = np.concatenate([[np.inf], values[:-1]])
    after = np.concatenate([values[1:], [np.inf]])
    return (values < before) & (values <= after)


def _finite(alike: Sequence[Values]) -> Values:
    return (
        np.concatenate([values[np.isfinite(values)] for values in alike])
        if alike
        else np.zeros(0, np.float32)
    )
