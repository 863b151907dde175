"""One search token for what is written in several ways: dates, numbered articles, codes of standards."""

from __future__ import annotations

import re
from typing import Final

from ingest.dates import dates

_DIGITS: Final = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS: Final = {"十": 10, "百": 100, "千": 1000}
# 第三十二条, 第32条, 32条.
_NUMBERED = re.compile(
    r"第\s?([0-9]{1,5}|[〇零一二三四五六七八九十百千两]{1,9})\s?([编章节条款项])|(?<![0-9.])([0-9]{1,5})\s?([条款])"
)
# GB/T 7714-2015, GB/T7714, ISO 9001, T-200: letters, then a number behind a space, a hyphen or nothing.
_CODE = re.compile(
    r"(?<![0-9a-z./-])([a-z]{1,4}(?:/[a-z]{1,3})?)([ -]?)([0-9]+(?:\.[0-9]+)*)((?:-[0-9]+)*)(?![0-9a-z])"
)
# Short words that stand before numbers and name nothing.
_NO_CODE: Final = frozenset(("a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "is", "it", "no")) | {
    "of", "on", "or", "than", "the", "to", "was", "with"
}  # fmt: skip


def one_spelling(text: str, folded: str) -> list[str]:
    """The tokens: 2024-05-01, 2024-05 and 2024; 第32条; gb/t7714-2015 and gb/t7714.

    ``folded`` is ``text`` in lower case and simplified characters. What stands so in the text anyway is left
    out: it is a token already.
    """
    tokens: list[str] = []
    for found in dates(text):
        if found.iso != found.span.of(text):
            tokens += [found.iso[:end] for end in (10, 7, 4) if len(found.iso) >= end]
    for number, unit, bare, bare_unit in _NUMBERED.findall(folded):
        tokens.append(f"第{_number(number or bare)}{unit or bare_unit}")
    for letters, gap, number, rest in _CODE.findall(folded):
        if letters not in _NO_CODE and (gap or rest or "/" in letters):
            tokens.append(f"{letters}{number}")
            if rest:
                tokens.append(f"{letters}{number}{rest}")
    return tokens


def _number(written: str) -> int:
    """三十二 is 32, 一〇五 is 105, 一百零五 is 105."""
    if written.isdigit() and written.isascii():
        return int(written)
    total, digit, digits = 0, 0, ""
    for sign in written:
        if sign in _UNITS:
            total += (digit or 1) * _UNITS[sign]
            digit = 0
        else:
            digit = _DIGITS[sign]
            digits += str(digit)
    return total + digit if total else int(digits or "0")
