"""The rule that checked sentences before there was a verifier: shared words and the same numbers."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from core.span import Span
from core.verdict import Verdict
from ingest.indexes.analyzer import analyze
from ingest.sentences import sentences

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SUPPORTED: Final = 0.6
_PARTLY: Final = 0.3
_MOST_SENTENCES: Final = 3


def words_and_numbers(sentence: str, text: str, passage: Span) -> Verdict:
    """Supported when most words and all digits stand in at most three source sentences in a row."""
    wanted = set(analyze(sentence))
    units = sentences(text, passage.start, passage.end)
    words = [set(analyze(unit.of(text))) for unit in units]
    best, most = passage, 0.0
    for first in range(len(units)):
        seen: set[str] = set()
        for last in range(first, min(first + _MOST_SENTENCES, len(units))):
            seen |= words[last]
            share = len(wanted & seen) / len(wanted) if wanted else 0.0
            # A longer run must earn its length.
            if share > most + 0.05 * (last - first) + 1e-9:
                best, most = Span(units[first].start, units[last].end), share
    if not _numbers(sentence) <= _numbers(best.of(text)) or most < _PARTLY:
        return Verdict.UNSUPPORTED
    return Verdict.SUPPORTED if most >= _SUPPORTED else Verdict.PARTLY


def _numbers(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKC", text)
    return {found.replace(",", "").rstrip(".") for found in _NUMBER.findall(folded)}
