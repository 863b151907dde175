"""Where a sentence's support stands in a passage, and whether it carries the sentence."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.span import Span
from core.verdict import Verdict
from ingest.indexes.analyzer import analyze
from ingest.sentences import sentences

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SUPPORTED, _PARTLY = 0.6, 0.3
_MAX_RUN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """``span`` is over the document's text; ``coverage`` is the share (0..1) of the sentence's words in it."""

    span: Span
    coverage: float
    verdict: Verdict


def support(sentence: str, text: str, passage: Span) -> Support:
    """The run of at most three source sentences that carries ``sentence`` best.

    A sentence is supported when most of its words and all of its numbers stand in that run, partly
    supported when some of its words do. Without any shared word the whole passage is returned.
    """
    wanted = set(analyze(sentence))
    numbers = _numbers(sentence)
    units = sentences(text, passage.start, passage.end)
    words = [set(analyze(unit.of(text))) for unit in units]
    best, best_coverage = passage, 0.0
    for first in range(len(units)):
        seen: set[str] = set()
        for last in range(first, min(first + _MAX_RUN, len(units))):
            seen |= words[last]
            coverage = len(wanted & seen) / len(wanted) if wanted else 0.0
            # A longer run must earn its length.
            if coverage > best_coverage + 0.05 * (last - first) + 1e-9:
                best, best_coverage = Span(units[first].start, units[last].end), coverage
    has_numbers = numbers <= _numbers(best.of(text))
    if best_coverage >= _SUPPORTED and has_numbers:
        verdict = Verdict.SUPPORTED
    elif best_coverage >= _PARTLY and has_numbers:
        verdict = Verdict.PARTLY
    else:
        verdict = Verdict.UNSUPPORTED
    return Support(span=best, coverage=best_coverage, verdict=verdict)


def _numbers(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKC", text)
    return {found.replace(",", "").rstrip(".") for found in _NUMBER.findall(folded)}
