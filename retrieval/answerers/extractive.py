"""No model: the source's own units that answer best, verbatim, each cited."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.language import language_of
from core.protocols import Embedder, Vectors
from core.span import Span
from core.verdict import Verdict
from retrieval.content_words import WordsHeld, content_words
from retrieval.evidence import Draft, Evidence, OnText
from retrieval.units import Unit, units

_CANDIDATES = 16
_MAX_UNITS = 3
# A further unit must come this close to the best one (scores are in 0..2).
_NEAR = 0.8
# A word that only the headings above a unit hold counts half.
_HEADING_SHARE = 0.5
# A unit in another language must hold more than this share of the question's content words.
_FOREIGN_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    unit: Unit
    passage: int
    # Share (0..1) of each content word of the question that the unit holds.
    held: dict[str, float]
    score: float = 0.0


class ExtractiveAnswerer:
    """Ranks units by the question's words they hold (weighted by rarity) and by meaning."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def answer(self, question: str, evidence: Evidence, on_text: OnText) -> Draft:
        """At most three units in the order of the source; unanswered when none shares a word with the question."""
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
        if not ranked or not _speaks_to(question, ranked[0]):
            return []
        chosen, held = [ranked[0]], dict(ranked[0].held)
        for scored in ranked[1:]:
            if len(chosen) == _MAX_UNITS or scored.score < _NEAR * ranked[0].score:
                break
            if any(share > held[word] + 0.3 for word, share in scored.held.items()):
                chosen.append(scored)
                held = {word: max(share, held[word]) for word, share in scored.held.items()}
        chosen.sort(key=lambda scored: (scored.passage, scored.unit.span))
        return _joined(chosen, evidence)

    def _ranked(self, question: str, evidence: Evidence) -> list[_Scored]:
        """Units by words and meaning, best first; only those that hold most words are encoded."""
        candidates = _candidates(question, evidence)
        by_words = _word_scores(candidates)
        order = sorted(range(len(candidates)), key=lambda i: (-by_words[i], candidates[i].passage, i))
        kept = order[:_CANDIDATES]
        if not kept:
            return []
        shown = [_in_context(candidates[i], evidence) for i in kept]
        by_meaning = _spread(self._embedder.passages(shown) @ self._embedder.queries([question])[0])
        scored = [
            # The passage's own rank decides between units that are otherwise alike.
            replace(candidates[i], score=by_words[i] + meaning - 0.05 * candidates[i].passage)
            for i, meaning in zip(kept, by_meaning, strict=True)
        ]
        return sorted(scored, key=lambda s: (-s.score, s.passage, s.unit.span))


def _speaks_to(question: str, best: _Scored) -> bool:
    """Words that share nothing with the question cannot be shown as its answer.

    In another language only names and numbers can be shared: one name alone is not enough.
    """
    held = best.held.values()
    if not held:
        return True
    if language_of(best.unit.shown) == language_of(question):
        return any(held)
    return sum(held) / len(held) > _FOREIGN_SHARE


def _candidates(question: str, evidence: Evidence) -> list[_Scored]:
    words = content_words(question)
    found: list[_Scored] = []
    for index, passage in enumerate(evidence.passages):
        above = WordsHeld(passage.title, *passage.section_path)
        heading = {word: _HEADING_SHARE * above.share(word) for word in words}
        text, blocks = evidence.texts[passage.version_id], evidence.blocks[passage.version_id]
        for unit in units(text, passage.span, blocks):
            inside = WordsHeld(unit.shown)
            held = {word: max(inside.share(word), heading[word]) for word in words}
            found.append(_Scored(unit=unit, passage=index, held=held))
    return found


def _in_context(scored: _Scored, evidence: Evidence) -> str:
    """The unit under its innermost heading, as the embedding model should read it."""
    path = evidence.passages[scored.passage].section_path
    return f"{path[-1]}\n{scored.unit.shown}" if path else scored.unit.shown


def _word_scores(candidates: Sequence[_Scored]) -> list[float]:
    """Share (0..1) of the question's words in each unit; a word rare among the units counts more."""
    if not candidates:
        return []
    seen = {word: sum(c.held[word] for c in candidates) for word in candidates[0].held}
    weights = {word: math.log(1 + len(candidates) / (1 + count)) for word, count in seen.items() if count}
    total = sum(weights.values()) or 1.0
    return [sum(weight * c.held[word] for word, weight in weights.items()) / total for c in candidates]


def _spread(values: Vectors) -> list[float]:
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
                joined[-1] = replace(last, unit=unit)
                continue
        joined.append(scored)
    return joined
