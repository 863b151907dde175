"""Questions for amounts and dates: the sentence with "how many" or "when" in the place of its only one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from core.document import Document
from evaluation.drafting.draft import Proposal
from evaluation.drafting.wording import Sentence, lowered, outspoken, placed, plain, sentences_of

_LONGEST, _SHORTEST_CLAUSE = 140, 6

_ZH_DATE: Final = re.compile(r"\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?")
_ZH_AMOUNT: Final = re.compile(
    r"\d[\d,.]*(?P<unit>%|个?工作日|个月|小时|分钟|[万亿]?元|[万亿]?吨|公里|平方米|周岁|[年日天周次人名个米台辆倍])"
)
_ZH_DIGITS: Final = re.compile(r"[\d第]")
_ZH_CLAUSE: Final = re.compile(r"[^，；。]+")
# A clause that begins so hangs on another sentence, one that ends so on the next clause.
_ZH_LEANS: Final = re.compile(
    r"^(?:但|并|且|其|该|则|仍|此|上述|前款)|(?:的|以后|以前|之后|之前|底|时)$|的[\u4e00-\u9fff]{2,6}$"
)
# A label, a bracket or a title in a clause: it would be cut in two.
_ZH_BROKEN: Final = re.compile(r"[：（）《》]")

_EN_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_EN_DATE: Final = rf"(?:\d{{1,2}} {_EN_MONTH} \d{{4}}|{_EN_MONTH} \d{{1,2}}, \d{{4}}|{_EN_MONTH} \d{{4}})"
_EN_SPAN: Final = r"(?:minute|hour|day|week|month|year)s?"
_EN_UNIT: Final = rf"(?:per \w+|a (?:day|week|month|year)|{_EN_SPAN}|euros?|cents?|dollars?|per ?cent|tonnes?|people|employees)"
_EN_AMOUNT: Final = (
    rf"(?:[A-Z]{{3}} )?[$€£]?\d(?:[\d.,]*\d)?(?: ?%| °C| (?:million|billion))?(?: {_EN_UNIT})?"
)
_EN_BOUND: Final = r"(?:about |at least |at most |up to |no more than )?"
_EN_SUBJECT: Final = r"(?P<s>[A-Z][^,;:]{2,70}?)"
_EN_RULES: Final = (
    (rf"{_EN_SUBJECT} (?P<m>is|are|was|were) (?P<v>\w+(?:ed|n|t)\b[^,;:]{{0,60}}?) (?:on|in|by) (?P<x>{_EN_DATE})",
     "When {m} {s} {v}?"),
    (rf"{_EN_SUBJECT} (?P<m>must|shall|should|may|can) (?P<v>[^,;:]{{2,80}}?) within (?P<x>\d+ (?:[A-Za-z]+ )?{_EN_SPAN})\b",
     "Within what time {m} {s} {v}?"),
    (rf"{_EN_SUBJECT} costs (?P<x>{_EN_AMOUNT})", "How much does {s} cost?"),
    (rf"(?P<s>The [^,;:]{{3,70}}?) (?P<m>is|are|was|were) (?P<x>{_EN_BOUND}{_EN_AMOUNT})(?![\w.]*\w)",
     "What {m} {s}?"),
)  # fmt: skip
_EN: Final = tuple((re.compile(pattern), template) for pattern, template in _EN_RULES)


def values(document: Document) -> Iterator[Proposal]:
    """At most one question a sentence."""
    for sentence in sentences_of(document):
        if len(sentence.text) > _LONGEST:
            continue
        found = (_zh if document.language == "zh" else _en)(sentence, document)
        if found is not None:
            question, answer = found
            yield Proposal(question=question, answer=answer, spans=(sentence.span,), source="value")


def _zh(sentence: Sentence, document: Document) -> tuple[str, str] | None:
    """The first clause with one amount or date and no other number, as a question in its own words.

    A later clause is asked with the one before it, which must not tell a number itself.
    """
    before = ""
    for clause in _ZH_CLAUSE.findall(plain(sentence.text)):
        asked = _asked(clause)
        is_sound = not _ZH_LEANS.search(clause) and not _ZH_DIGITS.search(before)
        is_sound = is_sound and not _ZH_BROKEN.search(before + clause)
        if asked is not None and is_sound and len(clause) >= _SHORTEST_CLAUSE:
            question, answer = asked
            words = outspoken(f"{before}，{question}" if before else question, document)
            return placed(f"{words}？", document), answer
        before = clause
    return None


def _asked(clause: str) -> tuple[str, str] | None:
    date = _ZH_DATE.search(clause)
    found = date or _ZH_AMOUNT.search(clause)
    if found is None:
        return None
    head, tail = clause[: found.start()], clause[found.end() :]
    if _ZH_DIGITS.search(head + tail) or not re.search(r"[\u4e00-\u9fff]{3}", head + tail):
        return None
    if date:
        return f"{head}什么时候{tail}", found[0]
    unit = found["unit"]
    return f"{head}{'百分之多少' if unit == '%' else f'多少{unit}'}{tail}", found[0]


def _en(sentence: Sentence, document: Document) -> tuple[str, str] | None:
    text = " ".join(outspoken(sentence.text, document).split())
    for pattern, template in _EN:
        if found := pattern.match(text):
            parts = found.groupdict()
            question = template.format(**parts | {"s": lowered(parts["s"])})
            return placed(question, document), parts["x"]
    return None
