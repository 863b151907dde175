"""Vectors as bytes, little-endian, one block a document in the order of the documents.

A block of ``vectors.bin``: how many vectors (uint32), then for each the hash of its text (16 bytes) and
``dimension`` float32. A block of ``sentences.bin``: how many chunks have sentences (uint32), then for each
the hash, the number n of sentences (uint32), n pairs of int32 (start, end), n float32 scales and n rows of
``dimension`` int8.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Final, Protocol

import numpy as np

from core.protocols import Vectors
from core.store import SentenceVectors

_COUNT: Final = struct.Struct("<I")
_HASH_BYTES: Final = 16
# More of either in one document is no document.
_MOST: Final = 10_000_000
_MOST_SENTENCES: Final = 100_000


class Source(Protocol):
    """Bytes that are read once, from front to back."""

    def exactly(self, size: int) -> bytes:
        """The next ``size`` bytes. Raises ``ValueError`` when there are fewer."""
        ...


def vector_block(vectors: Mapping[str, Vectors]) -> Iterator[bytes]:
    """The block of one document's vectors."""
    yield _COUNT.pack(len(vectors))
    for key, vector in vectors.items():
        yield bytes.fromhex(key) + vector.astype("<f4").tobytes()


def sentence_block(sentences: Mapping[str, SentenceVectors]) -> Iterator[bytes]:
    """The block of the sentences of one document's chunks."""
    yield _COUNT.pack(len(sentences))
    for key, one in sentences.items():
        yield bytes.fromhex(key) + _COUNT.pack(len(one.scales))
        yield one.spans.astype("<i4").tobytes() + one.scales.astype("<f4").tobytes()
        yield one.data.astype(np.int8).tobytes()


def read_vectors(source: Source, dimension: int) -> dict[str, Vectors]:
    """The next block's vectors by hash. Raises ``ValueError`` for what cannot be a vector."""
    found: dict[str, Vectors] = {}
    for _ in range(_count(source, _MOST)):
        key = source.exactly(_HASH_BYTES).hex()
        vector = np.frombuffer(source.exactly(4 * dimension), "<f4").astype(np.float32)
        if not dimension or not abs(float(np.linalg.norm(vector)) - 1) <= 0.01:
            raise ValueError(f"the vector of {key} is not of length 1")
        found[key] = vector
    return found


def read_sentences(source: Source, dimension: int) -> dict[str, SentenceVectors]:
    """The next block's sentences by hash. Raises ``ValueError`` for what cannot be theirs."""
    found: dict[str, SentenceVectors] = {}
    for _ in range(_count(source, _MOST)):
        key = source.exactly(_HASH_BYTES).hex()
        count = _count(source, _MOST_SENTENCES)
        spans = np.frombuffer(source.exactly(8 * count), "<i4").astype(np.int32).reshape(count, 2)
        scales = np.frombuffer(source.exactly(4 * count), "<f4").astype(np.float32)
        data = np.frombuffer(source.exactly(dimension * count), np.int8).reshape(count, dimension)
        if not (np.isfinite(scales).all() and (spans[:, 0] >= 0).all() and (spans[:, 0] < spans[:, 1]).all()):
            raise ValueError(f"the sentences of {key} cannot be read")
        found[key] = SentenceVectors(spans=spans, scales=scales, data=data)
    return found


def _count(source: Source, most: int) -> int:
    (count,) = _COUNT.unpack(source.exactly(_COUNT.size))
    if count > most:
        raise ValueError(f"{count} entries are too many")
    return int(count)
