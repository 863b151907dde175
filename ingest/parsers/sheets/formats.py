"""Numbers as a sheet shows them, by their number format (ECMA-376 part 1, 18.8.30 and 18.8.31)."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from ingest.parsers.grid.matrix import Kind
from ingest.parsers.sheets.dates import date_text, is_date

# (kind, text) of one part of a format: "text" prints itself, the others are placeholders.
Token = tuple[str, str]

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|[\\!](?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<half>AM/PM|A/P|上午/下午)|(?P<general>General|G/通用格式)|(?P<exponent>E[+-](?=[0#?]))"
    r"|(?P<date>y+|m+|d+|h+|s+|e+|a{3,4}|g+|b+)|(?P<digit>[0#?])|(?P<mark>[.,%@/])|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$")
_ELAPSED = re.compile(r"(h+|m+|s+)$", re.IGNORECASE)
_LARGEST_PLAIN = 1e15
# Wide enough for the largest double and for as many decimals as a format may ask.
_EXACT = Context(prec=1000)


def shown(value: float, code: str, *, from_1904: bool = False) -> tuple[str, Kind]:
    """What a sheet shows for ``value`` under the format ``code``, and whether it is a number or a date.

    ``from_1904`` says that days are counted from 1904. A format that shows nothing gives the plain number.
    """
    if code == "General" or not isfinite(value):
        return plain(value), Kind.NUMBER
    tokens, signed = _section(value, code)
    kind = Kind.DATE if is_date(tokens) else Kind.NUMBER
    text = ""
    if kind is Kind.DATE:
        text = date_text(value, tokens, from_1904=from_1904)
    elif any(name == "digit" for name, _ in tokens):
        text = _number(value if signed else abs(value), tokens)
    elif any(name == "text" and part.strip() for name, part in tokens) and not _has_general(tokens):
        text = "".join(part for name, part in tokens if name == "text")
    if not text.strip():
        number = plain(value)
        around = [part if name == "text" else "\0" for name, part in tokens if name in ("text", "general")]
        text = "".join(around).replace("\0", number) if "\0" in around else number
    return " ".join(text.split()), kind


def plain(value: float) -> str:
    """A number without a format: whole ones in full, others with up to ten significant digits."""
    if abs(value) < _LARGEST_PLAIN and value == int(value):
        return str(int(value))
    return f"{value:.10g}".upper()


def _has_general(tokens: tuple[Token, ...]) -> bool:
    return any(name == "general" for name, _ in tokens)


def _section(value: float, code: str) -> tuple[tuple[Token, ...], bool]:
    """The part of ``code`` that is for ``value``, and whether the sign is still to be printed."""
    sections = _sections(code)
    for tokens in sections[:3]:
        condition = next((part for name, part in tokens if name == "condition"), "")
        found = _CONDITION.match(condition)
        if found and _holds(value, found.group(1), float(found.group(2))):
            return tokens, value < 0
    if any(name == "condition" for tokens in sections for name, _ in tokens):
        return sections[min(len(sections) - 1, 1 if len(sections) < 3 else 2)], True
    if value < 0 and len(sections) > 1:
        return sections[1], False
    if value == 0 and len(sections) > 2:
        return sections[2], True
    return sections[0], True


def _holds(value: float, sign: str, bound: float) -> bool:
    equal, less = value == bound, value < bound
    return {"=": equal, "<>": not equal, "<": less, "<=": less or equal, ">": not less and not equal}.get(
        sign, not less
    )


@lru_cache(maxsize=2000)
def _sections(code: str) -> list[tuple[Token, ...]]:
    sections: list[list[Token]] = [[]]
    for found in _TOKEN.finditer(code):
        name, text = found.lastgroup or "other", found.group(found.lastgroup or 0)
        if name == "other" and text == ";":
            sections.append([])
        elif name in ("quoted", "escaped", "other"):
            sections[-1].append(("text", text))
        elif name == "space":
            sections[-1].append(("text", " "))
        elif name == "bracket":
            sections[-1] += _bracket(text)
        elif name != "fill":
            sections[-1].append((name, text))
    return [tuple(section) for section in sections]


def _bracket(text: str) -> list[Token]:
    """What stands in brackets: a currency, a condition, elapsed time; colours and languages show nothing."""
    if text.startswith("$"):
        symbol, _, language = text[1:].partition("-")
        return [("text", symbol)] if symbol else [("language", language)]
    if _CONDITION.match(text):
        return [("condition", text)]
    return [("elapsed", text)] if _ELAPSED.match(text) else []


def _number(value: float, tokens: tuple[Token, ...]) -> str:
    names = [name for name, _ in tokens]
    if "exponent" in names:
        return _with_exponent(value, tokens)
    if ("mark", "/") in tokens:
        return _as_fraction(value)
    last_digit = max(index for index, name in enumerate(names) if name == "digit")
    point = next((i for i, token in enumerate(tokens) if token == ("mark", ".")), len(tokens))
    commas = [index for index, token in enumerate(tokens) if token == ("mark", ",")]
    percent = sum(token == ("mark", "%") for token in tokens)
    scale = 2 * percent - 3 * sum(
        index > last_digit or point > index > _last_whole(tokens) for index in commas
    )
    places = [part for name, part in tokens[point:] if name == "digit"]
    number = Decimal(repr(value)).scaleb(scale)
    rounded = abs(number).quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP, _EXACT)
    whole, _, decimals = f"{rounded:f}".partition(".")
    grouped = any(index < _last_whole(tokens) for index in commas)
    head = _filled_whole(tokens[:point], whole, grouped)
    tail = _filled_decimals(tokens[point:], decimals, places)
    return ("-" if number < 0 and rounded else "") + head + tail


def _last_whole(tokens: tuple[Token, ...]) -> int:
    """Where the last placeholder before the decimal point stands."""
    last = -1
    for index, token in enumerate(tokens):
        if token == ("mark", "."):
            break
        last = index if token[0] == "digit" else last
    return last


def _filled_whole(tokens: tuple[Token, ...], digits: str, grouped: bool) -> str:
    """The digits put into the placeholders from the right; what is left over goes before the first."""
    left = list(digits.lstrip("0"))
    slots = sum(name == "digit" for name, _ in tokens)
    pieces: list[str] = []
    count = 0

    def put(digit: str) -> None:
        nonlocal count
        if grouped and count and count % 3 == 0:
            pieces.append(",")
        pieces.append(digit)
        count += 1

    for name, part in reversed(tokens):
        if name == "digit":
            slots -= 1
            if left:
                put(left.pop())
            elif part == "0":
                put("0")
            while not slots and left:
                put(left.pop())
        elif name == "text" or (name, part) == ("mark", "%"):
            pieces.append(part[::-1])
    return "".join(pieces)[::-1]


def _filled_decimals(tokens: tuple[Token, ...], decimals: str, places: list[str]) -> str:
    kept = len(decimals)
    while kept and decimals[kept - 1] == "0" and places[kept - 1] != "0":
        kept -= 1
    pieces: list[str] = []
    used = 0
    for name, part in tokens:
        if name == "digit":
            pieces.append(decimals[used] if used < kept else "")
            used += 1
        elif (name, part) == ("mark", "."):
            pieces.append("." if kept else "")
        elif name == "text" or (name, part) == ("mark", "%"):
            pieces.append(part)
    return "".join(pieces)


def _with_exponent(value: float, tokens: tuple[Token, ...]) -> str:
    names = [name for name, _ in tokens]
    mantissa = tokens[: names.index("exponent")]
    point = next((i for i, token in enumerate(mantissa) if token == ("mark", ".")), len(mantissa))
    places = sum(name == "digit" for name, _ in mantissa[point:])
    return f"{value:.{places}E}"


def _as_fraction(value: float) -> str:
    whole, rest = divmod(abs(value), 1)
    part = Fraction(rest).limit_denominator(99)
    pieces = [str(int(whole))] if whole or not part else []
    pieces += [str(part)] if part else []
    return ("-" if value < 0 else "") + " ".join(pieces)
