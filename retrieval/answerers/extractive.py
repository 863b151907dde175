"""No model: the source's own units that answer best, verbatim, each cited."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.answer import Verdict
from core.protocols import Embedder
from core.span import Span
from ingest.indexes.analyzer import analyze
from retrieval.evidence import Draft, Evidence, OnText
from retrieval.units import Unit, units

_CANDIDATES = 16
_MAX_UNITS = 3
# A further unit must come this close to the best one (both scores are in 0..2).
_NEAR = 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    unit: Unit
    passage: int
    words: frozenset[str]
    score: float


class ExtractiveAnswerer:
    """Ranks units by the question's words they hold (weighted by rarity) and by meaning."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def answer(self, question: str, evidence: Evidence, on_text: OnText) -> Draft:
        """At most three units in the order of the source; unanswered when there is no unit at all."""
        chosen = self._chosen(question, evidence)
        if not chosen:
            return Draft(text="", citations=(), answered=False)
        numbers: dict[int, int] = {}
        parts, citations = [], []
        for scored in chosen:
            n = numbers.setdefault(scored.passage, len(numbers) + 1)
            shown = scored.unit.shown
            # A marker inside a table row would break the table.
            parts.append(f"{shown}\n\n[{n}]" if shown.rstrip().endswith("|") else f"{shown} [{n}]")
            citations.append(evidence.cite(n, scored.passage, scored.unit.span, shown, Verdict.SUPPORTED))
        text = "\n\n".join(parts)
        on_text(text)
        return Draft(text=text, citations=tuple(citations), answered=True, notes=("note_extractive",))

    def _chosen(self, question: str, evidence: Evidence) -> list[_Scored]:
        ranked = self._ranked(question, evidence)
        if not ranked:
            return []
        wanted = set(analyze(question))
        chosen, held = [ranked[0]], set(ranked[0].words) & wanted
        for scored in ranked[1:]:
            if len(chosen) == _MAX_UNITS or scored.score < _NEAR * ranked[0].score:
                break
            new = (set(scored.words) & wanted) - held
            if new:
                chosen.append(scored)
                held |= new
        chosen.sort(key=lambda scored: (scored.passage, scored.unit.span))
        return _joined(chosen, evidence)

    def _ranked(self, question: str, evidence: Evidence) -> list[_Scored]:
        candidates = [
            _Scored(unit=unit, passage=index, words=frozenset(analyze(unit.shown)), score=0.0)
            for index, passage in enumerate(evidence.passages)
            for unit in units(
                evidence.texts[passage.version_id], passage.span, evidence.blocks[passage.version_id]
            )
        ]
        by_words = _word_scores(question, candidates)
        order = sorted(range(len(candidates)), key=lambda i: (-by_words[i], candidates[i].passage))
        kept = order[:_CANDIDATES]
        if not kept:
            return []
        vectors = self._embedder.passages([candidates[i].unit.shown for i in kept])
        cosines = vectors @ self._embedder.queries([question])[0]
        by_meaning = _spread(cosines)
        scored = [
            _Scored(
                unit=candidates[i].unit,
                passage=candidates[i].passage,
                words=candidates[i].words,
                # The passage's own rank decides between units that are otherwise alike.
                score=by_words[i] + float(meaning) - 0.05 * candidates[i].passage,
            )
            for i, meaning in zip(kept, by_meaning, strict=True)
        ]
        return sorted(scored, key=lambda s: (-s.score, s.passage, s.unit.span))


def _word_scores(question: str, candidates: Sequence[_Scored]) -> list[float]:
    """Share (0..1) of the question's words in each unit, a word rare among the units counting more."""
    wanted = set(analyze(question))
    seen = Counter(word for candidate in candidates for word in candidate.words & wanted)
    weights = {word: math.log(1 + len(candidates) / (1 + seen[word])) for word in wanted if seen[word]}
    total = sum(weights.values()) or 1.0
    return [sum(weights[w] for w in c.words & weights.keys()) / total for c in candidates]


def _spread(values: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> list[float]:
    """The values moved to 0..1; all 1 when they do not differ. Raw cosines mean nothing by themselves."""
    low, high = float(values.min()), float(values.max())
    if high - low < 1e-6:
        return [1.0] * len(values)
    return [(float(value) - low) / (high - low) for value in values]


def _joined(chosen: Sequence[_Scored], evidence: Evidence) -> list[_Scored]:
    """Units that follow each other in one block become one, as the source joins them."""
    joined: list[_Scored] = []
    for scored in chosen:
        last = joined[-1] if joined else None
        text = evidence.texts[evidence.passages[scored.passage].version_id]
        if last and (last.passage, last.unit.block) == (scored.passage, scored.unit.block):
            gap = text[last.unit.span.end : scored.unit.span.start]
            if not gap.strip():
                span = Span(last.unit.span.start, scored.unit.span.end)
                unit = Unit(span=span, shown=span.of(text), block=last.unit.block)
                words = last.words | scored.words
                joined[-1] = _Scored(unit=unit, passage=last.passage, words=words, score=last.score)
                continue
        joined.append(scored)
    return joined
