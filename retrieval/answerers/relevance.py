"""How likely each unit of the passages is the one that answers a question, without a model of language."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from core.protocols import Embedder, Vectors
from ingest.indexes.analyzer import analyze
from retrieval.answerers.expected import Expected
from retrieval.content_words import WordsHeld, content_words
from retrieval.evidence import Embedded, Evidence
from retrieval.units import Unit, units

Array = npt.NDArray[np.float64]

# The order of the columns of ``features``.
FEATURES: Final = ("words", "rest", "meaning", "kind", "rank")
# A word that only the headings above a unit hold counts half.
_HEADING_SHARE: Final = 0.5
# So many units are embedded where the store has no vectors of sentences.
_EMBEDDED: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A unit of ``evidence.passages[passage]``; ``held`` is the share (0..1) of each content word of the question
    that it holds, with what stands above it."""

    unit: Unit
    passage: int
    held: Mapping[str, float]


class Weights(BaseModel):
    """Weights by feature, and where they come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    weights: dict[str, float]


def placed_units(question: str, evidence: Evidence) -> list[Placed]:
    """The units of all passages, in their order."""
    words = content_words(question)
    found: list[Placed] = []
    for index, passage in enumerate(evidence.passages):
        above = WordsHeld(passage.title, *passage.section_path)
        heading = {word: _HEADING_SHARE * above.share(word) for word in words}
        text, blocks = evidence.texts[passage.version_id], evidence.blocks[passage.version_id]
        for unit in units(text, passage.span, blocks):
            inside = WordsHeld(unit.shown)
            held = {word: max(inside.share(word), heading[word]) for word in words}
            found.append(Placed(unit=unit, passage=index, held=held))
    return found


def likelihoods(question: str, placed: Sequence[Placed], evidence: Evidence, embedder: Embedder) -> Array:
    """``(n,) float64``, adding up to 1: how likely each unit is the one that answers.

    The softmax of a weighted sum. Source: McFadden, "Conditional logit analysis of qualitative choice
    behavior", 1974; fitted by ``scripts/fit_answers.py``. Raises ``EmbeddingError``.
    """
    weights = np.array([_weights().weights[name] for name in FEATURES])
    scores = features(question, placed, evidence, embedder) @ weights
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def features(question: str, placed: Sequence[Placed], evidence: Evidence, embedder: Embedder) -> Array:
    """``(n, 5) float64`` in the order of ``FEATURES``: the share of the question's content words, that of its
    tokens which the headings above do not hold anyway, nearness from the least to the most, whether the
    expected kind of answer is there, and the passage's rank from 0 on. Raises ``EmbeddingError``."""
    expected = Expected(question)
    return np.stack(
        [
            _words(placed),
            _rest(question, placed, evidence),
            _meaning(question, placed, evidence, embedder),
            np.array([expected.held(one.unit.shown) for one in placed]),
            np.array([float(one.passage) for one in placed]),
        ],
        axis=1,
    )


def _words(placed: Sequence[Placed]) -> Array:
    """A word that few of the units hold counts more."""
    seen = {word: sum(one.held[word] for one in placed) for word in placed[0].held}
    weights = {word: _rarity(count, len(placed)) for word, count in seen.items() if count}
    total = sum(weights.values()) or 1.0
    return np.array([sum(w * one.held[word] for word, w in weights.items()) / total for one in placed])


def _rest(question: str, placed: Sequence[Placed], evidence: Evidence) -> Array:
    """What a document is about stands in its title and seldom again in the sentence that answers."""
    asked = frozenset(analyze(question))
    held = [asked.intersection(analyze(one.unit.shown)) for one in placed]
    counts = Counter(token for tokens in held for token in tokens)
    weights = {token: _rarity(count, len(placed)) for token, count in counts.items()}
    above = [frozenset(analyze("\n".join((p.title, *p.section_path)))) for p in evidence.passages]
    totals = [sum(weights[token] for token in weights.keys() - heading) for heading in above]
    shares = (
        (sum(weights[token] for token in tokens - above[one.passage]), totals[one.passage])
        for one, tokens in zip(placed, held, strict=True)
    )
    return np.array([share / total if total else 0.0 for share, total in shares])


def _rarity(count: float, size: int) -> float:
    return math.log(1 + size / (1 + count))


def _meaning(question: str, placed: Sequence[Placed], evidence: Evidence, embedder: Embedder) -> Array:
    asked = embedder.queries([question])[0]
    sentences = {version: _nearness(asked, chunks) for version, chunks in evidence.embedded.items()}
    near = np.full(len(placed), np.nan)
    for index, one in enumerate(placed):
        known = sentences.get(evidence.passages[one.passage].version_id)
        if known is not None:
            spans, cosines = known
            inside = (spans[:, 0] < one.unit.span.end) & (spans[:, 1] > one.unit.span.start)
            near[index] = cosines[inside].max(initial=-1.0)
    if np.isnan(near).all():
        first = np.argsort(-_words(placed), kind="stable")[:_EMBEDDED]
        shown = [_fitting(_in_context(placed[i], evidence), embedder) for i in first]
        near[first] = embedder.passages(shown) @ asked
    low, high = float(np.nanmin(near)), float(np.nanmax(near))
    spread = (near - low) / (high - low) if high - low > 1e-6 else np.ones(len(placed))
    return np.nan_to_num(spread)


def _nearness(asked: Vectors, chunks: Sequence[Embedded]) -> tuple[npt.NDArray[np.int32], Vectors]:
    """Where the embedded sentences of one version stand, and their cosines with the question."""
    spans = np.concatenate([chunk.sentences.spans + chunk.start for chunk in chunks])
    cosines = np.concatenate([(c.sentences.data @ asked) * c.sentences.scales for c in chunks])
    return spans, cosines


def _in_context(one: Placed, evidence: Evidence) -> str:
    """The unit under its innermost heading, as the embedding model should read it."""
    path = evidence.passages[one.passage].section_path
    return f"{path[-1]}\n{one.unit.shown}" if path else one.unit.shown


def _fitting(text: str, embedder: Embedder) -> str:
    """As much of the beginning of ``text`` as the model takes in: a list may be longer than its window."""
    while (tokens := embedder.count([text])[0]) > embedder.max_tokens:
        text = text[: len(text) * embedder.max_tokens // tokens - 1]
    return text


@cache
def _weights() -> Weights:
    stored = (files("retrieval.answerers") / "relevance.json").read_bytes()
    return Weights.model_validate_json(stored)
