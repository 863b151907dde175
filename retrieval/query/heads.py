"""Which numbered part a line opens, and whether it is the one that a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from retrieval.query.numerals import HAN_NUMERAL, number_of, roman_of
from retrieval.query.references import HAN_PARTS, NUMERAL, WORDS
from retrieval.query.understood import Part, Reference

_LEAD: Final = r"^[\s#*>|\-–•　]*"
_HAN: Final = re.compile(
    rf"{_LEAD}第\s?(?P<number>{NUMERAL})\s?(?P<part>部分|[编編章节節条條])(?:之(?P<sub>{NUMERAL}))?(?![件例约約款])"
)
_LATIN: Final = re.compile(
    rf"{_LEAD}(?:(?P<word>{'|'.join(WORDS)})\.?\s+|§+\s*)"
    r"(?P<number>\d{1,4}(?:\.\d{1,3}){0,4}[A-Z]?|[IVXLC]{1,6}|[A-Z])(?![\w])",
    re.IGNORECASE,
)
_ANNEX: Final = re.compile(
    rf"{_LEAD}(?P<part>附件|附录|附錄|附表|表|图|圖)\s?(?P<number>{NUMERAL}|[A-Z])(?![A-Za-z0-9])"
)
_ANNEXES: Final = {"附": Part.ANNEX, "表": Part.TABLE, "图": Part.FIGURE, "圖": Part.FIGURE}
_BARE: Final = re.compile(
    rf"{_LEAD}(?P<number>\d{{1,3}}(?:[.．]\d{{1,3}}){{0,4}}|[{HAN_NUMERAL}]{{1,4}}(?=、))(?:[.．、)）:：]|\s|(?=[\u4e00-\u9fff]))(?![\d%])"
)
# Parts that a bare number may count, and parts whose names people mix up.
_COUNTED: Final = frozenset(
    {Part.SECTION, Part.CLAUSE, Part.ARTICLE, Part.CHAPTER, Part.PARAGRAPH, Part.ITEM}
)
_LIKE: Final = ({Part.SECTION, Part.CLAUSE}, {Part.SECTION, Part.PARAGRAPH}, {Part.CHAPTER, Part.SECTION})
# "7." may be an item of any list; "4.2" is hardly anything else.
_BARE_SINGLE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What opens a line: the part, ``None`` for a bare number, and its number in Arabic digits."""

    part: Part | None
    number: str


def head_of(line: str) -> Head | None:
    """The numbered part that ``line`` opens, or ``None``."""
    if match := _HAN.match(line):
        sub = f"-{number_of(match['sub'])}" if match["sub"] else ""
        return Head(part=HAN_PARTS[match["part"]], number=number_of(match["number"]) + sub)
    if match := _ANNEX.match(line):
        return Head(part=_ANNEXES[match["part"][0]], number=number_of(match["number"]))
    if match := _LATIN.match(line):
        word, number = match["word"], match["number"]
        part = WORDS[word.lower()] if word else Part.SECTION
        if not number[0].isdigit() and (part is not Part.ANNEX or len(number) > 1):
            if not number.isupper() or not set(number) <= set("IVXLC"):
                return None
            number = roman_of(number)
        return Head(part=part, number=number)
    if match := _BARE.match(line):
        return Head(part=None, number=number_of(match["number"].replace("．", ".")))
    return None


def fits(reference: Reference, head: Head | None) -> float:
    """0..1: how surely the part under ``head`` is the one that is named."""
    if head is None or head.number.casefold() != reference.number.casefold():
        return 0.0
    if head.part is reference.part:
        return 1.0
    if head.part is None:
        return 0.0 if reference.part not in _COUNTED else 1.0 if "." in head.number else _BARE_SINGLE
    both = {head.part, reference.part}
    return 1.0 if "." in head.number and any(both <= like for like in _LIKE) else 0.0


def best_fit(reference: Reference, lines: Sequence[str]) -> float:
    """0..1: that of the line that fits best."""
    return max((fits(reference, head_of(line)) for line in lines), default=0.0)
