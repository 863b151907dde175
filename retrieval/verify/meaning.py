"""How near a sentence is in meaning to the sentences of a source, in its own language or another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from core.language import language_of
from core.protocols import Embedder, Vectors
from ingest.calibration import Calibration, centred

_KEPT: Final = 2048
# Cosines of vectors with their language's mean taken off. Translations of a sentence lay at 0.40 to 0.64, other
# sentences across languages at 0.05 with a deviation of 0.11 (15 statutes and reports, English over Chinese).
TRANSLATED: Final = 0.4
# In one language near-copies lie at 0.9, neighbours in a paragraph at 0.4 (shared/design/models.md).
REWORDED: Final = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The place in the list that was asked about, and the cosine there."""

    place: int
    cosine: float


class Meaning:
    """Compares by an embedding model whose languages were measured. Safe to share between threads."""

    def __init__(self, embedder: Embedder, calibration: Calibration) -> None:
        self._embedder = embedder
        self._means = {
            name: np.asarray(scale.passage_mean, dtype=np.float32)
            for name, scale in calibration.languages.items()
        }
        self._vector = lru_cache(_KEPT)(self._encoded)

    def nearest(self, sentence: str, texts: Sequence[str]) -> Nearest | None:
        """The text nearest to ``sentence``; ``None`` without texts in a language that was measured.

        Raises ``EmbeddingError``.
        """
        own = self._vector(sentence)
        others = [self._vector(text) for text in texts]
        scored = [
            (float(own @ other), -place)
            for place, other in enumerate(others)
            if other is not None and own is not None
        ]
        if not scored:
            return None
        cosine, place = max(scored)
        return Nearest(place=-place, cosine=cosine)

    def _encoded(self, text: str) -> Vectors | None:
        mean = self._means.get(language_of(text))
        if mean is None:
            return None
        vector: Vectors = centred(self._embedder.passages([text]), mean)[0]
        return vector
