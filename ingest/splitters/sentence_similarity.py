"""Cuts between neighbouring sentences that are less alike than a fixed bound.

Source: 001 (methods.md), whose 0.7 is meant for another model's cosines; here it is a value on the
calibrated scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from core.hashing import stable_id
from core.settings import ChunkingSettings
from ingest.sections import Section
from ingest.splitters.piece import Piece
from ingest.splitters.sentence_runs import chains_of, pieces_of
from ingest.splitters.splitter import Need, SplitTools


class SentenceSimilaritySplitter:
    """Sentence by sentence, one bound for every document; then joined under the minimum, cut over the maximum."""

    needs: ClassVar[frozenset[Need]] = frozenset({"similarity"})

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None:
        self._settings = settings
        self._similarity = tools.required_similarity()
        self.fingerprint = stable_id(
            "sentence-similarity-1",
            settings.min_tokens,
            settings.soft_tokens,
            settings.hard_tokens,
            settings.overlap_tokens,
            settings.similarity_threshold,
            self._similarity.fingerprint,
        )

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section, in order."""
        result: list[list[Piece]] = []
        for chain in chains_of(sections, self._settings, self._similarity, 1):
            below = np.flatnonzero(chain.alike < self._settings.similarity_threshold)
            cuts = {int(at): f"similarity {chain.alike[at]:.2f}" for at in below}
            result.append(pieces_of(chain, cuts, self._settings))
        return result
