"""Ranks inside topics by sorting every list, slowly."""

from __future__ import annotations

from collections.abc import Sequence


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def first_ranks(groups: Sequence[Sequence[int]], vectors: Sequence[Sequence[float]]) -> list[int]:
    """For each member of each group: how many texts of others are at least as near as its nearest fellow, and 1."""
    ranks: list[int] = []
    for group in groups:
        for one in group:
            fellows = [other for other in group if other != one]
            if fellows:
                best = max(cosine(vectors[one], vectors[other]) for other in fellows)
                strangers = [n for n in range(len(vectors)) if n not in group]
                ranks.append(1 + sum(cosine(vectors[one], vectors[n]) >= best for n in strangers))
    return ranks
