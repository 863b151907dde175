"""Segments: the vectors of some whole document versions, made once and never changed."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from core.errors import StoreDamagedError
from core.hashing import stable_id
from core.language import language_of
from core.protocols import Mask, Vectors
from core.store import ChunkRow
from core.vectors import normalised
from ingest.indexes.dense import DenseIndex

Rows = npt.NDArray[np.int32]
Names = npt.NDArray[np.bytes_]

_COLUMNS: Final = (
    "chunk_ids",
    "version_ids",
    "stamps",
    "version_rows",
    "parent_rows",
    "languages",
    "language_rows",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Segment:
    """Row ``i`` of ``dense`` is the chunk ``chunk_ids[i]``.

    It belongs to the version ``version_ids[version_rows[i]]``, to the parent of number ``parent_rows[i]``
    and is written in ``languages[language_rows[i]]``. A version that is stored again has another stamp.
    """

    chunk_ids: Names
    version_ids: Names
    stamps: Names
    version_rows: Rows
    parent_rows: Rows
    languages: Names
    language_rows: Rows
    dense: DenseIndex

    def __len__(self) -> int:
        return len(self.chunk_ids)

    @cached_property
    def name(self) -> str:
        """The same for the same rows."""
        return stable_id("segment", *self.chunk_ids.tolist(), *self.stamps.tolist(), self.dense.is_graph)

    def chunk_id(self, row: int) -> str:
        return bytes(self.chunk_ids[row]).decode()

    @cached_property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """Id and stamp of each version."""
        pairs = zip(self.version_ids.tolist(), self.stamps.tolist(), strict=True)
        return tuple((version_id.decode(), stamp.decode()) for version_id, stamp in pairs)

    @cached_property
    def by_language(self) -> dict[str, Mask]:
        """Which rows are in which language."""
        return {
            name.decode(): np.asarray(self.language_rows == row, dtype=np.bool_)
            for row, name in enumerate(self.languages.tolist())
        }

    def rows_of(self, versions: Mask) -> Mask:
        """The rows of the versions that are marked in ``versions``, ``(len(version_ids),)``."""
        return np.asarray(versions[self.version_rows], dtype=np.bool_)

    @cached_property
    def parents(self) -> DenseIndex:
        """Row ``j`` is the normalised mean of the vectors of the children of parent ``j``."""
        sums = np.zeros((int(self.parent_rows.max(initial=-1)) + 1, self.dense.dimension), dtype=np.float32)
        np.add.at(sums, self.parent_rows, self.dense.vectors)
        return DenseIndex.build(normalised(sums))

    def parents_of(self, rows: Mask) -> Mask:
        """The parents that have a child among ``rows``."""
        mask = np.zeros(len(self.parents), dtype=np.bool_)
        mask[self.parent_rows[rows]] = True
        return mask

    def children_of(self, parent: int) -> npt.NDArray[np.int64]:
        """The rows of the children of a parent, in order."""
        order, starts = self._children
        return order[starts[parent] : starts[parent + 1]]

    @cached_property
    def _children(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        order = np.argsort(self.parent_rows, kind="stable")
        starts = np.searchsorted(self.parent_rows[order], np.arange(len(self.parents) + 1))
        return order, starts

    def columns_to_bytes(self) -> bytes:
        """Everything but the vectors, in NumPy's own format (never a pickle)."""
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, **{name: getattr(self, name) for name in _COLUMNS})
        return file.getvalue()

    @classmethod
    def from_bytes(cls, columns: bytes, dense: npt.NDArray[np.uint8]) -> Segment:
        """Only for bytes whose hashes were checked. Raises ``ValueError`` or ``KeyError`` for others."""
        with np.load(io.BytesIO(columns), allow_pickle=False) as stored:
            segment = cls(dense=DenseIndex.from_bytes(dense), **{name: stored[name] for name in _COLUMNS})
        if (
            len({len(segment), len(segment.dense), *map(len, (segment.version_rows, segment.parent_rows))})
            > 1
        ):
            raise ValueError("the columns of a segment differ in length")
        return segment


@dataclass(slots=True)
class Draft:
    """Rows on their way to becoming a segment, version by version."""

    dimension: int
    _chunk_ids: list[str] = field(default_factory=list)
    _versions: dict[str, str] = field(default_factory=dict)
    _version_rows: list[int] = field(default_factory=list)
    _parents: dict[str, int] = field(default_factory=dict)
    _parent_rows: list[int] = field(default_factory=list)
    _languages: dict[str, int] = field(default_factory=dict)
    _language_rows: list[int] = field(default_factory=list)
    _vectors: list[Vectors] = field(default_factory=list)

    def add(
        self, chunks: Sequence[ChunkRow], stamps: Mapping[str, str], vectors: Mapping[str, Vectors]
    ) -> None:
        """Rows for ``chunks``; ``vectors`` are by hash. Raises ``StoreDamagedError`` when one is missing."""
        missing = [chunk.id for chunk in chunks if chunk.embed_hash not in vectors]
        if missing:
            raise StoreDamagedError(
                reason=f"{len(missing)} chunks have no vector, the first one {missing[0]}"
            )
        for chunk in chunks:
            self._versions.setdefault(chunk.version_id, stamps[chunk.version_id])
            self._chunk_ids.append(chunk.id)
            self._version_rows.append(len(self._versions) - 1)
            self._parent_rows.append(self._parents.setdefault(chunk.parent_id, len(self._parents)))
            self._language_rows.append(self._languages.setdefault(_language(chunk), len(self._languages)))
        self._vectors.append(np.stack([vectors[chunk.embed_hash] for chunk in chunks]))

    def segment(self, graph_from: int) -> Segment:
        """The segment; searched by a graph when it has at least ``graph_from`` rows."""
        matrix = np.concatenate([np.zeros((0, self.dimension), dtype=np.float32), *self._vectors])
        self._vectors.clear()
        return Segment(
            chunk_ids=np.array(self._chunk_ids, dtype=np.bytes_),
            version_ids=np.array(list(self._versions), dtype=np.bytes_),
            stamps=np.array(list(self._versions.values()), dtype=np.bytes_),
            version_rows=np.array(self._version_rows, dtype=np.int32),
            parent_rows=np.array(self._parent_rows, dtype=np.int32),
            languages=np.array(list(self._languages), dtype=np.bytes_),
            language_rows=np.array(self._language_rows, dtype=np.int32),
            dense=DenseIndex.build(matrix, graph=len(matrix) >= graph_from),
        )


def _language(chunk: ChunkRow) -> str:
    return chunk.language or language_of(chunk.embed_text)
