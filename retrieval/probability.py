"""How likely the first candidate answers the question, from what is known of it: a calibrated probability.

Raw nearness means something for one embedding model alone, so the coefficients are kept by the model's
fingerprint; a model that nobody measured has no probability. Fitted by ``scripts/fit_blend.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from core.protocols import Signals
from retrieval.rerankers.builtin import scores_of

# The candidate whose score the first one's is compared with: its lead over it is the fourth feature.
_BEHIND = 5


class Odds(BaseModel):
    """Logistic coefficients: of the first candidate's nearness, of its best sentence's, of its coverage, and
    of its lead in score over the sixth candidate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intercept: float
    whole: float
    sentence: float
    coverage: float
    lead: float


class OddsByModel(BaseModel):
    """By the fingerprints of embedding models, and where they come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    fingerprints: tuple[str, ...]
    odds: Odds


def probability(signals: Sequence[Signals], fingerprint: str) -> float | None:
    """0..1 for candidates in their order, best first; ``None`` without any or for a model not measured.

    Source: Platt, "Probabilistic Outputs for Support Vector Machines", 1999 (logistic calibration).
    """
    odds = _odds().get(fingerprint)
    if odds is None or not signals:
        return None
    first = signals[0]
    x = (
        odds.intercept
        + odds.whole * first.whole
        + odds.sentence * first.sentence
        + odds.coverage * first.coverage
        + odds.lead * lead(signals)
    )
    return 1 / (1 + math.exp(-min(max(x, -30.0), 30.0)))


def lead(signals: Sequence[Signals]) -> float:
    """How far the first candidate's built-in score lies above that of the sixth (or the last) one."""
    scores = scores_of(signals)
    return float(scores[0] - sorted(scores, reverse=True)[min(_BEHIND, len(scores) - 1)])


@cache
def _odds() -> dict[str, Odds]:
    stored = (files("retrieval.rerankers") / "odds.json").read_bytes()
    found = OddsByModel.model_validate_json(stored)
    return dict.fromkeys(found.fingerprints, found.odds)
