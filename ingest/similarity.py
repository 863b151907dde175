"""How alike neighbouring texts are, on the calibrated scale of the embedding model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.protocols import Embedder, Vectors
from ingest.calibration import Calibration

_BATCH = 64


class Similarity:
    """Encodes each distinct text once, in batches of like length."""

    def __init__(self, embedder: Embedder, calibration: Calibration | None) -> None:
        self._embedder = embedder
        self._calibration = calibration
        self.is_calibrated = calibration is not None

    @property
    def fingerprint(self) -> str:
        """Changes with the model and with whether its scale is known."""
        return f"{self._embedder.fingerprint}/{'calibrated' if self.is_calibrated else 'raw'}"

    @property
    def max_tokens(self) -> int:
        """The longest text that can be encoded, in the model's tokens."""
        return self._embedder.max_tokens

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised. Raises ``EmbeddingError``."""
        if not texts:
            return np.zeros((0, self._embedder.dimension), dtype=np.float32)
        distinct = sorted(dict.fromkeys(texts), key=len)
        made: dict[str, Vectors] = {}
        for start in range(0, len(distinct), _BATCH):
            batch = distinct[start : start + _BATCH]
            made.update(zip(batch, self._embedder.passages(batch), strict=True))
        return np.stack([made[text] for text in texts])

    def between(self, left: Vectors, right: Vectors, language: str) -> Vectors:
        """Row by row, ``(n,) float32``: about 0.35 for unrelated texts and 0.95 for near-copies when the
        model is calibrated, else the plain cosine."""
        if self._calibration is None:
            return np.asarray((left * right).sum(axis=1), dtype=np.float32)
        return self._calibration.similarity(left, right, language)
