"""How likely the first passage answers the question, from what is known of it: a calibrated probability.

Raw nearness means something for one embedding model alone, so the coefficients are kept by the model's
fingerprint; a model that nobody measured has no probability. Fitted by ``scripts/fit_answers.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What speaks for the first passage: the nearness of the first candidate's best sentence, and the
    rarity-weighted share (0..1) of the question's content words that the passage holds, headings included."""

    sentence: float
    coverage: float


class Odds(BaseModel):
    """Logistic coefficients, by the names of ``Signs``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intercept: float
    sentence: float
    coverage: float


class OddsByModel(BaseModel):
    """By the fingerprints of embedding models, and where they come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    fingerprints: tuple[str, ...]
    odds: Odds


def probability(signs: Signs, fingerprint: str) -> float | None:
    """0..1; ``None`` for a model that was not measured.

    Source: Platt, "Probabilistic Outputs for Support Vector Machines", 1999 (logistic calibration).
    """
    odds = _odds().get(fingerprint)
    if odds is None:
        return None
    x = odds.intercept + odds.sentence * signs.sentence + odds.coverage * signs.coverage
    return 1 / (1 + math.exp(-min(max(x, -30.0), 30.0)))


@cache
def _odds() -> dict[str, Odds]:
    stored = (files("retrieval.rerankers") / "odds.json").read_bytes()
    found = OddsByModel.model_validate_json(stored)
    return dict.fromkeys(found.fingerprints, found.odds)
