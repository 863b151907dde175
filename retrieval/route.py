"""How sure the evidence is: confident, doubtful or weak.

By the calibrated probability where the embedding model was measured, else by the share of the question's
content words that the first passages hold. The bounds were chosen on public questions with and without an
answer (docs/benchmarks.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.answer import Passage, Route, SearchResult
from core.language import language_of
from core.protocols import Signals
from ingest.indexes.search_index import SearchIndex
from retrieval.content_words import WordsHeld, bigrams, content_words
from retrieval.probability import Signs, probability

# Of the probability.
_CONFIDENT: Final = 0.7
_WEAK: Final = 0.45
# Below this a chat model need not read it either: it costs fewer than one in a hundred of the public questions.
_HOPELESS: Final = 0.2
# Of the share of words, where there is no probability.
_MANY_WORDS: Final = 0.55
_FEW_WORDS: Final = 0.34
_LOOKED_AT: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """The route, the probability (0..1) behind it where there is one, and what that was made of."""

    route: Route
    probability: float | None = None
    signs: Signs | None = None


def routed(
    question: str,
    passages: Sequence[Passage],
    index: SearchIndex,
    signals: Sequence[Signals],
    fingerprint: str,
) -> Routed:
    """``signals`` are those of the candidates, best first; ``fingerprint`` is the embedding model's.

    When all first passages are in another language than the question no words can meet: doubtful, for the
    answerer to decide.
    """
    if not passages:
        return Routed(route=Route.WEAK)
    first = passages[:_LOOKED_AT]
    if all(language_of(passage.text) != language_of(question) for passage in first):
        return Routed(route=Route.DOUBTFUL)
    signs = Signs(sentence=signals[0].sentence, coverage=coverage(question, first[:1], index))
    sure = probability(signs, fingerprint)
    if sure is None:
        return Routed(route=_route(coverage(question, first, index), _MANY_WORDS, _FEW_WORDS))
    return Routed(route=_route(sure, _CONFIDENT, _WEAK), probability=sure, signs=signs)


def worth_reading(result: SearchResult) -> bool:
    """Whether a chat model should see the evidence, which it reads better than words and nearness do."""
    if result.route is not Route.WEAK:
        return True
    return result.probability is not None and result.probability >= _HOPELESS


def _route(value: float, confident: float, weak: float) -> Route:
    if value >= confident:
        return Route.CONFIDENT
    return Route.DOUBTFUL if value >= weak else Route.WEAK


def coverage(question: str, passages: Sequence[Passage], index: SearchIndex) -> float:
    """0..1: rarity-weighted share of the question's content words in the passage that holds most of them.

    1 when the question has no content words: then nothing speaks against the evidence.
    """
    words = content_words(question)
    if not words:
        return 1.0
    weights = {word: _rarity(word, index) for word in words}
    return max(WordsHeld(p.title, *p.section_path, p.text).coverage(words, weights) for p in passages)


def _rarity(word: str, index: SearchIndex) -> float:
    pairs = bigrams(word) if word[0] >= "\u3400" else (word,)
    frequency = max(index.document_frequency(word), min(map(index.document_frequency, pairs)))
    return math.log(1 + len(index) / (1 + frequency))
