"""The reranker that needs no model of its own: what meaning and words say of a candidate, in one score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from core.protocols import Signals
from core.settings import Settings
from retrieval.candidates import worth_of_words
from retrieval.signals import search_tokens

Features = npt.NDArray[np.float64]

# The order of the columns of ``features``.
FEATURES: Final = ("whole", "sentence", "lexical", "coverage", "numbers")
# What the question gives to the letter outweighs all the rest together.
_EXACT: Final = 1.0


class Blend(BaseModel):
    """Weights by feature, and where they come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    weights: dict[str, float]


class BuiltinReranker:
    """A weighted sum; its scores lie in 0..2 and only compare the candidates of one question.

    Nearness and BM25 are taken on the scale of the candidates at hand, which makes the weights fit any
    embedding model. Fitted by ``scripts/fit_blend.py``.
    """

    def __init__(self, settings: Settings) -> None:
        del settings

    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        """Finite scores; without ``signals`` by the share of the question's words alone."""
        if not signals:
            wanted = search_tokens(question)
            return [len(wanted & search_tokens(text)) / max(len(wanted), 1) for text in texts]
        exact = np.array([signal.exactness for signal in signals])
        return [float(score) for score in scores_of(signals) + _EXACT * exact]


def scores_of(signals: Sequence[Signals]) -> Features:
    """``(n,) float64``: the blend alone, 0..1, without what the question gives to the letter."""
    weights = np.array([blend().weights[name] for name in FEATURES])
    return np.asarray(features(signals) @ weights)


def features(signals: Sequence[Signals]) -> Features:
    """``(n, 5)`` in the order of ``FEATURES``, each 0..1: nearness from the least to the most of the
    candidates, BM25 as a share of the most; words count less the fewer of the question any candidate holds
    (all of them, when the evidence is in another language)."""
    whole = np.array([signal.whole for signal in signals])
    sentence = np.array([signal.sentence for signal in signals])
    lexical = np.array([signal.lexical for signal in signals])
    coverage = np.array([signal.coverage for signal in signals])
    words = worth_of_words(float(coverage.max()))
    return np.stack(
        [
            _stretched(whole),
            _stretched(sentence),
            words * lexical / max(float(lexical.max()), 1e-9),
            words * coverage,
            np.array([signal.numbers for signal in signals]),
        ],
        axis=1,
    )


@cache
def blend() -> Blend:
    """The fitted weights that come with the program."""
    return Blend.model_validate_json((files("retrieval.rerankers") / "blend.json").read_bytes())


def _stretched(values: Features) -> Features:
    low, high = float(values.min()), float(values.max())
    return np.zeros_like(values) if high <= low else np.asarray((values - low) / (high - low))
