"""Any sentence-transformers model by name or folder (extra ``local-models``)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from core.errors import EmbeddingError, EmbeddingTooLongError, SettingsError
from core.protocols import Vectors
from core.settings import Settings
from ingest.embedders.model_card import read_card
from ingest.embedders.prefix import chosen_prefix
from ingest.embedders.torch_runtime import quiet_loading, require_local_models, torch_runtime

# Above this, a larger call is no faster on a processor; on a graphics card it fills the units.
_TOKENS_A_CALL: Final = {"cpu": 4096, "cuda": 65536}


class SentenceTransformerEmbedder:
    """Window, dimension and prefixes come from the model's files; the settings may set other prefixes.

    The model itself is loaded at first use, once, whoever comes first. Safe in several threads, which take
    turns: tokenizers break when shared (huggingface/transformers#47085).
    """

    def __init__(self, settings: Settings) -> None:
        """Raises ``MissingExtraError``, ``SettingsError``, and ``EmbeddingError`` for an unknown model."""
        require_local_models("embedder", "sentence-transformers")
        options = settings.embedding
        if not options.model:
            raise SettingsError(
                name="YOUJU_EMBEDDING__MODEL", reason="name a sentence-transformers model or a folder"
            )
        self._name = options.model
        self._card = read_card(options.model)
        self._runtime = torch_runtime(options.device, options.precision, setting="YOUJU_EMBEDDING__DEVICE")
        self._query_prefix = chosen_prefix(options.query_prefix, self._card.query_prefix)
        self._passage_prefix = chosen_prefix(options.passage_prefix, self._card.passage_prefix)
        self._batch_size = options.batch_size
        self._lock = threading.Lock()
        self._loaded: Any = None
        self.dimension = self._card.dimension or self._model().get_embedding_dimension()
        self.max_tokens = self._card.max_tokens or self._model().max_seq_length
        if not (self.dimension and self.max_tokens):
            raise EmbeddingError(name=self._name, reason="it does not tell its dimension and window")
        # Precision too: vectors agree to 0.999 but are not the same, and scores are calibrated on them.
        self.fingerprint = (
            f"sentence-transformers/{self._card.name}@{self._card.revision}/{self._runtime.precision}"
            f"/{self.dimension}/{self._query_prefix}|{self._passage_prefix}/l2"
        )

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens as a passage, prefix and special tokens included; not cut at the window."""
        return self._count(self._passage_prefix, texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised; ``EmbeddingTooLongError`` for one over the window."""
        return self._encode("encode_document", self._passage_prefix, texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised; ``EmbeddingTooLongError`` for one over the window."""
        return self._encode("encode_query", self._query_prefix, texts)

    def _model(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Any:
        import torch
        from sentence_transformers import SentenceTransformer

        quiet_loading()
        try:
            model = SentenceTransformer(
                self._card.source,
                revision=self._card.commit,
                device=self._runtime.device,
                model_kwargs={"dtype": getattr(torch, self._runtime.precision)},
            )
        except (OSError, ValueError, RuntimeError, KeyError, ImportError) as exc:
            raise EmbeddingError(name=self._name, reason=_first_line(exc)) from exc
        told, found = self._card.dimension, model.get_embedding_dimension()
        if told and told != found:
            reason = f"expected {told} dimensions as its files say, the model has {found}"
            raise EmbeddingError(name=self._name, reason=reason)
        return model

    def _count(self, prefix: str, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        model = self._model()
        with self._lock:
            encoded = model.tokenizer([prefix + text for text in texts], truncation=False, verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def _encode(self, method: str, prefix: str, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        sizes = self._count(prefix, texts)
        window = min(self.max_tokens, self._model().max_seq_length or self.max_tokens) if sizes else 0
        for place, tokens in enumerate(sizes, start=1):
            if tokens > window:
                raise EmbeddingTooLongError(name=self._name, place=place, tokens=tokens, limit=window)
        for rows in batches(sizes, self._batch_size, _TOKENS_A_CALL[self._runtime.device]):
            vectors[rows] = self._call(method, prefix, [texts[row] for row in rows])
        # In float32, whatever the model computed in.
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(norms).all():
            raise EmbeddingError(name=self._name, reason="expected finite vectors")
        return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)

    def _call(self, method: str, prefix: str, texts: list[str]) -> Vectors:
        model = self._model()
        # One batch at a time, so that a question waits for one batch of an ingest and not for all.
        with self._lock:
            try:
                # The prefix as a prompt: some models leave it out of their pooling.
                found = getattr(model, method)(
                    texts, prompt=prefix, batch_size=len(texts), show_progress_bar=False
                )
            except (RuntimeError, ValueError, IndexError) as exc:
                raise EmbeddingError(name=self._name, reason=_first_line(exc)) from exc
        return np.asarray(found, dtype=np.float32)


def batches(sizes: Sequence[int], max_texts: int, max_tokens: int) -> list[list[int]]:
    """Places of texts to run together: of like length, so that little is padded; the longest first.

    ``max_tokens`` counts padding; a text larger than that runs alone.
    """
    found: list[list[int]] = []
    longest = 0
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        size = len(found[-1]) + 1 if found else 1
        # All are padded to the longest, the first: one of less than half its length would be mostly padding.
        if found and size <= max_texts and size * longest <= max_tokens and 2 * sizes[place] >= longest:
            found[-1].append(place)
        else:
            found.append([place])
            longest = sizes[place]
    return found


def _first_line(exc: BaseException) -> str:
    return (str(exc).strip().splitlines() or [type(exc).__name__])[0]
