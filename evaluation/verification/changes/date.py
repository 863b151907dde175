"""Another date: the year, the month or the day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core.hashing import stable_id
from evaluation.verification.case import Claim
from evaluation.verification.days import MONTHS, dates_in


def other_year(claim: Claim) -> Iterator[str]:
    """A year of the same century, at most nine off, that the passage does not have."""
    yield from _changed(claim, "year", lambda old, step: str(int(old) // 10 * 10 + (int(old) + step) % 10))


def other_month(claim: Claim) -> Iterator[str]:
    """A month that the passage does not have."""
    yield from _changed(claim, "month", _month)


def other_day(claim: Claim) -> Iterator[str]:
    """A day from the fourth to the twentieth that the passage does not have."""
    yield from _changed(claim, "day", lambda old, step: str(4 + (int(old) + step) % 17))


def _month(old: str, step: int) -> str:
    if old.isdigit():
        return str((int(old) - 1 + step) % 12 + 1)
    new = MONTHS[([month.lower() for month in MONTHS].index(old.lower()) + step) % 12]
    return new if old[0].isupper() else new.lower()


def _changed(claim: Claim, part: str, other: Callable[[str, int], str]) -> Iterator[str]:
    found = dates_in(claim.sentence)
    taken = {
        text[slice(*one.parts[part])].lower()
        for text in (claim.passage_text, claim.sentence)
        for one in dates_in(text)
        if part in one.parts
    }
    for date in found:
        if part not in date.parts:
            continue
        start, end = date.parts[part]
        first = int(stable_id(claim.key, start), 16)
        for offset in range(9):
            new = other(claim.sentence[start:end], 1 + (first + offset) % 9)
            if new.lower() not in taken and new != claim.sentence[start:end]:
                # The fourth to the twentieth: all of them end in "th".
                rest = re.sub(r"^(?:st|nd|rd)\b", "th", claim.sentence[end:])
                yield claim.sentence[:start] + new + rest
                break
