"""What retrieval asks of an index, whether it lies in this process's memory or on a server."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from core.answer import Hit
from core.protocols import Vectors
from core.store import Reader
from ingest.calibration import Aim

Aims = Mapping[str, Aim]
# Version ids that a search may see; ``None`` means all. Applied before the search, never after it.
Allowed = Collection[str] | None


class SearchIndex(Protocol):
    """All child chunks of one generation of the store. Safe to use from several threads.

    Every search returns at most ``limit`` hits, best first, ranks from 1, ties in a fixed order; an empty
    index, an empty ``allowed`` or a limit below 1 finds nothing. Only current versions are found.

    The vectors of sentences are no part of it: ``ingest.indexes.sentence_scores`` reads those of a few
    candidates from the store, the same for every implementation.
    """

    @property
    def generation(self) -> int:
        """The store's generation that this index shows."""
        ...

    def __len__(self) -> int:
        """Number of chunks."""
        ...

    @property
    def mean_by_language(self) -> Mapping[str, Vectors]:
        """The mean vector ``(dimension,)`` of the chunks in each language."""
        ...

    def dense(self, aims: Aims, limit: int, allowed: Allowed = None) -> list[Hit]:
        """Chunks by nearness of meaning; ``aims`` has one for each language of ``mean_by_language``."""
        ...

    def parents(self, aims: Aims, limit: int, allowed: Allowed = None) -> list[Hit]:
        """The best chunk of each of the nearest parents, in the order of the parents."""
        ...

    def lexical(self, tokens: Sequence[str], limit: int, allowed: Allowed = None) -> list[Hit]:
        """Chunks by BM25 of search tokens (``analyze``); scores above 0."""
        ...

    def document_frequency(self, token: str) -> int:
        """How many chunks hold the search token."""
        ...


class SearchIndexes(Protocol):
    """Opens the index that fits a reader; made as ``(settings, store, embedder)``. Shared by threads.

    The row of the registry is ``("search index", name)``, chosen by the setting ``index.name``.
    """

    def at(self, reader: Reader) -> SearchIndex:
        """The index of the reader's generation, brought up to it when it is behind.

        Raises ``ModelMismatchError`` when the store was embedded with another model and
        ``StoreDamagedError`` when a chunk has no vector.
        """
        ...

    def rebuild(self, reader: Reader) -> SearchIndex:
        """The same, made anew from the store, whatever is held or kept."""
        ...
