"""Exact inner-product search with FAISS over normalised vectors: the score is the cosine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import faiss
import numpy as np
import numpy.typing as npt

from core.protocols import Mask, Vectors

# The package's stubs describe its C++ signatures, not those of its Python wrappers.
_FAISS: Any = faiss


class DenseIndex:
    """Rows are positions 0..n-1 in the order given."""

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def build(cls, vectors: Vectors) -> DenseIndex:
        """``vectors``: ``(n, dimension) float32``, L2-normalised; n may be 0."""
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        return cls(index)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        return int(self._index.d)

    def search(self, query: Vectors, limit: int, allowed: Mask | None = None) -> list[tuple[int, float]]:
        """Positions and cosines of the nearest rows, best first; ``query`` is ``(dimension,)``.

        Only rows where ``allowed`` is true are looked at; fewer than ``limit`` come back when there are
        fewer.
        """
        if not len(self) or limit < 1 or (allowed is not None and not allowed.any()):
            return []
        parameters = None
        if allowed is not None:
            bits = np.packbits(allowed, bitorder="little")
            parameters = _FAISS.SearchParameters(sel=_FAISS.IDSelectorBitmap(bits))
        scores, positions = self._index.search(
            np.ascontiguousarray(query[None, :]), min(limit, len(self)), params=parameters
        )
        return [
            (int(position), float(score))
            for position, score in zip(positions[0], scores[0], strict=True)
            if position >= 0
        ]

    def scores(self, query: Vectors, rows: Sequence[int]) -> Vectors:
        """Cosines of the given rows to ``query``, ``(len(rows),) float32``."""
        return np.asarray(self._index.reconstruct_batch(list(rows)) @ query, dtype=np.float32)

    def mean(self, rows: npt.NDArray[np.int64]) -> Vectors:
        """The mean ``(dimension,)`` of the given rows, at least one; not normalised."""
        return np.asarray(self._index.reconstruct_batch(rows).mean(axis=0), dtype=np.float32)

    def to_bytes(self) -> bytes:
        """FAISS's own file format (never a pickle)."""
        return bytes(faiss.serialize_index(self._index).tobytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> DenseIndex:
        """Only for bytes whose hash was checked: FAISS trusts what it reads."""
        return cls(faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8)))
