"""Numbers with their units in a folded text: 1,000 = 1000 = 一千 = 1千, 10% = 百分之十 = ten percent, 3万元 = 30,000 yuan."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from retrieval.verify.numerals import (
    ENGLISH_PATTERN,
    ENGLISH_SCALES,
    HAN_SIGNS,
    SCALES,
    english_value,
    han_value,
)
from retrieval.verify.units import COUNT, HAN_UNIT_PATTERN, SIGN_PATTERN, UNIT_PATTERN, UNITS, alike

_HAN: Final = rf"[{HAN_SIGNS}]+(?:点[{HAN_SIGNS}]+)?"
_OF: Final = r"(?:个(?=百分点|工作日|自然日|月|星期|礼拜|小时|钟头|周|世纪))?"
_ARABIC: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_ORDINAL_UNIT: Final = (
    r"个月|[编章节条款项届次名位期号页卷册季届轮场代版部批类种日天年周阶层组]|世纪|季度|阶段|部分"
)
_ENGLISH_PART: Final = (
    r"(?:article|section|chapter|part|page|clause|paragraph|step|item|table|figure|no\.|number)"
)

_FRACTION = re.compile(
    rf"(?P<low>{_ARABIC}|{_HAN})分之(?P<high>{_HAN}|{_ARABIC})|(?<![\d/.-])(?P<a>\d{{1,3}})/(?P<b>\d{{1,3}})(?![\d/])"
    r"|(?<![a-z])(?P<n>one|two|three|four|five|a)[\s-](?P<d>half|third|quarter|fourth|fifth|sixth|eighth|tenth)s?(?![a-z])"
)
_ORDINAL = re.compile(
    rf"第\s?(?P<number>{_ARABIC}|{_HAN})\s?(?P<unit>{_ORDINAL_UNIT})?"
    rf"|(?<![a-z]){_ENGLISH_PART}\s?(?P<english>\d{{1,4}})(?![\d.])|(?<![\d.])(?P<nth>\d{{1,4}})(?:st|nd|rd|th)(?![a-z])"
)
_QUANTITY = re.compile(
    rf"(?P<sign>{SIGN_PATTERN})?\s?(?<![a-z0-9_.])(?P<minus>(?<![\w)）%])-)?(?P<digits>{_ARABIC})"
    r"(?:\s?(?P<scale>[十百千万亿]{1,3}(?![分])|(?:hundred|thousand|million|billion|trillion|bn|mn)(?![a-z])))?"
    rf"(?P<about>[多余几])?{_OF}(?:(?:\s|-)?(?P<unit>{UNIT_PATTERN}))?(?![a-z0-9_])"
)
_HAN_QUANTITY = re.compile(
    rf"(?<![{HAN_SIGNS}])(?P<digits>{_HAN})(?P<about>[多余几])?(?P<half>个?半)?{_OF}(?P<unit>{HAN_UNIT_PATTERN})?"
    rf"(?=(?P<range>[至到~-][{HAN_SIGNS}])?)"
)
_ENGLISH_QUANTITY = re.compile(
    rf"(?<![a-z])(?P<digits>(?:(?:a|an)\s(?=hundred|thousand|million|dozen))?{ENGLISH_PATTERN})"
    rf"(?:[\s-](?P<unit>{UNIT_PATTERN}))?"
)
# What looks like a number and counts nothing.
_NO_HAN_NUMBER: Final = frozenset(
    ("千万", "万一", "十分", "百般", "万万", "亿万", "千千", "万千", "一一", "三三两两")
)
_TO = re.compile(r"\s?(?:[-~至到]|to|and)\s?")
_DENOMINATORS: Final = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}
_SIGN_OF_MONEY: Final = {"rmb": "cny", "cny": "cny", "人民币": "cny", "usd": "usd", "us$": "usd"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number at ``[start, end)`` of the folded text.

    ``value`` is in the base unit of ``dimension`` (empty: none is written). ``bare`` is the number as written,
    without scale and unit; ``scale`` what 万 or million multiplied it by. ``ordinal``: it numbers, not counts.
    ``weak``: words such as 一个 and "one" that often say no number at all.
    """

    value: Fraction
    bare: Fraction
    scale: int
    dimension: str
    start: int
    end: int
    ordinal: bool = False
    weak: bool = False

    @property
    def amount(self) -> Fraction:
        """The number in the unit that is written."""
        return self.bare * self.scale

    @property
    def key(self) -> str:
        """The same for the same quantity in any spelling."""
        dimension = "" if self.dimension == COUNT or self.ordinal else self.dimension
        return f"{'第' if self.ordinal else '#'}{self.value}{dimension}"


def same(left: Quantity, right: Quantity) -> bool:
    """Whether two quantities say the same, one of them perhaps without its unit."""
    if left.ordinal != right.ordinal or not alike(left.dimension, right.dimension):
        return False
    if not left.dimension or not right.dimension:
        return left.amount == right.amount
    return left.value == right.value


def quantities(text: str) -> list[Quantity]:
    """The quantities of a folded text, in order, without overlaps."""
    taken = bytearray(len(text))
    found: list[Quantity] = []
    for reader in (_fractions, _ordinals, _arabic, _han, _english):
        for quantity in reader(text):
            if not any(taken[quantity.start : quantity.end]):
                taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
                found.append(quantity)
    return _ranges(text, sorted(found, key=lambda quantity: quantity.start))


def _ranges(text: str, found: list[Quantity]) -> list[Quantity]:
    """三至五天 and 3-5 days: the first number has the unit of the second."""
    for place in range(len(found) - 2, -1, -1):
        low, high = found[place], found[place + 1]
        if (
            not low.dimension
            and high.dimension
            and 0 < low.amount < high.amount
            and _TO.fullmatch(text[low.end : high.start])
        ):
            value = low.value * high.value / (high.bare * high.scale)
            found[place] = replace(low, value=value, dimension=high.dimension)
    return found


def _number(written: str) -> Fraction | None:
    return Fraction(written.replace(",", "")) if written[0].isdecimal() else han_value(written)


def _fractions(text: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(text):
        if match["low"]:
            low, high = _number(match["low"]), _number(match["high"])
        elif match["a"]:
            low, high = Fraction(int(match["b"])), Fraction(int(match["a"]))
        else:
            low = Fraction(_DENOMINATORS[match["d"]])
            high = Fraction(1) if match["n"] == "a" else english_value(match["n"])
        if not low or high is None:
            continue
        value, dimension = high / low, ""
        if low in (100, 1000):
            # 百分之十 is 10 percent, and so counted.
            value, dimension = value * 100, "percent"
        yield _plain(match, value, dimension)


def _ordinals(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL.finditer(text):
        value = _number(match["number"] or match["english"] or match["nth"])
        if value is not None:
            yield Quantity(
                value=value,
                bare=value,
                scale=1,
                dimension=f"第{match['unit']}" if match["unit"] else "",
                start=match.start(),
                end=match.end(),
                ordinal=True,
                weak=match["nth"] is None and match["english"] is None and value == 1,
            )


def _arabic(text: str) -> Iterator[Quantity]:
    for match in _QUANTITY.finditer(text):
        bare = Fraction(match["digits"].replace(",", ""))
        if match["minus"]:
            bare = -bare
        scale = _scale(match["scale"] or "")
        sign = (match["sign"] or "").strip()
        unit = re.sub(r"[\s-]+", " ", match["unit"] or "")
        dimension, factor = UNITS[unit] if unit else ("", Fraction(1))
        if sign and not dimension:
            dimension = UNITS[_SIGN_OF_MONEY.get(sign, sign)][0]
        start = match.start("sign") if sign else match.start("minus" if match["minus"] else "digits")
        yield Quantity(
            value=bare * scale * factor,
            bare=bare,
            scale=scale,
            dimension=dimension,
            start=start,
            end=match.end(),
        )


def _scale(written: str) -> int:
    if not written:
        return 1
    if written in ENGLISH_SCALES:
        return ENGLISH_SCALES[written]
    value = 1
    for sign in written:
        value *= SCALES.get(sign) or {"十": 10, "百": 100, "千": 1000}[sign]
    return value


def _han(text: str) -> Iterator[Quantity]:
    for match in _HAN_QUANTITY.finditer(text):
        written, unit = match["digits"], match["unit"] or ""
        value = han_value(written)
        if value is None or match[0] in _NO_HAN_NUMBER or not (match["range"] or _counts(written, unit)):
            continue
        dimension, factor = UNITS[unit] if unit else ("", Fraction(1))
        if match["half"]:
            value += Fraction(1, 2)
        scale = next((SCALES[sign] for sign in written if sign in SCALES), 1)
        weak = written in "一两" and dimension in (COUNT, "occasion", "")
        yield Quantity(
            value=value * factor,
            bare=value / scale,
            scale=scale,
            dimension=dimension,
            start=match.start(),
            end=match.end(),
            weak=weak,
        )


def _counts(written: str, unit: str) -> bool:
    """Whether Chinese numerals are a number: a unit stands behind, or they count in tens and hundreds."""
    if unit:
        return True
    return len(written) > 1 and (any(sign in "十百千万亿点" for sign in written) or len(written) > 2)


def _english(text: str) -> Iterator[Quantity]:
    for match in _ENGLISH_QUANTITY.finditer(text):
        unit = re.sub(r"[\s-]+", " ", match["unit"] or "")
        dimension, factor = UNITS[unit] if unit else ("", Fraction(1))
        value = english_value(re.sub(r"^an?\s", "", match["digits"]))
        weak = match["digits"] == "one" and dimension in (COUNT, "")
        yield Quantity(
            value=value * factor,
            bare=value,
            scale=1,
            dimension=dimension,
            start=match.start(),
            end=match.end(),
            weak=weak,
        )


def _plain(match: re.Match[str], value: Fraction, dimension: str) -> Quantity:
    return Quantity(
        value=value, bare=value, scale=1, dimension=dimension, start=match.start(), end=match.end()
    )
