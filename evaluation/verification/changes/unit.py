"""The same number of something else: ten thousand yuan for yuan, months for days, points for per cent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evaluation.verification.case import Claim
from evaluation.verification.days import dates_in
from evaluation.verification.forms.script import is_traditional, traditional

_ZH: Final = (
    ("万元", "元"), ("万元", "亿元"), ("亿元", "万元"), ("元", "万元"), ("万美元", "万元"), ("美元", "元"), ("美元", "欧元"),
    ("港元", "美元"), ("个月", "年"), ("个月", "日"), ("日", "个月"), ("天", "个月"), ("年", "个月"), ("小时", "分钟"),
    ("平方公里", "平方米"), ("公里", "米"), ("公尺", "公里"), ("米", "厘米"), ("吨", "公斤"), ("%", "个百分点"), ("％", "个百分点"),
    ("人", "万人"), ("万人", "人"), ("人", "户"), ("倍", "%"), ("岁", "个月"), ("周岁", "个月"), ("分钟", "小时"),
)  # fmt: skip
_EN: Final = (
    ("million", "billion"), ("billion", "million"), ("thousand", "million"), ("%", " percentage points"), ("percent", "percentage points"),
    ("days", "months"), ("days", "weeks"), ("weeks", "months"), ("months", "years"), ("years", "months"), ("hours", "minutes"),
    ("minutes", "hours"), ("km", "m"), ("miles", "feet"), ("feet", "miles"), ("kg", "g"), ("mg", "g"), ("cm", "mm"),
    ("times", "percent"), ("months", "weeks"), ("year", "month"), ("day", "week"), ("hour", "minute"), ("metres", "kilometres"),
)  # fmt: skip
_DOLLARS = re.compile(r"\$(?=\s?\d)")
_NUMBER: Final = r"(?:(?<=[\d零一二三四五六七八九十百千])|(?<=[\d十百千]万)|(?<=\d亿)|(?<=\d萬))"
_GOES_ON: Final = (
    r"(?![\d代度级級民身员員格類类常本益前后後龄齡轻輕报報然下次历曆初底末间間来來的队隊]|间|大|以来)"
)


def other_unit(claim: Claim) -> Iterator[str]:
    """The number stays; what it counts is something else, and the passage does not have that."""
    for changed, after in _changed(claim):
        if after not in claim.passage_text:
            yield changed


def _changed(claim: Claim) -> Iterator[tuple[str, str]]:
    """Each changed sentence with its new number and unit as written."""
    sentence = claim.sentence
    dated = [(found.start, found.end) for found in dates_in(sentence)]
    for pattern, new in _rules(claim):
        for found in pattern.finditer(sentence):
            if any(start < found.end() and found.start() < end for start, end in dated):
                continue
            number = re.search(
                r"[\d.,零一二三四五六七八九十百千万亿萬]+[ -]?$|\w+[ -]$", sentence[: found.start()]
            )
            counted = number[0] if number else ""
            lead_in = sentence[: found.start() - len(counted)]
            if (found[0] == "年" and re.search(r"\d{3}$", counted)) or lead_in.endswith(
                ("月", "第", "公元前")
            ):
                continue
            written = counted + new
            yield sentence[: found.start()] + new + sentence[found.end() :], written
    if claim.lang == "en" and _DOLLARS.search(sentence):
        yield _DOLLARS.sub("€", sentence), "€"


def _rules(claim: Claim) -> Iterator[tuple[re.Pattern[str], str]]:
    if claim.lang == "zh":
        written = traditional if is_traditional(claim.sentence) else str
        for old, new in _ZH:
            before, after = written(old), written(new)
            yield re.compile(_NUMBER + re.escape(before) + _GOES_ON), after
        return
    for old, new in _EN:
        if old == "%":
            yield re.compile(r"(?<=\d)%"), new
        else:
            yield (
                re.compile(
                    rf"(?:(?<=\d )|(?<=\d-)|(?<=\b(?:two|six|ten) )|(?<=\b(?:five|four|nine) )|(?<=\bthree ))\b{old}\b"
                ),
                new,
            )
