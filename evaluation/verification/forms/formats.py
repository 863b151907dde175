"""The same sentence in other signs: width, punctuation, numbers, per cent and dates in other formats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from evaluation.verification.case import Claim
from evaluation.verification.days import MONTHS, dates_in
from evaluation.verification.figures import WORDS, Figure, figures_in, han_numeral, han_value, replaced
from evaluation.verification.forms.script import is_clear, is_traditional, simplified, traditional

_FULL: Final = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
_TO_LATIN: Final = str.maketrans("，；：（）！？", ",;:()!?")
_TO_CURLY: Final = (
    (re.compile(r'"([^"]*)"'), "“\\1”"),
    (re.compile(r"(?<=\w)'(?=\w)"), "’"),
    (re.compile(r"(?<=\w)-(?=\w)"), "‐"),
)
_TO_STRAIGHT: Final = str.maketrans("“”‘’–", "\"\"''-")
_PERCENT = re.compile(r"(\d{1,2})[%％]")
_OF_HUNDRED = re.compile(r"百分之([零一二三四五六七八九十百]+)")
_MONEY = re.compile(r"(?<![\d.,])(\d{1,4}(?:\.\d{1,3})?)([万亿萬億])(?=元|美元|人|股|港元|吨|噸)")
_MILLIONS = re.compile(r"(?<![\d.,])(\d{1,4}(?:\.\d{1,3})?) (million|billion)\b")
_SCALES: Final = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "million": 10**6, "billion": 10**9}


def width(claim: Claim) -> Iterator[str]:
    """Digits and Latin letters in full width."""
    if claim.lang == "zh":
        yield re.sub(r"[0-9A-Za-z%]+", lambda found: found[0].translate(_FULL), claim.sentence)


def punctuation(claim: Claim) -> Iterator[str]:
    """Chinese marks in Latin form; English quotes and hyphens curly or straight; no mark at the end."""
    if claim.lang == "zh":
        yield claim.sentence.translate(_TO_LATIN).rstrip("。")
        return
    changed = claim.sentence.translate(_TO_STRAIGHT)
    if changed == claim.sentence:
        for pattern, new in _TO_CURLY:
            changed = pattern.sub(new, changed)
    yield changed.rstrip(".")


def separators(claim: Claim) -> Iterator[str]:
    """1,000 as 1000 and 1000 as 1,000."""
    changed = claim.sentence
    for figure in reversed(figures_in(claim.sentence)):
        if figure.form == "digits" and figure.value >= 1000:
            other = figure.written.replace(",", "")
            if other == figure.written:
                whole, point, rest = other.partition(".")
                other = f"{int(whole):,}{point}{rest}"
            changed = replaced(changed, figure, other)
    yield changed


def numerals(claim: Claim) -> Iterator[str]:
    """三十日 as 30日 and 30日 as 三十日; five as 5 and 5 as five."""
    changed = claim.sentence
    for figure in reversed(figures_in(claim.sentence)):
        changed = replaced(changed, figure, _other_numeral(claim, figure))
    yield changed


def _other_numeral(claim: Claim, figure: Figure) -> str:
    """``figure`` in its other form; as it is where nobody would write that: per cent, money, names."""
    value, written = figure.value, figure.written
    if figure.form == "ordinal" or not written.isalnum() or re.search(r"[%％$€£¥]", figure.unit):
        return written
    if figure.form in {"han", "word"}:
        return str(int(value))
    if claim.lang == "zh":
        return (han_numeral(int(value)) if value < 10_000 and figure.unit else "") or written
    before, after = claim.sentence[: figure.start], claim.sentence[figure.end :]
    is_count = re.match(r" [a-z]", after) and not re.search(
        r"(?:[A-Z]\w*|note|exhibit|level|item|section|article|page|chapter|part|step) $", before
    )
    return WORDS[int(value) - 2] if is_count and 2 <= value <= 20 else written


def percent(claim: Claim) -> Iterator[str]:
    """10% as 百分之十 and back; 10% as 10 percent."""
    if claim.lang == "zh":
        changed = _PERCENT.sub(
            lambda found: f"百分之{han_numeral(int(found[1]))}" if int(found[1]) else found[0], _whole(claim)
        )
        yield (
            _OF_HUNDRED.sub(lambda found: f"{han_value(found[1])}%", claim.sentence)
            if changed == claim.sentence
            else changed
        )
    else:
        yield re.sub(r"(?<=\d)%", " percent", claim.sentence)


def _whole(claim: Claim) -> str:
    """The sentence, or nothing when it has percentages with a decimal point."""
    return "" if re.search(r"\.\d+[%％]", claim.sentence) else claim.sentence


def dates(claim: Claim) -> Iterator[str]:
    """2021年3月5日 as 2021-03-05; March 5, 2021 as 5 March 2021 or 2021-03-05."""
    changed = claim.sentence
    for date in reversed(dates_in(claim.sentence)):
        parts = {name: claim.sentence[slice(*place)] for name, place in date.parts.items()}
        if len(parts) == 3:
            changed = changed[: date.start] + _other_date(claim, parts) + changed[date.end :]
    yield changed


def _other_date(claim: Claim, parts: dict[str, str]) -> str:
    day, month, year = int(parts["day"]), parts["month"], parts["year"]
    names = [name.lower() for name in MONTHS]
    number = int(month) if month.isdigit() else names.index(month.lower()) + 1
    if claim.lang == "en" and int(claim.key, 16) % 2:
        return f"{day} {MONTHS[number - 1]} {year}"
    mark = "-" if int(claim.key, 16) % 3 else "/"
    return f"{year}{mark}{number:02d}{mark}{day:02d}"


def scale(claim: Claim) -> Iterator[str]:
    """1.5亿元 as 150000000元, 50 million as 50,000,000."""
    pattern = _MONEY if claim.lang == "zh" else _MILLIONS
    yield pattern.sub(_in_full, claim.sentence)


def _in_full(found: re.Match[str]) -> str:
    value = Decimal(found[1]) * _SCALES[found[2]]
    return f"{int(value):,}" if found[2].isascii() else str(int(value))


def script(claim: Claim) -> Iterator[str]:
    """Traditional characters for simplified ones and the other way round."""
    if claim.lang != "zh":
        return
    if is_traditional(claim.sentence):
        yield simplified(claim.sentence)
    elif is_clear(claim.sentence):
        yield traditional(claim.sentence)
