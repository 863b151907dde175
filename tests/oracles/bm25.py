"""BM25 in two forms, written out slowly: with the inverse document frequency of BM25+, and Lucene's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def bm25_plus(
    corpus: Sequence[Sequence[str]], query: Sequence[str], k1: float = 1.5, b: float = 0.75
) -> list[float]:
    """One score a text. Source: Lv and Zhai, CIKM 2011."""
    return _scores(corpus, query, k1, b, lambda size, holding: math.log((size + 1) / holding))


def bm25(
    corpus: Sequence[Sequence[str]], query: Sequence[str], k1: float = 1.2, b: float = 0.75
) -> list[float]:
    """One score a text. Source: Robertson and Zaragoza, 2009, with an inverse document frequency above 0."""
    return _scores(
        corpus, query, k1, b, lambda size, holding: math.log(1 + (size - holding + 0.5) / (holding + 0.5))
    )


def _scores(
    corpus: Sequence[Sequence[str]],
    query: Sequence[str],
    k1: float,
    b: float,
    idf: Callable[[int, int], float],
) -> list[float]:
    average = sum(len(text) for text in corpus) / len(corpus)
    scores = []
    for text in corpus:
        score = 0.0
        for word in set(query):
            count = text.count(word)
            if count == 0:
                continue
            holding = sum(word in other for other in corpus)
            norm = k1 * (1 - b + b * len(text) / average)
            score += idf(len(corpus), holding) * count * (k1 + 1) / (norm + count)
        scores.append(score)
    return scores
