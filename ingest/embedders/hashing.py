"""A model-free embedder: signed feature hashing of words and character pairs. For tests and tiny machines."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from core.protocols import Vectors
from core.settings import Settings
from ingest.indexes.analyzer import analyze


class HashingEmbedder:
    """64 dimensions; near texts share words. Deterministic on every machine."""

    dimension = 64
    max_tokens = 512
    fingerprint = "hashing-2/64/l2"

    def __init__(self, settings: Settings) -> None:
        del settings

    def count(self, texts: Sequence[str]) -> list[int]:
        """One token for two characters, and two for the model's own marks."""
        return [2 + (len(text) + 1) // 2 for text in texts]

    def passages(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for token in analyze(text) or ["\0"]:
                code = zlib.crc32(token.encode("utf-8", "surrogatepass"))
                vectors[row, code % self.dimension] += 1.0 if code & 0x10000 else -1.0
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors[norms[:, 0] == 0, 0] = 1.0
        norms[norms == 0] = 1.0
        return np.asarray(vectors / norms, dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self.passages(texts)
