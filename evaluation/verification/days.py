"""Dates in a sentence: their years, months and days with the place of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH: Final = "|".join([*MONTHS, *(month.lower() for month in MONTHS)])
_PATTERNS: Final = (
    re.compile(
        r"(?<!\d)(?P<year>1\d{3}|20\d\d) ?年(?: ?(?P<month>\d{1,2}) ?月(?: ?(?P<day>\d{1,2}) ?[日号號])?)?"
    ),
    re.compile(r"(?<![\d年])(?P<month>\d{1,2}) ?月(?!份?[内內前后後])(?: ?(?P<day>\d{1,2}) ?[日号號])?"),
    re.compile(r"(?<![\d月])(?P<day>\d{1,2})日(?!以?[内內间間起]|之)"),
    re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>1\d{{3}}|20\d\d)\b"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{_MONTH}),? (?P<year>1\d{{3}}|20\d\d)\b"),
    re.compile(rf"\b(?P<month>{_MONTH}),? (?P<year>1\d{{3}}|20\d\d)\b"),
    re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}})\b(?!,? ?\d)"),
    re.compile(
        r"\b(?:[Ii]n|[Ss]ince|[Bb]y|[Uu]ntil|[Dd]uring|[Ff]rom|of) (?P<year>1[5-9]\d\d|20\d\d)\b(?! ?million|,\d)"
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A date at ``[start, end)``; ``parts`` has the place of "year", "month" and "day" as far as written."""

    start: int
    end: int
    parts: dict[str, tuple[int, int]]


def dates_in(sentence: str) -> list[Dated]:
    """In order, none overlapping; the fullest reading of each."""
    found: list[Dated] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(sentence):
            if any(one.start < match.end() and match.start() < one.end for one in found):
                continue
            parts = {name: match.span(name) for name, value in match.groupdict().items() if value}
            found.append(Dated(start=match.start(), end=match.end(), parts=parts))
    return sorted(found, key=lambda one: one.start)
