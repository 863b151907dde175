"""Any sentence-transformers model by name or folder (extra ``local-models``)."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from sentence_transformers import SentenceTransformer

from core.errors import EmbeddingError, SettingsError
from core.protocols import Vectors
from core.settings import Settings


class SentenceTransformerEmbedder:
    """Window and dimension come from the model; prefixes from the settings."""

    def __init__(self, settings: Settings) -> None:
        embedding = settings.embedding
        if not embedding.model:
            raise SettingsError(
                name="YOUJU_EMBEDDING__MODEL", reason="name a sentence-transformers model or a folder"
            )
        try:
            self._model = SentenceTransformer(embedding.model)
        except (OSError, ValueError) as exc:
            raise EmbeddingError(name=embedding.model, reason=str(exc).splitlines()[0]) from exc
        self._prefixes = (embedding.query_prefix, embedding.passage_prefix)
        self._batch_size = embedding.batch_size
        self._lock = threading.Lock()
        self.dimension = int(self._model.get_embedding_dimension() or 0)
        self.max_tokens = int(self._model.max_seq_length or 512)
        prefixes = "|".join(self._prefixes)
        self.fingerprint = f"sentence-transformers/{embedding.model}/{self.dimension}/{prefixes}/l2"

    def count(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        with self._lock:
            encoded = self._model.tokenizer(
                [self._prefixes[1] + text for text in texts], truncation=False, verbose=False
            )
        return [len(ids) for ids in encoded["input_ids"]]

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._encode([self._prefixes[1] + text for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode([self._prefixes[0] + text for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._lock:
            vectors = self._model.encode(
                texts, batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)
