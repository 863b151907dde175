"""Candidates by meaning and by words, from one index snapshot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answer import Hit
from core.protocols import Mask
from ingest.calibration import Aim
from ingest.indexes.dense import DenseIndex
from ingest.indexes.snapshot import IndexSnapshot

Aims = Mapping[str, Aim]
# Shares of a question's tokens: what chance gives, and what leaves no doubt.
_CHANCE, _CERTAIN = 0.2, 0.5
_LEAST_WEIGHT = 0.02
_LOOKED_AT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a search may see: names of collections, ids of documents; ``None`` means all."""

    collections: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None


def dense_hits(snapshot: IndexSnapshot, aims: Aims, limit: int, allowed: Mask | None) -> list[Hit]:
    """Children by nearness to the question; ``aims`` has one for each language of the snapshot."""
    found = _nearest(snapshot.children, aims, snapshot.children_by_language, limit, allowed)
    return _hits(snapshot, [(row, score) for row, score, _ in found], "dense")


def parent_hits(snapshot: IndexSnapshot, aims: Aims, limit: int, allowed: Mask | None) -> list[Hit]:
    """The best child of each of the nearest parents, in the order of the parents."""
    masks = snapshot.parents_by_language
    best: dict[int, float] = {}
    for parent, score, language in _nearest(
        snapshot.parents, aims, masks, limit, snapshot.allowed_parents(allowed)
    ):
        children = [row for row in snapshot.children_of_parent[parent] if allowed is None or allowed[row]]
        nearness = snapshot.children.scores(aims[language].vector, children)
        # A parent in two languages may be found twice: its first place counts.
        best.setdefault(children[int(nearness.argmax())], score)
    return _hits(snapshot, list(best.items()), "parent")


def lexical_hits(
    snapshot: IndexSnapshot, tokens: Sequence[str], limit: int, allowed: Mask | None
) -> list[Hit]:
    """Children by BM25 of the question's search tokens."""
    return _hits(snapshot, snapshot.lexical.search(tokens, limit, allowed), "lexical")


def lexical_weight(snapshot: IndexSnapshot, tokens: Sequence[str], hits: Sequence[Hit]) -> float:
    """How much the ranking by words is worth beside that by meaning, 0.02 to 1.

    By the rarity-weighted share of the question's tokens that one of the first hits holds: a chunk that
    shares little more with the question than chance gives it (as every chunk does when the answer is in
    another language) says nothing. Bounds fitted on public questions (docs/benchmarks.md).
    """
    size = len(snapshot)
    weights = {t: math.log(1 + size / (1 + snapshot.document_frequency(t))) for t in dict.fromkeys(tokens)}
    total = sum(weights.values())
    held = 0.0
    for hit in hits[:_LOOKED_AT]:
        words = set(snapshot.words[snapshot.row_of[hit.chunk_id]])
        held = max(held, sum(weight for token, weight in weights.items() if token in words))
    share = held / total if total else 0.0
    return min(max((share - _CHANCE) / (_CERTAIN - _CHANCE), _LEAST_WEIGHT), 1.0)


def _nearest(
    index: DenseIndex, aims: Aims, masks: Mapping[str, Mask], limit: int, allowed: Mask | None
) -> list[tuple[int, float, str]]:
    """Rows with score and language, best first: the rows of each language are searched with its own aim."""
    found: list[tuple[int, float, str]] = []
    for language, mask in masks.items():
        aim = aims[language]
        seen = allowed if len(masks) == 1 else mask if allowed is None else mask & allowed
        hits = index.search(aim.vector, limit, seen)
        found += ((row, score - aim.offset, language) for row, score in hits)
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]


def _hits(snapshot: IndexSnapshot, found: Sequence[tuple[int, float]], source: str) -> list[Hit]:
    return [
        Hit(chunk_id=snapshot.chunk_ids[row], score=score, rank=rank, source=source)
        for rank, (row, score) in enumerate(found, start=1)
    ]
