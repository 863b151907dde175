"""What a question gives to the letter: quoted words, identifiers, numbers with units."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from core.span import Span
from retrieval.query.understood import Identifier, Quantity, Quote

_QUOTED: Final = re.compile(
    r"《(?P<title>[^《》\n]{1,120}(?:《[^《》\n]{1,80}》[^《》\n]{0,80})?)》"
    r"|[“”](?P<curly>[^“”\n]{1,120})[“”]|「(?P<corner>[^「」\n]{1,120})」|『(?P<double>[^『』\n]{1,120})』"
    r"|(?<!\w)\"(?P<straight>[^\"\n]{2,200})\"(?!\w)"
)
_STANDARD: Final = (
    r"(?:GB|ISO|IEC|IEEE|RFC|ANSI|ASTM|DIN|EN|JIS|JGJ|JTG|DL|YY|QB|HJ|CJJ|SY|NB|YB|HG|SH|DB\d{2})"
    r"(?:/(?:T|Z|IEC|TS|TR|IEEE))?\s?\d{2,6}(?:\.\d{1,3})*(?:[-—–:]\d{1,4})*"
)
_IDENTIFIER: Final = re.compile(
    rf"(?<![A-Za-z0-9])(?:{_STANDARD}"
    r"|[vV]\d+(?:\.\d+)+(?:-[A-Za-z0-9.]+)?|\d+\.\d+\.\d+(?:[-.][A-Za-z0-9]+)*"
    r"|\d{1,3}-[A-Z]{1,3}"
    r"|[A-Za-z]{1,12}(?:[-_/.]?[A-Za-z]{1,6})?[-_/]?\d[A-Za-z0-9]*(?:[-_./][A-Za-z0-9]+)*"
    r")(?![A-Za-z0-9倍])"
)
# Quarters, years and the like are dates; a sentence's end is no part of an identifier.
_NO_IDENTIFIER: Final = re.compile(
    r"(?:[QqHh][1-4](?:[-/]?\d{2,4})?|[FfCc][Yy]['’]?\d{2,4}|[A-Za-z]{3,9}[-/]\d{4}|(?:19|20)\d\d\.\d{1,2}\.\d{1,2})"
)
_FILE_NUMBER: Final = re.compile(
    r"[\u4e00-\u9fff]{1,8}[〔\[（(]\d{4}[〕\]）)]\s?第?\d{1,6}号|[（(]\d{4}[）)][\u4e00-\u9fff\d]{2,14}?号"
)
_UNITS: Final = (
    r"%|％|‰|℃|°C|元|美元|港元|欧元|日元|平方米|平方公里|公里|千米|厘米|毫米|米|公斤|千克|毫克|克|吨|升|毫升|亩|公顷|天|日内|工作日|小时|分钟"
    r"|秒|周|个月|岁|周岁|人|名|户|倍|票|级|瓦|千瓦|伏|安|度"
    r"|percent|kg|km|cm|mm|mg|ml|GB|MB|TB|kW|MW|V|A|Hz|GHz|hours?|days?|weeks?|months?|years?|minutes?|seconds?"
    r"|miles?|meters?|metres?|feet|inch(?:es)?|pounds?|tons?|dollars?|euros?|shares?"
)
_QUANTITY: Final = re.compile(
    rf"(?P<sign>[$€£¥￥]\s?)?(?<![A-Za-z0-9_.,-])(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?"
    rf"(?P<scale>[万亿億萬]|(?:thousand|million|billion)\b)?\s?(?P<unit>(?:{_UNITS})(?![A-Za-z]))?"
)


def quotes(text: str) -> tuple[Quote, ...]:
    """Words between “”, "", 「」, 『』, and titles between 《》 (which may hold a title themselves), in order."""
    found = []
    for match in _QUOTED.finditer(text):
        name = match.lastgroup or ""
        words = match[name].strip()
        if words:
            found.append(Quote(text=words, span=Span(*match.span(name)), is_title=name == "title"))
    return tuple(found)


def identifiers(text: str) -> tuple[Identifier, ...]:
    """Standards, versions, models and file numbers, in order, each once."""
    matches = [m for m in _IDENTIFIER.finditer(text) if not _NO_IDENTIFIER.fullmatch(m.group())]
    matches += _FILE_NUMBER.finditer(text)
    found: dict[str, Identifier] = {}
    for match in sorted(matches, key=re.Match.start):
        found.setdefault(match.group().casefold(), Identifier(text=match.group(), span=Span(*match.span())))
    return tuple(found.values())


def quantities(text: str) -> tuple[Quantity, ...]:
    """Numbers with a unit, a currency sign or 万/million, in order."""
    found = []
    for match in _QUANTITY.finditer(text):
        unit = unicodedata.normalize("NFKC", match["unit"] or match["sign"] or "").strip().casefold()
        scale = (match["scale"] or "").casefold()
        if unit or scale:
            number = match["number"].replace(",", "")
            found.append(Quantity(number=number, unit=scale + unit, span=Span(*match.span())))
    return tuple(found)
