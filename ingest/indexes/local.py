"""The index in this process's memory: segments of vectors, and an index by words, of one generation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from core.answer import Hit
from core.protocols import Mask, Vectors
from ingest.indexes.lexical import LexicalIndex
from ingest.indexes.merging import Part
from ingest.indexes.search_index import Aims, Allowed

# Sets of versions whose rows are remembered: about as many as users ask at the same time.
_REMEMBERED: Final = 32


class LocalIndex:
    """Implements ``SearchIndex``. Never changes."""

    def __init__(
        self, *, generation: int, model: str, dimension: int, parts: tuple[Part, ...], words: LexicalIndex
    ) -> None:
        self.generation = generation
        self.model = model
        self.dimension = dimension
        self.parts = parts
        self.words = words
        self._remembered: dict[frozenset[str], tuple[Mask, ...]] = {}

    def at(self, generation: int) -> LocalIndex:
        """The same as the index of another generation, in which nothing else was to be found."""
        return LocalIndex(
            generation=generation,
            model=self.model,
            dimension=self.dimension,
            parts=self.parts,
            words=self.words,
        )

    def __len__(self) -> int:
        return sum(part.size for part in self.parts)

    @cached_property
    def versions(self) -> dict[str, str]:
        """Stamps of all versions that are found, by id."""
        return {
            version_id: stamp
            for part in self.parts
            for (version_id, stamp), live in zip(part.segment.versions, part.live, strict=True)
            if live
        }

    @cached_property
    def mean_by_language(self) -> dict[str, Vectors]:
        """The mean vector ``(dimension,)`` of the chunks in each language."""
        sums: dict[str, npt.NDArray[np.float64]] = {}
        counts: dict[str, int] = {}
        for part in self.parts:
            for language, rows in part.segment.by_language.items():
                seen = rows & part.rows
                if count := int(np.count_nonzero(seen)):
                    total = part.segment.dense.sum_of(seen)
                    sums[language] = sums[language] + total if language in sums else total
                    counts[language] = counts.get(language, 0) + count
        return {name: np.asarray(sums[name] / counts[name], dtype=np.float32) for name in sorted(sums)}

    def dense(self, aims: Aims, limit: int, allowed: Allowed = None) -> list[Hit]:
        """Chunks by nearness of meaning; the rows of each language are searched with its own aim."""
        found: list[tuple[float, str]] = []
        for part, rows in zip(self.parts, self._allowed(allowed), strict=True):
            for language, mask in part.segment.by_language.items():
                aim = aims.get(language)
                if aim is None:
                    continue
                hits = part.segment.dense.search(aim.vector, limit, rows & mask)
                found += ((score - aim.offset, part.segment.chunk_id(row)) for row, score in hits)
        return _hits(found, limit, "dense")

    def parents(self, aims: Aims, limit: int, allowed: Allowed = None) -> list[Hit]:
        """The best chunk of each of the nearest parents, in the order of the parents."""
        found: list[tuple[float, str]] = []
        for part, rows in zip(self.parts, self._allowed(allowed), strict=True):
            segment = part.segment
            nearest: dict[int, tuple[float, Vectors]] = {}
            for language, mask in segment.by_language.items():
                aim = aims.get(language)
                if aim is None:
                    continue
                hits = segment.parents.search(aim.vector, limit, segment.parents_of(rows & mask))
                for parent, score in hits:
                    # A parent in two languages counts in the one it is nearer in.
                    best = (score - aim.offset, aim.vector)
                    nearest[parent] = max(nearest.get(parent, best), best, key=lambda pair: pair[0])
            for parent, (score, vector) in nearest.items():
                children = segment.children_of(parent)
                first = children[int(segment.dense.scores(vector, children).argmax())]
                found.append((score, segment.chunk_id(int(first))))
        return _hits(found, limit, "parent")

    def lexical(self, tokens: Sequence[str], limit: int, allowed: Allowed = None) -> list[Hit]:
        """Chunks by BM25 of search tokens."""
        found = self.words.search(tokens, limit, None if allowed is None else frozenset(allowed))
        return [
            Hit(chunk_id=chunk_id, score=score, rank=rank, source="lexical")
            for rank, (chunk_id, score) in enumerate(found, start=1)
        ]

    def document_frequency(self, token: str) -> int:
        """How many chunks hold the token."""
        return self.words.document_frequency(token)

    def _allowed(self, allowed: Allowed) -> tuple[Mask, ...]:
        """The rows of each part that a search may see."""
        if allowed is None:
            return tuple(part.rows for part in self.parts)
        wanted = frozenset(allowed)
        found = self._remembered.get(wanted)
        if found is None:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            found = self._remembered[wanted] = self._rows_of(wanted)
        return found

    def _rows_of(self, allowed: frozenset[str]) -> tuple[Mask, ...]:
        masks = []
        for part in self.parts:
            named = (version_id in allowed for version_id, _ in part.segment.versions)
            versions = np.fromiter(named, dtype=np.bool_, count=len(part.live))
            masks.append(part.segment.rows_of(versions & part.live))
        return tuple(masks)


def _hits(found: Iterable[tuple[float, str]], limit: int, source: str) -> list[Hit]:
    """The best ``limit``, ties by chunk id."""
    ordered = sorted(found, key=lambda pair: (-pair[0], pair[1]))[: max(limit, 0)]
    return [
        Hit(chunk_id=chunk_id, score=score, rank=rank, source=source)
        for rank, (score, chunk_id) in enumerate(ordered, start=1)
    ]
