"""Reciprocal rank fusion of several rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.answer import Hit


def reciprocal_rank_fusion(
    rankings: Mapping[str, Sequence[Hit]], *, k: int, weights: Mapping[str, float] | None = None
) -> list[Hit]:
    """Hits by descending sum of ``weight / (k + rank)``; ties by chunk id.

    Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009.
    """
    scores: dict[str, float] = {}
    for name, ranking in rankings.items():
        weight = 1.0 if weights is None else weights.get(name, 1.0)
        for hit in ranking:
            scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + weight / (k + hit.rank)
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [
        Hit(chunk_id=chunk_id, score=score, rank=rank, source="rrf")
        for rank, (chunk_id, score) in enumerate(ordered, start=1)
    ]
