"""Dates and times of day in a text, with those that name no year."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ingest.dates import dates
from retrieval.verify.folding import Folded, half_width
from retrieval.verify.numerals import han_value

_N: Final = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_NO_YEAR = re.compile(
    rf"(?<![\d十个])(?P<month>{_N})月(?!亮|球|饼|租|薪|供)份?(?:(?P<day>{_N})[日号])?"
    rf"|(?<![a-z])(?P<latin>{_MONTH})\.?\s(?P<nth>\d{{1,2}})(?:st|nd|rd|th)?(?![\d,%]\d|\d)"
    rf"|(?<![\d.,])(?P<first>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<then>{_MONTH})(?![a-z])"
)
_TIME = re.compile(
    rf"(?P<part>上午|下午|晚上|傍晚|中午|凌晨|早上|清晨|夜间|晚)?(?:(?P<hour>{_N})(?:点钟?|时(?!代|间|候|期|常|刻|段))"
    rf"(?:(?P<minute>{_N})分|(?P<half>半)|整)?)"
    r"|(?<![\d:])(?P<clock>\d{1,2}):(?P<past>[0-5]\d)(?::[0-5]\d)?(?![\d:])(?:\s?(?P<ampm>[ap])\.?m\.?)?"
    r"|(?<![\d.])(?P<bare>\d{1,2})\s?(?P<m>[ap])\.?m\.?(?![a-z])"
)
_LATER: Final = frozenset(("下午", "晚上", "傍晚", "晚", "夜间", "p"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date or time at ``[start, end)`` of the folded text.

    ``iso`` is as ``ingest.dates`` writes it, ``--05-01`` without a year, ``T10:30`` for a time of day.
    """

    iso: str
    start: int
    end: int


def moments(source: str, folded: Folded) -> list[Moment]:
    """The dates and times of ``source``, in order, without overlaps."""
    places: dict[int, int] = {}
    for place, origin in enumerate(folded.at):
        places.setdefault(origin, place)
    end = len(folded.text)
    found = [
        Moment(iso=date.iso, start=places[date.span.start], end=places.get(date.span.end, end))
        for date in dates(half_width(source))
    ]
    for match in (*_NO_YEAR.finditer(folded.text), *_TIME.finditer(folded.text)):
        iso = _day(match) if match.re is _NO_YEAR else _time(match)
        if iso and all(match.end() <= other.start or match.start() >= other.end for other in found):
            found.append(Moment(iso=iso, start=match.start(), end=match.end()))
    return sorted(found, key=lambda moment: moment.start)


def says(said: str, stands: str) -> bool:
    """Whether the source's ``stands`` carries ``said``: equal, or ``said`` leaves away the day or the year."""
    if said == stands:
        return True
    if said.startswith("--"):
        return stands.lstrip("-0123456789") == "" and f"-{stands[4:]}".startswith(said)
    return stands.startswith(said) and said[:1] != "T"


def near(said: str, stands: str) -> bool:
    """Whether ``stands`` says the same without the year that ``said`` names: 5月1日 for 2024-05-01."""
    return stands.startswith("--") and said[:4].isdecimal() and f"-{said[4:]}" == stands


def _count(written: str) -> int:
    value = int(written) if written.isdecimal() else han_value(written)
    return int(value) if value is not None else 0


def _day(match: re.Match[str]) -> str:
    if match["month"]:
        month, day = _count(match["month"]), _count(match["day"]) if match["day"] else 0
    else:
        month = _MONTHS.index((match["latin"] or match["then"])[:3]) + 1
        day = int(match["nth"] or match["first"])
    if not 1 <= month <= 12 or day > 31:
        return ""
    return f"--{month:02}-{day:02}" if day else f"--{month:02}"


def _time(match: re.Match[str]) -> str:
    hour = _count(match["hour"] or match["clock"] or match["bare"])
    part = match["part"] or match["ampm"] or match["m"] or ""
    minute = 30 if match["half"] else _count(match["minute"] or match["past"] or "0")
    if match["hour"] and not part and "时" not in match[0] and "钟" not in match[0] and not match["half"]:
        # 三点 may be three points.
        return ""
    if part in _LATER and hour < 12:
        hour += 12
    return f"T{hour:02}:{minute:02}" if hour <= 24 and minute < 60 else ""
