"""Days counted since 1900 or 1904 as the dates and times that a sheet shows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from ingest.parsers.grid.matrix import Kind

_FIRST_1900, _FIRST_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_LAST_DAY = 2958465  # 31 December 9999
_FALSE_LEAP_DAY = 60  # 29 February 1900, which Excel counts and no calendar has
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CHINESE_DAYS = "一二三四五六日"
# Language tags of Chinese in a format: [$-804], [$-404], [$-C04].
_CHINESE = ("804", "404", "c04", "1004", "1404")


def is_date(tokens: Sequence[tuple[str, str]]) -> bool:
    """Whether a format shows a date or a time; letters beside digit placeholders are no date."""
    names = {name for name, _ in tokens}
    letters = "".join(part.lower() for name, part in tokens if name == "date")
    has_letters = bool(names & {"elapsed"}) or bool(set(letters) & set("ymdhsea"))
    digits = [i for i, (name, _) in enumerate(tokens) if name == "digit"]
    fractions = all(part == "0" for name, part in tokens if name == "digit")
    return has_letters and (not digits or fractions) and "exponent" not in names


def moment_of(serial: float, *, from_1904: bool = False) -> datetime | None:
    """The moment, to the millisecond; ``None`` outside the years 1900 to 9999."""
    if not 0 <= serial <= _LAST_DAY:
        return None
    start = _FIRST_1904 if from_1904 else _FIRST_1900
    days = serial + 1 if not from_1904 and serial < _FALSE_LEAP_DAY else serial
    try:
        return start + timedelta(milliseconds=round(days * 86_400_000))
    except OverflowError:
        return None


def date_text(serial: float, tokens: Sequence[tuple[str, str]], *, from_1904: bool = False) -> str:
    """What a sheet shows; empty when ``serial`` is no date."""
    moment = moment_of(serial, from_1904=from_1904)
    if moment is None:
        return ""
    places = _second_places(tokens)
    if not places:
        moment += timedelta(milliseconds=500)
    halves = any(name == "half" for name, _ in tokens)
    language = next((part for name, part in tokens if name == "language"), "")
    chinese = language.lower().lstrip("0").endswith(_CHINESE)
    pieces: list[str] = []
    for index, (name, part) in enumerate(tokens):
        if name == "date":
            minutes = part[0] in "mM" and _is_minute(tokens, index)
            pieces.append(_date_part("n" * len(part) if minutes else part, moment, halves, chinese))
        elif name == "elapsed":
            pieces.append(_elapsed(part, serial))
        elif name == "half":
            pieces.append(_half(part, moment))
        elif (name, part) == ("mark", ".") and places:
            pieces.append("." + f"{moment.microsecond // 1000:03d}"[:places])
        elif name in ("text", "mark"):
            pieces.append(part)
    return "".join(pieces)


def _second_places(tokens: Sequence[tuple[str, str]]) -> int:
    return min(sum(name == "digit" for name, _ in tokens), 3)


def _is_minute(tokens: Sequence[tuple[str, str]], index: int) -> bool:
    """An m is a minute right after hours or right before seconds."""
    letters = [(i, part[0].lower()) for i, (name, part) in enumerate(tokens) if name in ("date", "elapsed")]
    place = [i for i, _ in letters].index(index)
    before = letters[place - 1][1] if place else ""
    after = letters[place + 1][1] if place + 1 < len(letters) else ""
    return len(tokens[index][1]) <= 2 and (before == "h" or after == "s")


def _date_part(code: str, moment: datetime, halves: bool, chinese: bool) -> str:
    """One run of letters; "n" stands for minutes."""
    letter, size = code[0].lower(), len(code)
    if letter in "ye":
        return f"{moment.year % 100:02d}" if letter == "y" and size <= 2 else str(moment.year)
    if letter == "m" and size >= 3:
        name = _MONTHS[moment.month - 1]
        if chinese:
            return f"{moment.month}月"
        return name[0] if size == 5 else name if size == 4 else name[:3]
    if letter == "a" or (letter == "d" and size >= 3):
        return _day_name(letter, size, moment, chinese)
    hour = (moment.hour % 12 or 12) if halves else moment.hour
    number = {"m": moment.month, "d": moment.day, "h": hour, "n": moment.minute, "s": moment.second}.get(
        letter
    )
    if number is None:
        return ""
    return f"{number:02d}" if size >= 2 else str(number)


def _day_name(letter: str, size: int, moment: date, chinese: bool) -> str:
    day = moment.weekday()
    if letter == "a" or chinese:
        return ("星期" if size >= 4 else "周" if chinese and letter == "d" else "") + _CHINESE_DAYS[day]
    return _DAYS[day] if size >= 4 else _DAYS[day][:3]


def _elapsed(code: str, serial: float) -> str:
    per_day = {"h": 24, "m": 1440, "s": 86400}[code[0].lower()]
    return str(int(serial * per_day + 1e-6)).zfill(len(code))


def _half(code: str, moment: datetime) -> str:
    first, second = code.split("/")
    return first if moment.hour < 12 else second


def iso_text(value: datetime | date) -> tuple[str, Kind]:
    """A date stored as ISO 8601: without the time when it is midnight."""
    if isinstance(value, datetime) and not (value.hour or value.minute or value.second):
        return value.date().isoformat(), Kind.DATE
    return value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat(), Kind.DATE
