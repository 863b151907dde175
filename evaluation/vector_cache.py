"""Vectors kept on disk, with the time that each took: a second run costs little and reports the same."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.hashing import stable_id
from core.protocols import Embedder, Vectors

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB, seconds REAL) WITHOUT ROWID"
)
_KEYS_A_QUERY: Final = 500
_BATCH: Final = 64

Row = tuple[bytes, float]


class VectorCache:
    """A file of vectors by key. What was put is there after an interruption."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, check_same_thread=False, timeout=60)
        self._database.execute(_TABLE)

    def get(self, keys: Sequence[str]) -> dict[str, Row]:
        """Vector as bytes and seconds of each key that is there."""
        found: dict[str, Row] = {}
        for start in range(0, len(keys), _KEYS_A_QUERY):
            part = keys[start : start + _KEYS_A_QUERY]
            marks = ",".join("?" * len(part))
            rows = self._database.execute(
                f"SELECT key, vector, seconds FROM vectors WHERE key IN ({marks})", part
            )
            found |= {key: (vector, seconds) for key, vector, seconds in rows}
        return found

    def put(self, rows: dict[str, Row]) -> None:
        with self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [(key, vector, seconds) for key, (vector, seconds) in rows.items()],
            )

    def close(self) -> None:
        self._database.close()


class MeasuredEmbedder:
    """An embedder that asks the model for each distinct text once, ever, and tells what that took.

    ``inside_s`` is the time spent in its calls, ``model_s`` the time the model took for the distinct
    texts asked for since ``reset``, now or in the run that made their vectors. What else the embedder
    offers is passed on and timed.
    """

    def __init__(
        self,
        embedder: Embedder,
        cache: VectorCache,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        self._embedder, self._cache, self._on_progress = embedder, cache, on_progress
        self._lock = threading.RLock()
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self.max_tokens = embedder.max_tokens
        self.reset()

    def reset(self) -> None:
        """Start the clocks anew."""
        self.inside_s = self.model_s = 0.0
        self._counted: set[str] = set()

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the embedder's; not timed, for it is a part of cutting."""
        return self._embedder.count(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised. Raises ``EmbeddingError``."""
        return self._vectors("passage", texts, self._embedder.passages)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised. Raises ``EmbeddingError``."""
        return self._vectors("query", texts, self._embedder.queries)

    def fitted(self, texts: Sequence[str]) -> list[str]:
        """The texts, those that exceed the model's window cut at it, as most programs do in silence."""
        fitting = list(texts)
        for place, size in enumerate(self.count(texts)):
            while size > self.max_tokens:
                fitting[place] = fitting[place][: max(1, len(fitting[place]) * self.max_tokens // size - 4)]
                size = self.count([fitting[place]])[0]
        return fitting

    def _vectors(self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]) -> Vectors:
        with self._lock:
            started = time.perf_counter()
            text_of = {stable_id(self.fingerprint, kind, text): text for text in texts}
            rows = self._cache.get(list(text_of))
            missing = sorted((key for key in text_of if key not in rows), key=lambda key: len(text_of[key]))
            for start in range(0, len(missing), _BATCH):
                made = _embedded(missing[start : start + _BATCH], text_of, embed)
                self._cache.put(made)
                rows |= made
                self._on_progress(min(start + _BATCH, len(missing)), len(missing))
            self.model_s += sum(rows[key][1] for key in text_of if key not in self._counted)
            self._counted |= text_of.keys()
            vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
            for place, text in enumerate(texts):
                vectors[place] = np.frombuffer(rows[stable_id(self.fingerprint, kind, text)][0], np.float32)
            self.inside_s += time.perf_counter() - started
            return vectors

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._embedder, name)
        if not callable(found):
            return found

        def timed(*arguments: Any, **options: Any) -> Any:
            started = time.perf_counter()
            try:
                return found(*arguments, **options)
            finally:
                spent = time.perf_counter() - started
                self.inside_s += spent
                self.model_s += spent

        return timed


def _embedded(
    keys: Sequence[str], text_of: dict[str, str], embed: Callable[[Sequence[str]], Vectors]
) -> dict[str, Row]:
    """Rows of the texts; the time of the call is shared out by length."""
    started = time.perf_counter()
    vectors = embed([text_of[key] for key in keys])
    spent = time.perf_counter() - started
    letters = sum(len(text_of[key]) + 1 for key in keys)
    return dict(_rows(keys, vectors, [spent * (len(text_of[key]) + 1) / letters for key in keys]))


def _rows(keys: Sequence[str], vectors: Vectors, seconds: Sequence[float]) -> Iterator[tuple[str, Row]]:
    for key, vector, spent in zip(keys, vectors, seconds, strict=True):
        yield key, (np.asarray(vector, np.float32).tobytes(), spent)
