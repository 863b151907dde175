"""Candidates by meaning and by words, from one index snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.answer import Hit
from core.protocols import Mask, Vectors
from ingest.indexes.analyzer import analyze
from ingest.indexes.snapshot import IndexSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a search may see: names of collections, ids of documents; ``None`` means all."""

    collections: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None


def dense_hits(snapshot: IndexSnapshot, query: Vectors, limit: int, allowed: Mask | None) -> list[Hit]:
    """Children by cosine to the question's vector ``(dimension,)``."""
    return _hits(snapshot, snapshot.children.search(query, limit, allowed), "dense")


def parent_hits(snapshot: IndexSnapshot, query: Vectors, limit: int, allowed: Mask | None) -> list[Hit]:
    """The best child of each of the nearest parents, in the order of the parents."""
    found = snapshot.parents.search(query, limit, snapshot.allowed_parents(allowed))
    best: list[tuple[int, float]] = []
    for parent, score in found:
        children = [row for row in snapshot.children_of_parent[parent] if allowed is None or allowed[row]]
        cosines = snapshot.children.scores(query, children)
        best.append((children[int(np.argmax(cosines))], score))
    return _hits(snapshot, best, "parent")


def lexical_hits(snapshot: IndexSnapshot, question: str, limit: int, allowed: Mask | None) -> list[Hit]:
    """Children by BM25 of the question's words."""
    return _hits(snapshot, snapshot.lexical.search(analyze(question), limit, allowed), "lexical")


def _hits(snapshot: IndexSnapshot, found: Sequence[tuple[int, float]], source: str) -> list[Hit]:
    return [
        Hit(chunk_id=snapshot.chunk_ids[row], score=score, rank=rank, source=source)
        for rank, (row, score) in enumerate(found, start=1)
    ]
