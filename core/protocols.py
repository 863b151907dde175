"""The seams: what a replaceable part must offer. One batch method each, synchronous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.document import Document
from core.reading import DEFAULT_READING, Reading

Vectors = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class Parser(Protocol):
    """Turns the bytes of one file into a document."""

    version: str
    media_type: str

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises a ``DocumentError`` that names ``name``."""
        ...


class Tokens(Protocol):
    """Counts tokens as the embedding model does."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each passage, prefix and special tokens included; nothing is cut off."""
        ...


class Embedder(Tokens, Protocol):
    """Turns texts into vectors. Safe to call from several threads."""

    fingerprint: str
    dimension: int
    max_tokens: int

    def passages(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised. Raises ``EmbeddingError``."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised. Raises ``EmbeddingError``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What is known of a candidate besides its text.

    ``whole`` and ``sentence`` are the calibrated nearness of the chunk and of its best sentence to the
    question (of a chunk of one sentence they are equal), ``lexical`` its BM25 score (0 when it was not found
    by words); ``coverage`` is the rarity-weighted share of the question's search tokens that it holds,
    ``numbers`` that of the question's numbers (1 when it has none), ``exactness`` how exactly it holds what
    the question gives to the letter; these are 0..1.
    """

    whole: float
    sentence: float
    lexical: float
    coverage: float
    numbers: float
    exactness: float = 0.0


class Reranker(Protocol):
    """Orders candidates by how well they answer the question."""

    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        """One finite score a text, higher is better. Raises ``ModelError``.

        ``signals`` are there for all texts or for none.
        """
        ...
