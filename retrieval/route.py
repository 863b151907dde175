"""How sure the evidence is: confident, doubtful or weak.

A rule of two signals, fitted on public questions with and without an answer (docs/benchmarks.md):
how many of the question's words the passages hold, and how far the best vector stands out from the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.answer import Passage, Route
from core.language import language_of
from core.protocols import Vectors
from ingest.indexes.analyzer import analyze
from ingest.indexes.snapshot import IndexSnapshot

_CONFIDENT, _WEAK = 0.85, 0.62
_Z_WEIGHT = 0.1
# A question in another language than the passages shares no words with them: vectors alone decide.
_CONFIDENT_Z, _WEAK_Z = 5.0, 2.5
_SAMPLE = 512
_TOP = 5


def route(
    question: str, passages: Sequence[Passage], snapshot: IndexSnapshot, query: Vectors, best: float
) -> Route:
    """``query`` is the question's vector ``(dimension,)``, ``best`` the cosine of the nearest child."""
    if not passages:
        return Route.WEAK
    z = prominence(snapshot, query, best)
    if language_of(question) != language_of(passages[0].text):
        return _decided(z, _CONFIDENT_Z, _WEAK_Z)
    return _decided(coverage(question, passages[:3], snapshot) + _Z_WEIGHT * z, _CONFIDENT, _WEAK)


def _decided(score: float, confident: float, weak: float) -> Route:
    if score >= confident:
        return Route.CONFIDENT
    return Route.DOUBTFUL if score >= weak else Route.WEAK


def coverage(question: str, passages: Sequence[Passage], snapshot: IndexSnapshot) -> float:
    """0..1: rarity-weighted share of the question's words found in the passage that holds most of them."""
    wanted = set(analyze(question))
    if not wanted or not passages:
        return 0.0
    frequency = {word: snapshot.document_frequency(word) for word in wanted}
    weights = {word: math.log(1 + len(snapshot) / (1 + count)) for word, count in frequency.items()}
    total = sum(weights.values()) or 1.0
    held = (set(analyze("\n".join([p.title, *p.section_path, p.text]))) for p in passages)
    return max(sum(weights[word] for word in wanted & words) for words in held) / total


def prominence(snapshot: IndexSnapshot, query: Vectors, best: float) -> float:
    """How many standard deviations ``best`` lies above the cosines of an even sample of all children.

    Raw cosines of a model mean nothing by themselves; this does. With fewer than 20 children there is no
    background to stand out from, and a middling value is returned.
    """
    step = max(len(snapshot) // _SAMPLE, 1)
    cosines = np.sort(snapshot.children.scores(query, range(0, len(snapshot), step)))
    if len(cosines) < 20:
        return 0.5 * (_CONFIDENT_Z + _WEAK_Z)
    background = cosines[:-_TOP]
    return float((best - background.mean()) / max(background.std(), 1e-6))
