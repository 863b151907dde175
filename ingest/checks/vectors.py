"""Whether every chunk has its vectors, and whether these are vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from core.store import Reader
from ingest.checks.problem import Problem, problem

# How far from 1 the length of a stored vector may be.
_TOLERANCE: Final = 0.01


def vector_problems(reader: Reader) -> Iterator[Problem]:
    """What is wrong with vectors and sentence vectors."""
    model, chunks = reader.embedding_model(), reader.count("chunks")
    if not chunks:
        return
    if model is None:
        yield problem("no_model")
        return
    if missing := reader.unembedded(model):
        yield problem("no_vector", count=len(missing), model=model)
    if damaged := damaged_vectors(reader, model):
        yield problem("vector_damaged", count=len(damaged))


def damaged_vectors(reader: Reader, model: str) -> list[str]:
    """The hashes of texts with a vector that is none: not of length 1, of another size than most, or with a
    sentence outside its chunk. One vector is held at a time."""
    sizes: Counter[int] = Counter()
    size_of: dict[str, int] = {}
    damaged: set[str] = set()
    for key, (data,) in reader.raw_vectors("vectors", model):
        sizes[len(data)] += 1
        size_of[key] = len(data)
        if len(data) % 4 or not _is_unit(data):
            damaged.add(key)
    usual = sizes.most_common(1)[0][0] if sizes else 0
    damaged |= {key for key, size in size_of.items() if size != usual}
    lengths = reader.chunk_lengths()
    for key, (spans, scales, data) in reader.raw_vectors("sentence_vectors", model):
        if not _are_sentences(spans, scales, data, usual // 4, lengths.get(key, 0)):
            damaged.add(key)
    return sorted(damaged)


def _is_unit(data: bytes) -> bool:
    length = float(np.linalg.norm(np.frombuffer(data, dtype=np.float32)))
    return abs(length - 1) <= _TOLERANCE


def _are_sentences(spans: bytes, scales: bytes, data: bytes, dimension: int, length: int) -> bool:
    count = len(scales) // 4
    if (len(spans), len(scales), len(data)) != (8 * count, 4 * count, count * dimension):
        return False
    places = np.frombuffer(spans, dtype=np.int32).reshape(count, 2)
    inside = (places[:, 0] >= 0) & (places[:, 0] < places[:, 1]) & (places[:, 1] <= length)
    return bool(inside.all() and np.isfinite(np.frombuffer(scales, dtype=np.float32)).all())
