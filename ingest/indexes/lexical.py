"""Search by words: what an index over search tokens offers, and BM25+ through rank-bm25 for small bases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol, Self

import numpy as np
from rank_bm25 import BM25Plus

from core.store.blobs import write_durably
from ingest.indexes.search_index import Allowed

_FILE = "tokens.jsonl"


class Entry(NamedTuple):
    """A chunk as it is found by words: its search tokens, and the version it belongs to."""

    chunk_id: str
    version_id: str
    tokens: Sequence[str]


class LexicalIndex(Protocol):
    """Finds chunks by their words. Never changes; safe to use from several threads.

    ``name`` is that of the registry's row.
    """

    name: ClassVar[str]

    def __len__(self) -> int:
        """Number of chunks."""
        ...

    def search(self, tokens: Sequence[str], limit: int, allowed: Allowed = None) -> list[tuple[str, float]]:
        """Chunk ids and scores (> 0), best first; only chunks of the ``allowed`` versions are looked at."""
        ...

    def document_frequency(self, token: str) -> int:
        """How many chunks hold the token."""
        ...

    def changed(self, gone: Collection[str], came: Iterable[Entry], folder: Path) -> Self:
        """The index without the versions ``gone`` and with the chunks that ``came``.

        It may keep files under ``folder``, which is empty or not there. Raises ``OSError``.
        """
        ...

    def save(self, folder: Path) -> None:
        """Make sure that ``folder``, the one it was made for, holds what ``open`` needs. Raises ``OSError``."""
        ...

    @classmethod
    def open(cls, folder: Path) -> Self:
        """What ``save`` kept, its hashes checked by the caller. Raises ``OSError`` or ``ValueError``."""
        ...


class Bm25PlusIndex:
    """Holds the corpus in memory; an empty corpus finds nothing. Ties by version id, then as they came.

    Source: Lv and Zhai, "Lower-Bounding Term Frequency Normalization", CIKM 2011. Its inverse document
    frequency is never negative.
    """

    name = "bm25plus"

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        ordered = sorted(entries, key=lambda entry: entry.version_id)
        self._chunk_ids = [entry.chunk_id for entry in ordered]
        self._versions = list(dict.fromkeys(entry.version_id for entry in ordered))
        places = {version_id: place for place, version_id in enumerate(self._versions)}
        self._version_rows = np.array([places[entry.version_id] for entry in ordered], dtype=np.int64)
        # The package divides by the average length: a corpus without any token is kept out of it.
        has_words = any(entry.tokens for entry in ordered)
        self._bm25 = BM25Plus([entry.tokens for entry in ordered]) if has_words else None

    def __len__(self) -> int:
        return len(self._chunk_ids)

    def search(self, tokens: Sequence[str], limit: int, allowed: Allowed = None) -> list[tuple[str, float]]:
        """Chunk ids and scores (> 0), best first."""
        if self._bm25 is None or limit < 1:
            return []
        known = [token for token in dict.fromkeys(tokens) if token in self._bm25.idf]
        if not known:
            return []
        scores = np.asarray(self._bm25.get_scores(known), dtype=np.float64)
        # The package grants the constant delta to every text, with the word or without, so it changes no
        # order; taken off, a text without any of the words has the score 0.
        scores -= self._bm25.delta * sum(self._bm25.idf[token] for token in known)
        if allowed is not None:
            seen = np.array([version_id in allowed for version_id in self._versions], dtype=np.bool_)
            scores = np.where(seen[self._version_rows], scores, 0.0)
        order = np.argsort(-scores, kind="stable")[:limit]
        return [(self._chunk_ids[row], float(scores[row])) for row in order if scores[row] > 1e-9]

    def document_frequency(self, token: str) -> int:
        """How many chunks hold the token."""
        return self._frequencies.get(token, 0)

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(token for words in self._counts() for token in words)

    def changed(self, gone: Collection[str], came: Iterable[Entry], folder: Path) -> Bm25PlusIndex:
        """The index without the versions ``gone`` and with the chunks that ``came``; needs no files."""
        return Bm25PlusIndex([*(entry for entry in self._entries() if entry.version_id not in gone), *came])

    def save(self, folder: Path) -> None:
        """One line a chunk."""
        lines = [json.dumps(entry, ensure_ascii=False) for entry in self._entries()]
        write_durably(folder / _FILE, "\n".join(lines).encode("utf-8", "surrogatepass"))

    @classmethod
    def open(cls, folder: Path) -> Bm25PlusIndex:
        """What ``save`` kept."""
        lines = (folder / _FILE).read_bytes().decode("utf-8", "surrogatepass").split("\n")
        return cls(Entry(*json.loads(line)) for line in lines if line)

    def _entries(self) -> Iterable[Entry]:
        """The chunks again: order of words counts for nothing, so their counts tell all."""
        for chunk_id, row, words in zip(self._chunk_ids, self._version_rows, self._counts(), strict=True):
            tokens = [token for token, times in words.items() for _ in range(times)]
            yield Entry(chunk_id, self._versions[row], tokens)

    def _counts(self) -> list[dict[str, int]]:
        """How often each chunk holds each of its tokens."""
        return list(self._bm25.doc_freqs) if self._bm25 else [{} for _ in self._chunk_ids]
