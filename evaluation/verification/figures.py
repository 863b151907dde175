"""Numbers in a sentence with their value and their unit, in digits and in Chinese or English words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evaluation.verification.days import dates_in
from ingest.parsers.numerals import numeral

HAN_DIGITS: Final = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_HAN_TENS: Final = {"十": 10, "百": 100, "千": 1000}
# Not inside an identifier, a score, a range, a time or a list number.
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9.,:/_\-–#\[（(比])((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?![\dA-Za-z_\]/:）)比时時]|[.,:\-–~]\d|\.[A-Za-z]\b| ?年代)"
)
_HAN_UNITS: Final = (
    r"年(?!代|度|级|級|轻|輕|龄|齡)|个月|個月|日(?!常|本|益|前|後|后)|天(?!然)|小时|小時|元|万元|倍|人(?!民|身|员|員|类|類|格|们)|名(?!称|義|义)"
    r"|周岁|歲|岁|次|条|條|款|项|項|级|級|种|種|个工作日|個"
)
_HAN = re.compile(
    rf"(?<![零〇一二三四五六七八九十百千万萬两兩每百点分几幾数數月之第比])"
    # A lone 一 is mostly an article.
    rf"(?!一(?!年|个月|個月|日|天|小时|小時|倍|万|萬)(?:{_HAN_UNITS}))([零〇一二三四五六七八九十百千两兩]+)(万|萬)?(?={_HAN_UNITS})"
)
_ORDINAL = re.compile(r"(?<=第)([零〇一二三四五六七八九十百千]+)(?=条|條|款|项|項)")
_UNIT = re.compile(
    r"\s?(%|％|个百分点|個百分點|[万萬亿億千百]*(?:美元|港元|欧元|歐元|日元|英镑|元)|[万萬亿億]*(?:平方公里|平方米|公里|公尺|千米|米|吨|人|名)"
    r"|个月|個月|周岁|小时|小時|工作日|[年日天次倍岁歲分届屆个個位座家种種条條款级級]"
    r"|(?:million|billion|thousand|percent|per cent|days?|weeks?|months?|years?|hours?|minutes?|employees|people)\b)"
)
WORDS: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_WORD = re.compile(rf"(?<!-)\b({'|'.join(WORDS)})\b(?!-)(?= (?!hundred|thousand|million|billion)[a-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number at ``[start, end)`` of a sentence. ``form`` is "digits", "han", "word" or "ordinal" (第…条).

    ``unit`` is what is counted, "" when none of the known ones follows or, as $ does, leads.
    """

    start: int
    end: int
    written: str
    value: Decimal
    form: str
    unit: str

    def rewritten(self, value: Decimal) -> str:
        """``value`` in the same form; "" where this form has none for it."""
        if self.form == "digits":
            decimals = len(self.written.partition(".")[2])
            plain = f"{value:,.{decimals}f}"
            return plain if "," in self.written or value < 1000 else plain.replace(",", "")
        if value != int(value):
            return ""
        if self.form == "word":
            return WORDS[int(value) - 2] if 2 <= value <= 20 else ""
        return han_numeral(int(value))


def figures_in(sentence: str) -> list[Figure]:
    """In order; years, months and days of dates are no figures."""
    taken = [(found.start, found.end) for found in dates_in(sentence)]
    found = [
        _figure(sentence, m, "digits", Decimal(m[1].replace(",", ""))) for m in _DIGITS.finditer(sentence)
    ]
    found += [_figure(sentence, m, "ordinal", Decimal(han_value(m[1]))) for m in _ORDINAL.finditer(sentence)]
    for m in _HAN.finditer(sentence):
        found.append(_figure(sentence, m, "han", Decimal(han_value(m[1]) * (10_000 if m[2] else 1))))
    for m in _WORD.finditer(sentence):
        found.append(_figure(sentence, m, "word", Decimal(WORDS.index(m[1]) + 2)))
    free = [f for f in found if not any(start < f.end and f.start < end for start, end in taken)]
    return sorted((f for f in free if not _is_bare_year(f)), key=lambda figure: figure.start)


def _figure(sentence: str, found: re.Match[str], form: str, value: Decimal) -> Figure:
    following = _UNIT.match(sentence, found.end())
    before = sentence[found.start() - 1 : found.start()]
    unit = before if before in {"$", "€", "£", "¥", "第"} else ""
    unit += following[1].rstrip("s") if following else ""
    return Figure(start=found.start(), end=found.end(), written=found[0], value=value, form=form, unit=unit)


def _is_bare_year(figure: Figure) -> bool:
    is_plain = figure.form == "digits" and figure.written.isdigit() and len(figure.written) == 4
    if figure.unit == "年" and figure.form == "digits" and figure.value >= 100:
        return True
    return is_plain and 1000 <= figure.value <= 2100 and figure.unit in {"", "year"}


def han_value(signs: str) -> int:
    """The value of Chinese counting below ten thousand; of digits in a row too (二〇一九)."""
    if len(signs) > 1 and not set(signs) & set(_HAN_TENS):
        return int("".join(str(HAN_DIGITS[sign]) for sign in signs))
    total, digit = 0, 0
    for sign in signs:
        if sign in _HAN_TENS:
            total += (digit or 1) * _HAN_TENS[sign]
            digit = 0
        else:
            digit = HAN_DIGITS[sign]
    return total + digit


def han_numeral(value: int) -> str:
    """Chinese counting; "" from a hundred million on, and for what is no whole ten thousands above that."""
    if value < 10_000:
        return numeral(value, "chineseCountingThousand") if value > 0 else ""
    whole, rest = divmod(value, 10_000)
    return numeral(whole, "chineseCountingThousand") + "万" if not rest and whole < 10_000 else ""


def replaced(sentence: str, figure: Figure, written: str) -> str:
    """The sentence with other words for ``figure``."""
    return sentence[: figure.start] + written + sentence[figure.end :]
