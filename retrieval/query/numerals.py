"""Numbers as people write them in references: Arabic, full width, Chinese, Roman."""

from __future__ import annotations

import unicodedata
from typing import Final

HAN_NUMERAL: Final = "〇零○一二三四五六七八九十百千两廿卅"
_DIGITS: Final = {**{c: n for n, c in enumerate("零一二三四五六七八九")}, "〇": 0, "○": 0, "两": 2}
_UNITS: Final = {"十": 10, "百": 100, "千": 1000}
_TENS: Final = {"廿": 20, "卅": 30}
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def number_of(written: str) -> str:
    """``written`` in Arabic digits: 三十二 is 32, ３２ is 32, 4．2 is 4.2, 一〇五 is 105; others as they are."""
    folded = unicodedata.normalize("NFKC", written).replace("○", "〇")
    if not folded or not all(char in HAN_NUMERAL for char in folded):
        return ".".join(part.lstrip("0") or "0" for part in folded.split(".")) if folded else ""
    if not any(char in _UNITS or char in _TENS for char in folded):
        return str(int("".join(str(_DIGITS[char]) for char in folded)))
    return str(_counted(folded))


def _counted(han: str) -> int:
    """Chinese counting with units: 一千零七十九, 十二, 二百五 (the last is 205 in references)."""
    total, digit = 0, 0
    for char in han:
        if char in _UNITS:
            total += (digit or 1) * _UNITS[char]
            digit = 0
        elif char in _TENS:
            total, digit = total + _TENS[char], 0
        else:
            digit = _DIGITS[char]
    return total + digit


def roman_of(written: str) -> str:
    """A Roman numeral in Arabic digits: XIV is 14."""
    values = [_ROMAN[char] for char in written]
    return str(sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True)))
