"""BM25 with the inverse document frequency of BM25+, written out slowly."""

from __future__ import annotations

import math
from collections.abc import Sequence


def bm25_plus(
    corpus: Sequence[Sequence[str]], query: Sequence[str], k1: float = 1.5, b: float = 0.75
) -> list[float]:
    """One score a text. Source: Lv and Zhai, CIKM 2011."""
    average = sum(len(text) for text in corpus) / len(corpus)
    scores = []
    for text in corpus:
        score = 0.0
        for word in set(query):
            count = text.count(word)
            if count == 0:
                continue
            holding = sum(word in other for other in corpus)
            idf = math.log((len(corpus) + 1) / holding)
            norm = k1 * (1 - b + b * len(text) / average)
            score += idf * count * (k1 + 1) / (norm + count)
        scores.append(score)
    return scores
