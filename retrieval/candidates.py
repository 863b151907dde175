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


def lexical_weight(index: SearchIndex, tokens: Sequence[str], held: Sequence[Collection[str]]) -> float:
    """0.02 to 1; ``held`` are the search tokens of the first ``LOOKED_AT`` hits by words.

    By the rarity-weighted share of the question's tokens that one of these hits holds: a chunk that
    shares little more with the question than chance gives it (as every chunk does when the answer is in
    another language) says nothing. Bounds fitted on public questions (docs/benchmarks.md).
    """
    weights = _rarities(index, tokens)
    total = sum(weights.values())
    most = max(
        (sum(weights[token] for token in weights.keys() & words) for words in map(set, held)), default=0.0
    )
    return worth_of_words(most / total if total else 0.0)


def worth_of_words(share: float) -> float:
    """0.02 to 1, by the most of a question's tokens that one candidate holds, as a share of their rarity."""
    return min(max((share - _CHANCE) / (_CERTAIN - _CHANCE), _LEAST_WEIGHT), 1.0)


def _rarities(index: SearchIndex, tokens: Sequence[str]) -> Mapping[str, float]:
    size = len(index)
    return {t: math.log(1 + size / (1 + index.document_frequency(t))) for t in dict.fromkeys(tokens)}
