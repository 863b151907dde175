"""Inner-product search with FAISS over normalised vectors: the score is the cosine.

Exact up to a number of rows, by a graph (HNSW) beyond it. Rows are never taken out: a search names the
rows it may see, so what is gone is left out exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import faiss
import numpy as np
import numpy.typing as npt

from core.protocols import Mask, Vectors

# The package's stubs describe its C++ signatures, not those of its Python wrappers.
_FAISS: Any = faiss
# Malkov and Yashunin, TPAMI 2020: neighbours of a node, and nodes looked at when building and searching.
# Measured in docs/benchmarks.md against exact search.
_NEIGHBOURS: Final = 32
_LOOKED_AT_BUILDING: Final = 100
_LOOKED_AT_SEARCHING: Final = 200
# A graph loses its way among few allowed rows; looking at each of them is faster then, and exact.
_FEW_ROWS: Final = 50_000


class DenseIndex:
    """Rows are positions 0..n-1 in the order given."""

    def __init__(self, index: Any, keep: npt.NDArray[np.uint8] | None = None) -> None:
        self._index = index
        # Where the vectors lie, when FAISS only looks at them.
        self._keep = keep

    @classmethod
    def build(cls, vectors: Vectors, *, graph: bool = False) -> DenseIndex:
        """``vectors``: ``(n, dimension) float32``, L2-normalised; n may be 0. ``graph`` makes it HNSW."""
        dimension = vectors.shape[1]
        index: Any
        if graph:
            index = faiss.IndexHNSWFlat(dimension, _NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction = _LOOKED_AT_BUILDING
        else:
            index = faiss.IndexFlatIP(dimension)
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        return cls(index)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        return int(self._index.d)

    @property
    def is_graph(self) -> bool:
        """Whether searches may miss a row."""
        return isinstance(self._index, faiss.IndexHNSW)

    @cached_property
    def vectors(self) -> Vectors:
        """All rows ``(n, dimension) float32``; a view, not to be written to."""
        shape = (len(self), self.dimension)
        if not len(self):
            return np.zeros(shape, dtype=np.float32)
        view = _FAISS.rev_swig_ptr(self._exact.get_xb(), shape[0] * shape[1])
        return np.asarray(view, dtype=np.float32).reshape(shape)

    @property
    def _exact(self) -> Any:
        return _FAISS.downcast_index(self._index.storage) if self.is_graph else self._index

    def search(self, query: Vectors, limit: int, allowed: Mask | None = None) -> list[tuple[int, float]]:
        """Positions and cosines of the nearest rows, best first; ``query`` is ``(dimension,)``.

        Only rows where ``allowed`` is true are looked at; fewer than ``limit`` come back when there are
        fewer.
        """
        seen = np.ones(len(self), dtype=np.bool_) if allowed is None else allowed
        wanted = min(limit, int(np.count_nonzero(seen)))
        if wanted < 1:
            return []
        found: list[tuple[int, float]] = []
        if self.is_graph and np.count_nonzero(seen) > _FEW_ROWS:
            found = self._search(self._index, query, wanted, seen)
        return found if len(found) == wanted else self._search(self._exact, query, wanted, seen)

    def _search(self, index: Any, query: Vectors, limit: int, seen: Mask) -> list[tuple[int, float]]:
        # With a selector FAISS goes through the rows one by one, which for one question is four times as
        # fast as its blocked product: hence a selector even where every row is allowed.
        selector = _FAISS.IDSelectorBitmap(np.packbits(seen, bitorder="little"))
        if index is self._index and self.is_graph:
            looked_at = max(_LOOKED_AT_SEARCHING, 2 * limit)
            parameters = _FAISS.SearchParametersHNSW(sel=selector, efSearch=looked_at)
        else:
            parameters = _FAISS.SearchParameters(sel=selector)
        scores, positions = index.search(
            np.ascontiguousarray(query[None, :], dtype=np.float32), limit, params=parameters
        )
        return [
            (int(position), float(score))
            for position, score in zip(positions[0], scores[0], strict=True)
            if position >= 0
        ]

    def scores(self, query: Vectors, rows: Sequence[int] | npt.NDArray[np.int64]) -> Vectors:
        """Cosines of the given rows to ``query``, ``(len(rows),) float32``."""
        return np.asarray(self.vectors[rows] @ query, dtype=np.float32)

    def sum_of(self, rows: Mask) -> npt.NDArray[np.float64]:
        """The sum ``(dimension,)`` of the rows where ``rows`` is true."""
        # A product with the mask, not a copy of the rows.
        return np.asarray(rows.astype(np.float32) @ self.vectors, dtype=np.float64)

    def to_bytes(self) -> npt.NDArray[np.uint8]:
        """FAISS's own file format (never a pickle)."""
        return np.asarray(faiss.serialize_index(self._index), dtype=np.uint8)

    @classmethod
    def from_bytes(cls, data: npt.NDArray[np.uint8]) -> DenseIndex:
        """Only for bytes whose hash was checked: FAISS trusts what it reads. They are not copied."""
        reader = _FAISS.ZeroCopyIOReader(_FAISS.swig_ptr(data), len(data))
        return cls(_FAISS.read_index(reader, _FAISS.IO_FLAG_MMAP_IFC), data)
