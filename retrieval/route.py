"""How sure the evidence is: confident, doubtful or weak.

The rule and its two bounds were fitted on public questions with and without an answer
(docs/benchmarks.md); a calibrated probability is to replace them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.answer import Passage, Route
from core.language import language_of
from ingest.indexes.snapshot import IndexSnapshot
from retrieval.content_words import WordsHeld, bigrams, content_words

_CONFIDENT, _WEAK = 0.55, 0.34
_LOOKED_AT = 3


def route(question: str, passages: Sequence[Passage], snapshot: IndexSnapshot) -> Route:
    """By ``coverage`` of the first passages.

    When all of them are in another language than the question no words can meet: doubtful, for the
    answerer to decide.
    """
    if not passages:
        return Route.WEAK
    first = passages[:_LOOKED_AT]
    if all(language_of(passage.text) != language_of(question) for passage in first):
        return Route.DOUBTFUL
    share = coverage(question, first, snapshot)
    if share >= _CONFIDENT:
        return Route.CONFIDENT
    return Route.DOUBTFUL if share >= _WEAK else Route.WEAK


def coverage(question: str, passages: Sequence[Passage], snapshot: IndexSnapshot) -> float:
    """0..1: rarity-weighted share of the question's content words in the passage that holds most of them.

    1 when the question has no content words: then nothing speaks against the evidence.
    """
    words = content_words(question)
    if not words:
        return 1.0
    weights = {word: _rarity(word, snapshot) for word in words}
    return max(WordsHeld(p.title, *p.section_path, p.text).coverage(words, weights) for p in passages)


def _rarity(word: str, snapshot: IndexSnapshot) -> float:
    pairs = bigrams(word) if word[0] >= "\u3400" else (word,)
    frequency = max(snapshot.document_frequency(word), min(map(snapshot.document_frequency, pairs)))
    return math.log(1 + len(snapshot) / (1 + frequency))
