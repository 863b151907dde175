"""How much the ranking by words is worth beside that by meaning."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from ingest.indexes.search_index import SearchIndex

# Shares of a question's tokens: what chance gives, and what leaves no doubt.
_CHANCE: Final = 0.2
_CERTAIN: Final = 0.5
_LEAST_WEIGHT: Final = 0.02
# So many of the first hits by words are looked at.
LOOKED_AT: Final = 3


def lexical_weight(rarities: Mapping[str, float], held: Sequence[Collection[str]]) -> float:
    """0.02 to 1; ``held`` are the search tokens of the first ``LOOKED_AT`` hits by words.

    By the rarity-weighted share of the question's tokens that one of these hits holds: a chunk that
    shares little more with the question than chance gives it (as every chunk does when the answer is in
    another language) says nothing. Bounds fitted on public questions (docs/benchmarks.md).
    """
    return worth_of_words(max((share_held(rarities, words) for words in held), default=0.0))


def share_held(rarities: Mapping[str, float], words: Collection[str]) -> float:
    """0..1: the share of a question's tokens, weighted by ``rarities``, that a text with these tokens holds."""
    total = sum(rarities.values())
    return sum(weight for token, weight in rarities.items() if token in words) / total if total else 0.0


def worth_of_words(share: float) -> float:
    """0.02 to 1, by the most of a question's tokens that one candidate holds, as a share of their rarity."""
    return min(max((share - _CHANCE) / (_CERTAIN - _CHANCE), _LEAST_WEIGHT), 1.0)


def rarities_of(index: SearchIndex, tokens: Sequence[str]) -> dict[str, float]:
    """By distinct token. Source: the inverse document frequency of BM25 with a 1 inside: never negative."""
    size = len(index)
    return {t: math.log(1 + size / (1 + index.document_frequency(t))) for t in dict.fromkeys(tokens)}
