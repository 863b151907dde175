"""Reciprocal rank fusion written out from its paper, slowly."""

from __future__ import annotations

from collections.abc import Sequence


def rrf(rankings: Sequence[Sequence[str]], k: int) -> list[str]:
    """Ids by descending score, ties by id. Source: Cormack, Clarke and Buettcher, SIGIR 2009."""
    ids = {name for ranking in rankings for name in ranking}
    scores = {
        name: sum(1 / (k + ranking.index(name) + 1) for ranking in rankings if name in ranking)
        for name in ids
    }
    return sorted(ids, key=lambda name: (-scores[name], name))
