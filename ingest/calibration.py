"""What is known of an embedding model's own scale: where each language's vectors lie, and how far apart.

Raw cosines of one model lie in a narrow band (0.75 to 0.95 for the default one), and the vectors of a
language sit together, so that a question finds its own language before it finds its answer. Both are
measured once a model (``python -m ingest calibrate``) and kept with the model's fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Final, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.hashing import stable_id
from core.protocols import Vectors
from core.store.blobs import write_durably
from core.vectors import normalised

# The affine map sends the mean of random pairs and that of near-copies to these two values.
RANDOM_PAIR: Final = 0.35
NEAR_COPY: Final = 0.95
# How much of the mean question is taken off for passages of the question's own language. All of it helps
# on statutes and hurts on encyclopedia paragraphs, half is never worse than none (docs/benchmarks.md).
_OWN_LANGUAGE_SHARE: Final = 0.5
_SHIPPED: Final = "calibrations"


class LanguageScale(BaseModel):
    """One language under one model. Means are over L2-normalised vectors and not normalised themselves.

    ``random_pair`` and ``near_copy`` are mean cosines of passages with ``passage_mean`` taken off.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    texts: int = Field(ge=1)
    question_mean: tuple[float, ...]
    passage_mean: tuple[float, ...]
    random_pair: float
    near_copy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What to search passages of one language with: the score of ``p`` is ``vector @ p - offset``."""

    vector: Vectors
    offset: float


class Calibration(BaseModel):
    """The scales by language of the models named by ``fingerprints`` (several engines of the same weights)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fingerprints: tuple[str, ...]
    source: str
    merge: float = 0.75
    split: float = 0.55
    languages: Mapping[str, LanguageScale]

    @model_validator(mode="after")
    def _of_one_dimension(self) -> Self:
        # The dot of a number is one bit away from a comma.
        sizes = {len(mean) for it in self.languages.values() for mean in (it.question_mean, it.passage_mean)}
        if len(sizes) > 1:
            raise ValueError("expected means of one dimension")
        return self

    def aims(self, question: Vectors, language: str, passages: Mapping[str, Vectors]) -> dict[str, Aim]:
        """How to search the passages of each language for a question ``(dimension,)`` in ``language``.

        ``passages`` holds the mean passage vector of each language of the index. The scores of all
        languages are on one scale. A question in a language that was not measured is searched as it is.
        """
        own = self.languages.get(language)
        if own is None:
            return {name: Aim(vector=question, offset=0.0) for name in passages}
        mean, share = _array(own.question_mean), _OWN_LANGUAGE_SHARE
        # With the whole mean taken off, an average question scores 0 on every passage: no offset is left.
        aims = {name: Aim(vector=question - mean, offset=0.0) for name in passages}
        if language in passages:
            offset = float((1 - share) * (mean @ passages[language]))
            aims[language] = Aim(vector=question - share * mean, offset=offset)
        return aims

    def similarity(self, left: Vectors, right: Vectors, language: str) -> Vectors:
        """Calibrated similarities of the rows of two ``(n, dimension)`` arrays, ``(n,) float32``.

        About ``RANDOM_PAIR`` for texts that have nothing in common and ``NEAR_COPY`` for near-copies; not
        bounded. A language that was not measured is taken as the first one that was.
        """
        scale = self.languages.get(language) or next(iter(self.languages.values()))
        mean = _array(scale.passage_mean)
        cosines = (centred(left, mean) * centred(right, mean)).sum(axis=1)
        slope = (NEAR_COPY - RANDOM_PAIR) / max(scale.near_copy - scale.random_pair, 1e-6)
        return np.asarray(RANDOM_PAIR + slope * (cosines - scale.random_pair), dtype=np.float32)


class Calibrations:
    """Reads and keeps calibrations under one home folder."""

    def __init__(self, home: Path) -> None:
        self._folder = home / _SHIPPED

    def of(self, fingerprint: str) -> Calibration | None:
        """The model's own, else the one shipped with the program, else ``None``."""
        return _read(self._path(fingerprint), fingerprint) or self.shipped.get(fingerprint)

    def keep(self, calibration: Calibration) -> Path:
        """Store it for its first fingerprint; returns where."""
        path = self._path(calibration.fingerprints[0])
        write_durably(path, calibration.model_dump_json(indent=1).encode())
        return path

    @cached_property
    def shipped(self) -> dict[str, Calibration]:
        """By fingerprint."""
        found: dict[str, Calibration] = {}
        for entry in (files("ingest") / _SHIPPED).iterdir():
            if entry.name.endswith(".json"):
                calibration = Calibration.model_validate_json(entry.read_bytes())
                found |= dict.fromkeys(calibration.fingerprints, calibration)
        return found

    def _path(self, fingerprint: str) -> Path:
        return self._folder / f"{stable_id('calibration', fingerprint)}.json"


def _read(path: Path, fingerprint: str) -> Calibration | None:
    """The stored calibration; one that is damaged or of another model counts as missing."""
    try:
        found = Calibration.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    return found if fingerprint in found.fingerprints else None


def _array(values: tuple[float, ...]) -> Vectors:
    return np.asarray(values, dtype=np.float32)


def centred(vectors: Vectors, mean: Vectors) -> Vectors:
    """``(n, dimension)`` with ``mean`` taken off, L2-normalised again."""
    return normalised(vectors - mean)
