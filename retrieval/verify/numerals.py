"""Chinese and English number words to values."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

_DIGITS: Final = {
    sign: value
    for value, signs in enumerate(
        ("〇零○", "一壹弌", "二两贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
    )
    for sign in signs
}
_SMALL: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000, "廿": 20, "卅": 30}
SCALES: Final = {"万": 10_000, "亿": 100_000_000, "兆": 1_000_000_000_000}
HAN_SIGNS: Final = "".join((*_DIGITS, *_SMALL, "万亿"))

_ONES: Final = {
    word: value
    for value, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen""".split()  # noqa: SIM905
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)  # noqa: SIM905
}
ENGLISH_SCALES: Final = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "bn": 10**9,
    "mn": 10**6,
}
_WORD: Final = "|".join((*_ONES, *_TENS, "hundred", "thousand", "million", "billion", "trillion", "dozen"))
ENGLISH_PATTERN: Final = rf"(?:{_WORD})(?![a-z])(?:(?:[\s-]|(?:(?<=hundred)|(?<=thousand)|(?<=million))\sand\s)(?:{_WORD})(?![a-z]))*"


def han_value(written: str) -> Fraction | None:
    """三千五百 is 3500, 二〇二四 is 2024, 两万五 is 25000, 三点五 is 3.5; ``None`` for what is no number."""
    whole, point, rest = written.partition("点")
    if point:
        value = han_value(whole)
        if value is None or not rest or any(sign not in _DIGITS for sign in rest):
            return None
        return value + Fraction(int("".join(str(_DIGITS[sign]) for sign in rest)), 10 ** len(rest))
    if all(sign in _DIGITS for sign in written):
        return Fraction(int("".join(str(_DIGITS[sign]) for sign in written))) if written else None
    if any(sign not in _DIGITS and sign not in _SMALL and sign not in SCALES for sign in written):
        return None
    return Fraction(_counted(written))


def _counted(written: str) -> int:
    for sign in ("兆", "亿", "万"):
        before, found, after = written.rpartition(sign)
        if found:
            rest = _tail(after, SCALES[sign]) if after else 0
            return (_counted(before) if before else 1) * SCALES[sign] + rest
    total, digit, last = 0, 0, 1
    for place, sign in enumerate(written):
        if sign in ("廿", "卅"):
            total, digit, last = total + _SMALL[sign], 0, 1
        elif sign in _SMALL:
            total, digit, last = total + (digit or 1) * _SMALL[sign], 0, _SMALL[sign]
        elif place == len(written) - 1 and place:
            total += _tail(sign, last)
            digit = 0
        else:
            digit, last = _DIGITS[sign], last if _DIGITS[sign] else 1
    return total + digit


def _tail(written: str, unit: int) -> int:
    """两万五 and 三百二 leave the last unit away; 一百零五 does not."""
    if len(written) == 1 and written in _DIGITS and unit > 10:
        return _DIGITS[written] * unit // 10
    return _counted(written)


def english_value(written: str) -> Fraction:
    """twenty-five is 25, two hundred and six thousand is 206000."""
    total, section = 0, 0
    for word in re.split(r"[\s-]+", written):
        if word in _ONES or word in _TENS:
            section += _ONES.get(word, 0) or _TENS.get(word, 0)
        elif word == "dozen":
            section = (section or 1) * 12
        elif word == "hundred":
            section = (section or 1) * 100
        elif word in ENGLISH_SCALES:
            total += (section or 1) * ENGLISH_SCALES[word]
            section = 0
    return Fraction(total + section)
