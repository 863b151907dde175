"""Articles, sections and other numbered parts that a text names; Chinese and Arabic numbers meet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from core.span import Span
from retrieval.query.numerals import HAN_NUMERAL, number_of, roman_of
from retrieval.query.understood import Part, Reference

NUMERAL: Final = rf"(?:[0-9０-９]{{1,4}}(?:[.．][0-9０-９]{{1,3}}){{0,4}}|[{HAN_NUMERAL}]{{1,8}})"
HAN_PARTS: Final = {
    "编": Part.BOOK, "編": Part.BOOK, "部分": Part.BOOK, "章": Part.CHAPTER, "节": Part.SECTION,
    "節": Part.SECTION, "条": Part.ARTICLE, "條": Part.ARTICLE, "款": Part.PARAGRAPH, "项": Part.ITEM,
    "項": Part.ITEM, "页": Part.PAGE, "頁": Part.PAGE,
}  # fmt: skip
_HAN_STEP: Final = re.compile(
    rf"第\s?[（(]?(?P<number>{NUMERAL})[）)]?\s?(?P<part>部分|[编編章节節条條款项項页頁])(?:之(?P<sub>{NUMERAL}))?"
)
# Without 第 only directly after what has articles: 民法典1079条.
_BARE_ARTICLE: Final = re.compile(rf"(?P<number>{NUMERAL})\s?[条條](?![件例約约線线])")
_HAS_ARTICLES: Final = re.compile(r"[法典例則则釋释編编》）)]\s?$")
# 4.2节: a number with a point needs no 第.
_POINTED: Final = re.compile(
    r"(?<![0-9.第])(?P<number>\d{1,3}(?:\.\d{1,3}){1,4})\s?(?P<part>小?[节節]|[条條章款])"
)
_HAN_ANNEX: Final = re.compile(
    rf"(?P<part>附件|附录|附錄|附表|表格?|图|圖)\s?(?P<number>{NUMERAL}|[A-Z](?![A-Za-z]))(?![0-9年月日个個元万%级級])"
)
_HAN_ANNEXES: Final = {"附": Part.ANNEX, "表": Part.TABLE, "图": Part.FIGURE, "圖": Part.FIGURE}
# What may stand behind 第三条: in "the first railway" (第一条铁路) a noun does.
_FOLLOWS: Final = re.compile(
    r"\s+[A-Za-z]|\s*(?:$|[，。；：、？?！,.;:!（(）)“”\"「」》\-—~至到之第]|的|规定|規定|是|中|里|裡|和|与|與|及|或|以|内容|內容|讲|講|说|說"
    r"|写|寫|对|對|关于|關於|怎|如何|有|要求|属于|適用|适用|什么|什麼|所|还|還|具体|具體|主要|原文|全文|涉及|提到)"
)
_LEADS: Final = re.compile(r"[法典例则則释釋定章度书書》」）)]\s?$|(?:根据|依据|按照|依照|在|据)$")
_COUNTED_NOUNS: Final = re.compile(r"[件例约約线線课課点點目日车車辑輯号號码碼程制者鱼魚式手]")

WORDS: Final = {
    "section": Part.SECTION, "sec": Part.SECTION, "article": Part.ARTICLE, "art": Part.ARTICLE,
    "clause": Part.CLAUSE, "chapter": Part.CHAPTER, "part": Part.BOOK, "paragraph": Part.PARAGRAPH,
    "para": Part.PARAGRAPH, "annex": Part.ANNEX, "appendix": Part.ANNEX, "schedule": Part.ANNEX,
    "exhibit": Part.ANNEX, "item": Part.ITEM, "rule": Part.ARTICLE, "table": Part.TABLE,
    "figure": Part.FIGURE, "fig": Part.FIGURE, "page": Part.PAGE,
}  # fmt: skip
_LATIN_NUMBER: Final = r"\d{1,4}(?:\.\d{1,3}){0,4}(?:[A-Z](?![A-Za-z]))?"
_LATIN: Final = re.compile(
    rf"(?:\b(?P<word>{'|'.join(WORDS)})(?P<plural>e?s)?\.?\s+|§§?\s*)"
    rf"(?P<number>{_LATIN_NUMBER}|[IVXLC]{{1,6}}\b|[A-Z]\b)(?P<points>(?:\([a-zA-Z0-9]{{1,4}}\))*)(?![\w%])",
    re.IGNORECASE,
)
_MORE: Final = re.compile(rf"\s*(?:,|and|or|&|to|through|[-–])\s*(?:and\s+)?({_LATIN_NUMBER})(?![\w%])")
_ROMAN: Final = re.compile(r"[IVXLC]+")
_LONGEST_RANGE: Final = 30


def references(text: str, name_ends: Collection[int] = ()) -> tuple[Reference, ...]:
    """The parts that ``text`` names, in order, each once; 第三条至第五条 names the one between as well.

    ``name_ends`` is where names of documents end: directly behind one 24条 is an article.
    """
    found = sorted([*_han(text, name_ends), *_latin(text)], key=lambda reference: reference.span.start)
    return tuple({(r.part, r.number, r.inner, r.outer): r for r in reversed(_ranges(text, found))}.values())[
        ::-1
    ]


def _han(text: str, name_ends: Collection[int]) -> Iterator[Reference]:
    steps = [step for step in _HAN_STEP.finditer(text) if not _COUNTED_NOUNS.match(text, step.end())]
    at = 0
    while at < len(steps):
        end = at + 1
        while end < len(steps) and not text[steps[end - 1].end() : steps[end].start()].strip(" 的"):
            end += 1
        chain, at = steps[at:end], end
        yield from _chained(text, chain)
    for match in _BARE_ARTICLE.finditer(text):
        if match.start() in name_ends or _HAS_ARTICLES.search(
            text[max(match.start() - 2, 0) : match.start()]
        ):
            yield _reference(Part.ARTICLE, number_of(match["number"]), match)
    for match in _POINTED.finditer(text):
        yield _reference(Part.SECTION, number_of(match["number"]), match)
    for match in _HAN_ANNEX.finditer(text):
        yield _reference(_HAN_ANNEXES[match["part"][0]], number_of(match["number"]), match)


def _chained(text: str, chain: list[re.Match[str]]) -> Iterator[Reference]:
    """One reference from steps that follow each other: the innermost of chapter, section and article leads."""
    named = [(HAN_PARTS[step["part"]], _with_sub(step)) for step in chain]
    inner_parts = (Part.PARAGRAPH, Part.ITEM)
    outer = [place for place, (part, _) in enumerate(named) if part not in inner_parts]
    is_named = (
        len(chain) > 1 or _FOLLOWS.match(text, chain[0].end()) or _LEADS.search(text[: chain[0].start()])
    )
    if not outer or not is_named:
        return
    lead = outer[-1]
    part, number = named[lead]
    span = Span(chain[0].start(), chain[-1].end())
    inner, around = tuple(named[lead + 1 :]), tuple(named[:lead])
    yield Reference(part=part, number=number, span=span, inner=inner, outer=around)


def _with_sub(step: re.Match[str]) -> str:
    return number_of(step["number"]) + (f"-{number_of(step['sub'])}" if step["sub"] else "")


def _latin(text: str) -> Iterator[Reference]:
    for match in _LATIN.finditer(text):
        word, number = match["word"] or "Section", match["number"]
        part = WORDS[word.lower()]
        if not number[0].isdigit():
            # "part I want" is no reference, "Part I" is; letters count annexes only.
            if not word[0].isupper() or not number.isupper():
                continue
            is_letter = len(number) == 1 and part is Part.ANNEX
            if not is_letter and not _ROMAN.fullmatch(number):
                continue
            number = number if is_letter else roman_of(number)
        inner = tuple((Part.ITEM, point.lower()) for point in re.findall(r"\((\w+)\)", match["points"]))
        yield replace(_reference(part, number, match), inner=inner)
        more = _MORE.match(text, match.end()) if match["plural"] or not match["word"] else None
        while more:
            yield Reference(part=part, number=more[1], span=Span(more.start(1), more.end(1)))
            more = _MORE.match(text, more.end())


def _reference(part: Part, number: str, match: re.Match[str]) -> Reference:
    return Reference(part=part, number=number, span=Span(match.start(), match.end()))


def _ranges(text: str, found: list[Reference]) -> list[Reference]:
    """``found`` with what stands between two neighbours that are joined by "to"."""
    filled: list[Reference] = []
    for reference in found:
        before = filled[-1] if filled else None
        if (
            before
            and before.part is reference.part
            and before.number.isdigit()
            and reference.number.isdigit()
        ):
            joint = text[before.span.end : reference.span.start].strip()
            first, last = int(before.number) + 1, int(reference.number)
            if joint in ("至", "到", "-", "–", "—", "~", "to", "through") and last - first <= _LONGEST_RANGE:
                filled += [replace(reference, number=str(n)) for n in range(first, last)]
        filled.append(reference)
    return filled
