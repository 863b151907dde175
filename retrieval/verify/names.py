"""The names that a sentence uses: titles and quoted words, Latin proper names, identifiers, Chinese names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from core.span import Span
from retrieval.verify.folding import one_to_one

# What jieba calls persons, places, organisations and other names, and the kind that each is compared with.
_TAGS: Final = {"nr": "person", "nrt": "person", "nrfg": "person", "ns": "place", "nt": "org", "nz": "thing"}
_TITLE = re.compile(r"《([^《》\n]{1,60})》")
# T-200, v2.13.0, covid-19; GB/T 7714-2015, ISO 9001 with a space inside.
_IDENTIFIER = re.compile(
    r"(?<![A-Za-z0-9])(?:(?!RMB|USD|CNY|HKD|EUR|FY)[A-Z]{2,5}(?:/[A-Z]{1,3})?\s?\d{2,6}(?:[.:-]\d+)*"
    r"|(?=[A-Za-z0-9./_-]*[A-Za-z])(?=[A-Za-z0-9./_-]*\d)[A-Za-z0-9]+(?:[./_-][A-Za-z0-9]+)*)(?![A-Za-z0-9])"
)
_LATIN = re.compile(
    r"(?<![A-Za-z0-9'])(?:[A-Z]\.\s?)*[A-Z][A-Za-z'’&.-]*[A-Za-z](?:\s(?:of\s|de\s|van\s|von\s|the\s)?[A-Z][A-Za-z'’&.-]*[A-Za-z])*(?![A-Za-z0-9])"
)
# Words with a capital that name nothing: they open sentences, or are months and days (dates see to those).
_COMMON: Final = frozenset(
    """the a an this that these those it he she they we you i in on at by for from with to of and or but if when while as
    after before during since until unless because although however also there here all each every some any no not
    both either neither one two three its his her their our your my who what which where why how is are was were do
    does did can could may might must shall should will would january february march april june july august september
    october november december monday tuesday wednesday thursday friday saturday sunday according based due under over
    such other another most many more first second third finally additionally furthermore moreover yes""".split()  # noqa: SIM905
)
# Chinese words that jieba takes for names and that name nothing.
_NO_NAME: Final = frozenset(
    """公司 大学 学院 法院 银行 医院 集团 委员会 本市 全市 全省 城市 都市 农村 乡村 市区 该市 该省 我市 我省 之日起 所在地""".split()  # noqa: SIM905
)
_NO_END: Final = "于在和与及为是的起"


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """``text`` as written at ``span``; names of one ``kind`` may stand for each other."""

    text: str
    kind: str
    span: Span


def names(source: str) -> list[Name]:
    """The names of ``source`` in order; of overlapping ones the longest."""
    found = [Name(text=m[1], kind="title", span=Span(*m.span(1))) for m in _TITLE.finditer(source)]
    found += [Name(text=m[0], kind="identifier", span=Span(*m.span())) for m in _IDENTIFIER.finditer(source)]
    found += _latin(source)
    found += _chinese(source)
    kept: list[Name] = []
    for name in sorted(found, key=lambda name: (-len(name.span), name.span)):
        if not any(name.span.overlaps(other.span) for other in kept):
            kept.append(name)
    return sorted(kept, key=lambda name: name.span)


def _latin(source: str) -> list[Name]:
    found: list[Name] = []
    for match in _LATIN.finditer(source):
        start = match.start()
        words = match[0]
        while words and words.split()[0].casefold().strip(".'’") in _COMMON:
            # "The Danube Commission": the article is no part of it.
            first = words.split()[0]
            start += len(first) + (1 if " " in words else 0)
            words = words[len(first) :].lstrip()
        opens = not source[:start].rstrip() or source[:start].rstrip()[-1] in '.!?:;|。！？：；•-*"“'
        if words and not (opens and " " not in words and not words.isupper()):
            found.append(Name(text=words, kind="latin", span=Span(start, start + len(words))))
    return found


def _chinese(source: str) -> list[Name]:
    found: list[Name] = []
    at = 0
    plain = one_to_one(source)
    words = _tagger().tag(plain) if any("\u4e00" <= char <= "\u9fff" for char in plain) else []
    for word, tag in words:
        start = plain.find(word, at)
        if start < 0:
            continue
        at = start + len(word)
        kind = _TAGS.get(tag)
        if len(word) > 2:
            # 张三于: the tagger takes the small word behind a name it does not know for its end.
            word = word.rstrip(_NO_END)
            at = start + len(word)
        if kind and len(word) > 1 and word not in _NO_NAME and not word.isascii():
            found.append(Name(text=source[start:at], kind=kind, span=Span(start, at)))
    return found


@cache
def _tagger() -> Any:
    import rjieba

    return rjieba.Jieba()
