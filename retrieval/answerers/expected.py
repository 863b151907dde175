"""What kind of answer a question expects, as far as its wording tells, and whether a text holds such a thing."""

from __future__ import annotations

import re
from typing import Final

from ingest.indexes.analyzer import fold
from retrieval.content_words import content_words

# By kind: what asks for it, and what is one. All is folded: lower case, simplified characters.
_KINDS: Final = (
    (
        re.compile(r"何时|什么时候|哪一?[年天日]|几[月号]|年份|时间|什么年代|哪个世纪|何年|\bwhen\b|\bwhat (?:year|date|time)"),
        re.compile(
            r"\d{1,4}\s*[年月日号]|[一二三四五六七八九十〇零]{2,4}年|世纪|年代|时代|\b(?:1\d|20)\d\d\b|\d{1,2}:\d\d"
            r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
        ),
    ),
    (
        re.compile(r"多少|几[个人次位名年天岁条种座部集层所]|多[大长高远久重]|\bhow (?:many|much|long|old|tall|high|far|large|big|often)"),
        re.compile(r"[\d一二三四五六七八九十百千万两]"),
    ),
    (
        re.compile(r"哪[里儿]|何处|什么地方|哪一?个?(?:国家|城市|地方|省|市|县|地区|区)|位于|\bwhere\b"),
        re.compile(r"[省市县区镇村国州路街岛洲山河湖海]|\b(?:in|at|near) \w"),
    ),
    (
        re.compile(r"为什么|为何|原因|\bwhy\b"),
        re.compile(r"因为|由于|因此|所以|因而|导致|为了|\bbecause\b|\bdue to\b|\bsince\b|\btherefore\b"),
    ),
)  # fmt: skip
_DIGITS: Final = re.compile(r"\d+")
# Of a question that expects nothing in particular.
_UNKNOWN: Final = 0.5


class Expected:
    """A question's kinds: date, number, place, reason; none for most questions."""

    def __init__(self, question: str) -> None:
        folded = fold(question)
        self._kinds = [held for asked, held in _KINDS if asked.search(folded)]
        words = [word for word in content_words(question) if len(word) > 1]
        self._own = sorted({*words, *_DIGITS.findall(folded)}, key=len, reverse=True)

    def held(self, text: str) -> float:
        """The share (0..1) of the kinds that ``text`` holds beside the question's own words and numbers; a half
        where none is expected."""
        if not self._kinds:
            return _UNKNOWN
        rest = fold(text)
        for word in self._own:
            rest = rest.replace(word, " ")
        return sum(bool(held.search(rest)) for held in self._kinds) / len(self._kinds)
