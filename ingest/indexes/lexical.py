"""BM25+ through rank-bm25: its inverse document frequency is never negative."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rank_bm25 import BM25Plus

from core.protocols import Mask


class Bm25PlusIndex:
    """Holds the corpus in memory; an empty corpus finds nothing.

    Source: Lv and Zhai, "Lower-Bounding Term Frequency Normalization", CIKM 2011.
    """

    def __init__(self, corpus: Sequence[Sequence[str]]) -> None:
        self._size = len(corpus)
        # The package divides by the average length: a corpus without any token is kept out of it.
        self._bm25 = BM25Plus([list(tokens) for tokens in corpus]) if any(corpus) else None

    def __len__(self) -> int:
        return self._size

    def search(
        self, tokens: Sequence[str], limit: int, allowed: Mask | None = None
    ) -> list[tuple[int, float]]:
        """Positions and scores (> 0), best first, ties by position."""
        if self._bm25 is None:
            return []
        known = [token for token in dict.fromkeys(tokens) if token in self._bm25.idf]
        if not known:
            return []
        scores = np.asarray(self._bm25.get_scores(known), dtype=np.float64)
        # The package grants the constant delta to every text, with the word or without, so it changes no
        # order; taken off, a text without any of the words has the score 0.
        scores -= self._bm25.delta * sum(self._bm25.idf[token] for token in known)
        if allowed is not None:
            scores = np.where(allowed, scores, 0.0)
        order = np.lexsort((np.arange(self._size), -scores))[:limit]
        return [(int(position), float(scores[position])) for position in order if scores[position] > 1e-9]
