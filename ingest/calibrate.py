"""Measures an embedding model's scale on any texts: ``python -m ingest calibrate``."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from core.errors import StoreError
from core.language import language_of
from core.protocols import Embedder, Vectors
from ingest.calibration import Calibration, LanguageScale, centred
from ingest.sentences import sentences

# Fewer texts than this say more about their subject than about the model.
LEAST_TEXTS: Final = 40
_MOST_TEXTS: Final = 600
_PASSAGE_CHARS: Final = (20, 400)
_QUESTION_CHARS: Final = (6, 120)
_PAIRS: Final = 4000
_DROPPED_SHARE: Final = 0.1
_BATCH: Final = 64

OnProgress = Callable[[int, int], None]


def calibrate(
    embedder: Embedder,
    passages: Iterable[str],
    questions: Iterable[str] = (),
    *,
    source: str,
    on_progress: OnProgress = lambda done, total: None,
) -> Calibration:
    """The scale of each language with at least ``LEAST_TEXTS`` sentences in ``passages``.

    Where a language has fewer than ``LEAST_TEXTS`` ``questions``, its sentences stand in for them: a
    weaker measure that still mends most (docs/benchmarks.md). The choice of texts is the same on every
    run. Raises ``StoreError`` when no language has enough text.
    """
    pools = _by_language(_sentences(passages), _PASSAGE_CHARS)
    pools = {name: _within_window(texts, embedder) for name, texts in pools.items()}
    asked = _by_language(questions, _QUESTION_CHARS)
    wanted = {name: texts for name, texts in pools.items() if len(texts) >= LEAST_TEXTS}
    if not wanted:
        most = max((len(texts) for texts in pools.values()), default=0)
        raise StoreError(reason=f"expected at least {LEAST_TEXTS} sentences of one language, got {most}")
    encoder = _Encoder(embedder, on_progress, 3 * sum(len(texts) for texts in wanted.values()))
    return Calibration(
        fingerprints=(embedder.fingerprint,),
        source=source,
        languages={name: _scale(encoder, texts, asked.get(name, [])) for name, texts in wanted.items()},
    )


def _scale(encoder: _Encoder, texts: Sequence[str], questions: Sequence[str]) -> LanguageScale:
    vectors = encoder.passages(texts)
    copies = encoder.passages([_near_copy(text) for text in texts])
    asked = encoder.queries(questions if len(questions) >= LEAST_TEXTS else texts)
    mean = vectors.mean(axis=0)
    apart, alike = centred(vectors, mean), centred(copies, mean)
    chosen = random.Random(0)
    rows = range(len(texts))
    pairs = [(i, j) for i, j in ((chosen.choice(rows), chosen.choice(rows)) for _ in range(_PAIRS)) if i != j]
    left, right = (apart[list(side)] for side in zip(*pairs, strict=True))
    return LanguageScale(
        texts=len(texts),
        question_mean=_rounded(asked.mean(axis=0)),
        passage_mean=_rounded(mean),
        random_pair=round(float((left * right).sum(axis=1).mean()), 4),
        near_copy=round(float((apart * alike).sum(axis=1).mean()), 4),
    )


class _Encoder:
    """Encodes in batches, telling how far it has come."""

    def __init__(self, embedder: Embedder, on_progress: OnProgress, total: int) -> None:
        self._embedder = embedder
        self._on_progress = on_progress
        self._total = total
        self._done = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._encoded(texts, self._embedder.passages)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._encoded(texts, self._embedder.queries)

    def _encoded(self, texts: Sequence[str], encode: Callable[[Sequence[str]], Vectors]) -> Vectors:
        made = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            made.append(encode(batch))
            self._done = min(self._done + len(batch), self._total)
            self._on_progress(self._done, self._total)
        return np.concatenate(made)


def _sentences(passages: Iterable[str]) -> Iterable[str]:
    for passage in passages:
        for span in sentences(passage):
            yield " ".join(span.of(passage).split())


def _by_language(texts: Iterable[str], bounds: tuple[int, int]) -> dict[str, list[str]]:
    """At most ``_MOST_TEXTS`` distinct texts a language, chosen evenly and always the same."""
    least, most = bounds
    pools: dict[str, list[str]] = {}
    for text in dict.fromkeys(texts):
        if least <= len(text) <= most:
            pools.setdefault(language_of(text), []).append(text)
    return {
        name: random.Random(0).sample(pool, min(len(pool), _MOST_TEXTS))
        for name, pool in sorted(pools.items())
        if name != "other"
    }


def _within_window(texts: Sequence[str], embedder: Embedder) -> list[str]:
    sizes = embedder.count(texts)
    return [text for text, size in zip(texts, sizes, strict=True) if size <= embedder.max_tokens]


def _near_copy(text: str) -> str:
    """The text as another writer might have left it: about a tenth of it missing, the same place each time."""
    words = text.split(" ")
    if len(words) >= 8:
        cut = max(1, round(len(words) * _DROPPED_SHARE))
        start = (len(words) - cut) // 2
        return " ".join(words[:start] + words[start + cut :])
    cut = max(1, round(len(text) * _DROPPED_SHARE))
    start = (len(text) - cut) // 2
    return text[:start] + text[start + cut :]


def _rounded(mean: Vectors) -> tuple[float, ...]:
    return tuple(round(float(value), 5) for value in mean)
