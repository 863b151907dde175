"""The dates that a Chinese or English text names, as exact as it names them.

Written as in ISO 8601: ``2024-05-01``, ``2024-05``, ``2024``. Quarters and half-years, which ISO 8601 has no
sign for, are ``2024-Q3`` and ``2024-H1``; whatever lies in a year starts with that year. A fiscal year
is the year that names it.

Everything starts from a year of four digits or Chinese numerals, from 民国 or from "FY24": those are found
by fast scans, and only what stands around them is looked at more closely.

Not taken: dates without a year (5月1日), years before 1000 and of other reigns, bare numbers. What no calendar
has (2024-13-45) is no date at all; of 5/6/2024, whose day and month are anyone's guess, the year is certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from core.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDate:
    """A date and the characters that name it."""

    iso: str
    span: Span


# What a pattern says: the date, or nothing when no calendar has it, and where the naming words lie.
_Read = tuple[str, int, int]

_HAN: Final = {sign: value for value, signs in enumerate(("〇零○", *"一二三四五六七八九")) for sign in signs}
_HAN_SIGNS: Final = "".join(_HAN)
_FIRST_YEAR_OF_THE_REPUBLIC: Final = 1912
# How far before a year the words that belong to it may begin: "second quarter of the fiscal year".
_LOOK_BACK: Final = 48

# Each starts with a set of characters, which the engine searches fast; what must stand before is asked after.
_ARABIC_YEAR = re.compile(r"[12１２](?<![0-9０-９].)[0-9０-９]{3}(?![0-9０-９])")
_HAN_YEAR = re.compile(rf"[一二](?<![{_HAN_SIGNS}十百千].)[{_HAN_SIGNS}]{{3}}(?=\s{{0,2}}年)")
_REPUBLIC_YEAR = re.compile(r"民[国國]\s{0,2}([0-9０-９]{1,3}|[一二三四五六七八九十]{1,4}|元)(?=\s{0,2}年)")
_SHORT_FISCAL_YEAR = re.compile(r"FY(?<![0-9A-Za-z]..)\s?['’]?([0-9]{2})(?![0-9A-Za-z])")

_COUNT = r"([0-9０-９]{1,2}|[一二三四五六七八九十]{1,3})"
_AFTER_HAN = re.compile(
    r"\s{0,2}(?:[财財]|[会會][计計])?(?:年度|年)(?:"
    rf"\s{{0,2}}{_COUNT}\s{{0,2}}月份?(?:\s{{0,2}}{_COUNT}\s{{0,2}}[日号號])?"
    r"|的?\s{0,2}(?:第?\s?(?=.\s?季度)|第\s?(?=.\s?季))([1-4１-４一二三四])\s?季度?"
    r"|的?\s{0,2}[Qq]([1-4])(?![0-9A-Za-z])|的?\s{0,2}([上下])半年)?"
)
_NO_YEAR_BEFORE = re.compile(r"(?:公元|西元|[（(–—－～至约約-])前\Z|距今[约約]?\Z")
# 2019-2021年: the first year has its 年 behind the second.
_TO_HAN_YEAR = re.compile(r"(?=\s?[-–—~～至到]{1,2}\s?[12][0-9]{3}\s?年)")
_NUMERIC = re.compile(r"([-/.])([0-9]{1,2})\1([0-9]{1,2})(?![0-9]|[-/.][0-9])")
_YEAR_MONTH = re.compile(r"-([0-9]{2})(?![0-9A-Za-z]|[-/.][0-9]|\s?[号號])")
_QUARTER_AFTER = re.compile(r"\s?[-/]?\s?(?:[Qq]([1-4])|([1-4])[Qq]|[Hh]([12]))(?![0-9A-Za-z])")

_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NTH = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_BEFORE_ENGLISH = re.compile(
    rf"(?<![0-9A-Za-z.])(?:{_NTH}(?:\s+day)?(?:\s+of)?[\s,-]{{1,2}})?{_MONTH}"
    rf"(?:\s{{1,2}}{_NTH}(?:\s?[-–—]\s?[0-9]{{1,2}})?(?![0-9]))?[\s,-]{{1,3}}\Z",
    re.IGNORECASE,
)
_ORDINALS: Final = ("first", "second", "third", "fourth")
_PART_BEFORE = re.compile(
    r"(?<![0-9A-Za-z_])(?:Q([1-4])|([1-4])Q|H([12])|([12])H|(first|second|third|fourth|1st|2nd|3rd|4th)[\s-]+(quarter|half))"
    r"(?:[\s,]+of)?(?:\s+(?:the\s+)?(?:fiscal\s+year|financial\s+year|fiscal|FY|year))?[\s,'’/-]{0,3}\Z",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(r"(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-/.])([0-9]{1,2})([/.])([0-9]{1,2})\2\Z")
_GOES_ON = re.compile(r"[-/.][0-9]")
_YEAR_WORD = re.compile(
    r"(?<![0-9A-Za-z_])(?:fiscal(?:\s+years?)?|FY|(?:financial|calendar)\s+years?|years?|in|since|during|throughout"
    r"|until|early|late|(?:end|beginning|start|middle)\s+of)\s{0,2}\Z",
    re.IGNORECASE,
)

_NO_YEAR_AFTER = re.compile(r"[.,][0-9]|\s?%|[0-9A-Za-z]")


def dates(text: str) -> tuple[FoundDate, ...]:
    """The dates that ``text`` names, in order and without overlaps; a date named twice comes twice."""
    found = [read for year in _ARABIC_YEAR.finditer(text) if (read := _read(text, year))]
    for year in _HAN_YEAR.finditer(text):
        number = int("".join(str(_HAN[sign]) for sign in year[0]))
        found.append(_after_han(text, number, *year.span()))
    for year in _REPUBLIC_YEAR.finditer(text):
        if number := _count(year[1]):
            found.append(_after_han(text, number + _FIRST_YEAR_OF_THE_REPUBLIC - 1, *year.span()))
    found.extend((f"20{year[1]}", *year.span()) for year in _SHORT_FISCAL_YEAR.finditer(text))
    kept: list[FoundDate] = []
    end = 0
    for iso, start, stop in sorted(found, key=lambda read: read[1:]):
        if iso and start >= end:
            kept.append(FoundDate(iso=iso, span=Span(start, stop)))
            end = stop
    return tuple(kept)


def _read(text: str, year: re.Match[str]) -> _Read | None:
    """What the first pattern that knows the year's surroundings makes of it."""
    for reader in _READERS:
        if (read := reader(text, year)) is not None:
            return read
    return None


def _han(text: str, year: re.Match[str]) -> _Read | None:
    """2024年5月1日, 2024年度, 2024年第三季度; but neither 公元前1046年 nor 距今2000年."""
    start, end = year.span()
    is_first = _TO_HAN_YEAR.match(text, end) is not None
    if not is_first and not _AFTER_HAN.match(text, end):
        return None
    if _before(_NO_YEAR_BEFORE, text, year):
        return "", start, end
    return (str(int(year[0])), start, end) if is_first else _after_han(text, int(year[0]), start, end)


def _after_han(text: str, year: int, start: int, end: int) -> _Read:
    """The date of a year whose digits end at ``end``, before 年."""
    found = _AFTER_HAN.match(text, end)
    if found is None:
        return "", start, end
    month, day, quarter, latin_quarter, half = found.groups()
    if month:
        return _iso(year, _count(month), _count(day) if day else None), start, found.end()
    if quarter or latin_quarter:
        return f"{year}-Q{_count(quarter or latin_quarter)}", start, found.end()
    if half:
        return f"{year}-H{1 if half == '上' else 2}", start, found.end()
    return str(year), start, found.end()


def _numeric(text: str, year: re.Match[str]) -> _Read | None:
    """2024-05-01, 2024/5/1, 2024.05.01, and 2024-05 where it cannot mean the years from 2024 to 2105."""
    start, end = year.span()
    if _is_joined(text, start):
        return None
    if found := _NUMERIC.match(text, end):
        return _iso(int(year[0]), int(found[2]), int(found[3])), start, found.end()
    if (found := _YEAR_MONTH.match(text, end)) and int(found[1]) <= int(year[0]) % 100:
        return _iso(int(year[0]), int(found[1]), None), start, found.end()
    return None


def _part_after(text: str, year: re.Match[str]) -> _Read | None:
    """2024 Q3, 2024Q3, 2024-H1."""
    found = _QUARTER_AFTER.match(text, year.end())
    if found is None or _is_joined(text, year.start()):
        return None
    part = f"H{found[3]}" if found[3] else f"Q{found[1] or found[2]}"
    return f"{int(year[0])}-{part}", year.start(), found.end()


def _english(text: str, year: re.Match[str]) -> _Read | None:
    """1 May 2024, May 1st, 2024, May 2024."""
    found = _before(_BEFORE_ENGLISH, text, year)
    if found is None:
        return None
    month = _MONTHS.index(found[2][:3].lower()) + 1
    if found[3]:
        # "on 3 May 10, 2024" has one day too many: the one behind the month is its own.
        return _iso(int(year[0]), month, int(found[3])), found.start(2), year.end()
    return _iso(int(year[0]), month, int(found[1]) if found[1] else None), found.start(), year.end()


def _part_before(text: str, year: re.Match[str]) -> _Read | None:
    """Q3 2024, third quarter of fiscal 2024, first half of 2024."""
    found = _before(_PART_BEFORE, text, year)
    if found is None:
        return None
    quarter, half, ordinal, unit = found[1] or found[2], found[3] or found[4], found[5], found[6]
    if ordinal:
        named = ordinal.lower()
        number = named[0] if named[0].isdigit() else str(_ORDINALS.index(named) + 1)
        quarter, half = (number, None) if unit.lower() == "quarter" else (None, number)
    if half and half not in "12":
        return "", found.start(), year.end()
    return f"{int(year[0])}-{f'H{half}' if half else f'Q{quarter}'}", found.start(), year.end()


def _day_first(text: str, year: re.Match[str]) -> _Read | None:
    """12/31/2023, 31/12/2023, 01.05.2024; with strokes only where one order alone is possible."""
    found = _before(_DAY_FIRST, text, year)
    if found is None or _GOES_ON.match(text, year.end()):
        return None
    first, second = int(found[1]), int(found[3])
    readings = {_iso(int(year[0]), second, first)}
    if found[2] == "/":
        readings.add(_iso(int(year[0]), first, second))
    readings.discard("")
    iso = readings.pop() if len(readings) == 1 else str(int(year[0])) if readings else ""
    return iso, found.start(), year.end()


def _named_year(text: str, year: re.Match[str]) -> _Read | None:
    """In 2024, fiscal year 2024, FY2024; neither in 2024.5 nor in 2000%."""
    found = _before(_YEAR_WORD, text, year)
    if found is None or _NO_YEAR_AFTER.match(text, year.end()):
        return None
    fiscal = found[0].lower().startswith(("f", "cal"))
    return str(int(year[0])), found.start() if fiscal else year.start(), year.end()


_READERS: Final[tuple[Callable[[str, re.Match[str]], _Read | None], ...]] = (
    _han,
    _numeric,
    _part_after,
    _english,
    _part_before,
    _day_first,
    _named_year,
)


def _before(pattern: re.Pattern[str], text: str, year: re.Match[str]) -> re.Match[str] | None:
    """The words of ``pattern`` that end where the year starts."""
    return pattern.search(text, max(year.start() - _LOOK_BACK, 0), year.start())


def _is_joined(text: str, start: int) -> bool:
    """Whether what starts here goes on a word, a number, a path or a telephone number."""
    before = text[max(start - 2, 0) : start]
    if not before:
        return False
    return _is_latin(before[-1]) or (before[-1] in "-/._" and len(before) > 1 and _is_latin(before[0]))


def _is_latin(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def _iso(year: int, month: int, day: int | None) -> str:
    """The date, or nothing when no calendar has it."""
    try:
        return date(year, month, 1 if day is None else day).isoformat()[: 7 if day is None else 10]
    except ValueError:
        return ""


def _count(written: str) -> int:
    """A number up to 99 in digits or Chinese numerals; 0 for what is none."""
    if written.isdecimal():
        return int(written)
    if written == "元":
        return 1
    tens, ten, ones = written.rpartition("十")
    if not ten:
        return _HAN.get(ones, 0)
    if not {tens, ones} <= {"", *_HAN}:
        return 0
    return 10 * _HAN.get(tens, 1) + _HAN.get(ones, 0)
