"""Figures of a ranking written out over sets of characters, slowly. A passage or a piece is (document, start, end)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import log2

from tests.oracles.chunk_spans import Range, spots

Groups = Sequence[Sequence[Range]]


def touches(passage: Range, piece: Range) -> bool:
    return bool(spots([passage]) & spots([piece]))


def recall(groups: Groups, passages: Sequence[Range], k: int) -> float:
    """A piece is held when every character of it is covered; a single one may be missing between two passages."""
    covered = spots(passages[:k])
    inner = {(doc, at) for doc, at in covered}
    for doc, at in list(covered):
        for gap in (1, 2):
            if (doc, at + gap + 1) in covered:
                inner |= {(doc, at + step) for step in range(1, gap + 1)}
    held = [any(spots([piece]) <= inner for piece in group) for group in groups]
    return sum(held) / len(held)


def precision(groups: Groups, passages: Sequence[Range], k: int) -> float:
    pieces = [piece for group in groups for piece in group]
    good = [passage for passage in passages[:k] if any(touches(passage, piece) for piece in pieces)]
    return len(good) / k


def reciprocal_rank(groups: Groups, passages: Sequence[Range]) -> float:
    pieces = [piece for group in groups for piece in group]
    for rank in range(1, len(passages) + 1):
        if any(touches(passages[rank - 1], piece) for piece in pieces):
            return 1 / rank
    return 0.0


def gain(groups: Groups, passages: Sequence[Range], k: int) -> float:
    """Each group once, at the first passage that touches it."""
    total = 0.0
    for group in groups:
        for rank, passage in enumerate(passages[:k], start=1):
            if any(touches(passage, piece) for piece in group):
                total += 1 / log2(1 + rank)
                break
    return total


def ndcg(groups: Groups, passages: Sequence[Range], k: int) -> float:
    """Over the best of all orders of one whole document after the other."""
    docs = sorted({group[0][0] for group in groups})
    single = [group[:1] for group in groups]
    best = max(gain(single, [(doc, 0, 10_000) for doc in order], k) for order in permutations(docs))
    return min(gain(groups, passages, k) / best, 1.0)
