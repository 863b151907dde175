"""How exactly candidates hold what the question gives to the letter: a score beside meaning and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ingest.indexes.analyzer import fold
from retrieval.query.heads import best_fit, head_of
from retrieval.query.references import references
from retrieval.query.understood import Quantity, Reference, Understood

# What each kind alone is worth; together they add up as independent evidence does (noisy or).
_PART, _PART_CITED = 1.0, 0.3
_QUOTES, _QUOTES_IN_PART = 0.6, 0.3
_IDENTIFIERS: Final = 0.7
_DATES: Final = 0.4
_QUANTITIES: Final = 0.2
_SEPARATORS: Final = re.compile(r"[^a-z0-9\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A chunk as far as it is asked: ``text`` may start with its contextual header; ``dates`` are ISO 8601."""

    document_id: str
    section_path: tuple[str, ...]
    text: str
    dates: tuple[str, ...] = ()


def exactness(understood: Understood, candidates: Sequence[Candidate]) -> list[float]:
    """0..1 for each candidate; all 0 when the question gives nothing to the letter.

    1 is the named article itself, by the headings above the chunk or at the start of a line of it, in a
    document that is named when any is.
    """
    asked = _Asked(understood)
    return [asked.score(candidate) for candidate in candidates]


class _Asked:
    """The question's wishes, prepared once."""

    def __init__(self, understood: Understood) -> None:
        self._documents = frozenset(understood.documents)
        self._references = understood.references
        titles = {mention.span for mention in understood.mentions}
        # A title that names a stored document asks for the document, not for its name inside the text.
        self._quotes = [
            fold(quote.text) for quote in understood.quotes if not any(quote.span.overlaps(t) for t in titles)
        ]
        self._identifiers = [_whole(identifier.text) for identifier in understood.identifiers]
        self._dates = understood.dates
        self._quantities = [_quantity(quantity) for quantity in understood.quantities]

    def score(self, candidate: Candidate) -> float:
        text = fold(candidate.text)
        worth = [
            self._part(candidate),
            self._quoted(text),
            _IDENTIFIERS * _share(bool(pattern.search(text)) for pattern in self._identifiers),
            _DATES * _share(any(_same_date(date, own) for own in candidate.dates) for date in self._dates),
            _QUANTITIES * _share(bool(pattern.search(text)) for pattern in self._quantities),
        ]
        missing = 1.0
        for value in worth:
            missing *= 1 - value
        return 1 - missing

    def _part(self, candidate: Candidate) -> float:
        if not self._references or (self._documents and candidate.document_id not in self._documents):
            return 0.0
        return max(_holds(reference, candidate) for reference in self._references)

    def _quoted(self, text: str) -> float:
        share = _share(quote in text for quote in self._quotes)
        return _QUOTES if share == 1 else _QUOTES_IN_PART * share


def _holds(reference: Reference, candidate: Candidate) -> float:
    heads = {head.part: head.number for title in candidate.section_path if (head := head_of(title))}
    if any(heads.get(part, number) != number for part, number in reference.outer):
        return 0.0
    lines = candidate.text.splitlines()
    opened = max(best_fit(reference, candidate.section_path), best_fit(reference, lines))
    if opened:
        return _PART * opened
    cited = {(other.part, other.number) for other in references(candidate.text)}
    return _PART_CITED if (reference.part, reference.number) in cited else 0.0


def _share(held: Iterable[bool]) -> float:
    found = list(held)
    return sum(found) / len(found) if found else 0.0


def _whole(identifier: str) -> re.Pattern[str]:
    """The identifier in folded text, with any or no marks between its parts, and not inside a longer one."""
    parts = [re.escape(part) for part in _SEPARATORS.split(fold(identifier)) if part]
    inner = r"[^a-z0-9\u3400-\u9fff]{0,2}".join(parts)
    return re.compile(rf"(?<![a-z0-9]){inner}(?![a-z0-9]|[.\-][0-9])")


def _quantity(quantity: Quantity) -> re.Pattern[str]:
    """The number, with or without thousands separators, before its unit."""
    whole, point, rest = quantity.number.partition(".")
    digits = ",?".join(whole) if len(whole) > 3 else whole
    unit = quantity.unit.strip("$€£¥")
    return re.compile(rf"(?<![0-9.,]){digits}{re.escape(point + rest)}\s?{re.escape(unit)}(?![0-9])")


def _same_date(asked: str, held: str) -> bool:
    """Whether one date is the other or lies in it: 2024-05-01 in 2024-05, 2024-Q3 in 2024."""
    return held == asked or held.startswith(f"{asked}-") or asked.startswith(f"{held}-")
