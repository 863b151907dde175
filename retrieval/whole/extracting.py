"""Without a model: the document's own items that hold the question's words, or its most central sentences."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from core.document import BlockKind
from core.span import Span
from ingest.indexes.analyzer import analyze
from ingest.parsers.text.parser import LIST_ITEM
from ingest.sentences import sentences
from retrieval.content_words import WordsHeld, content_words
from retrieval.query.understood import Shape, Understood
from retrieval.whole.citing import Finding
from retrieval.whole.entries import Entry

# What stands under words of the question counts half as much again, so that lists on the subject come first.
_UNDER: Final = 0.5
_NEAR: Final = 0.6
# Words of a question that speak of the document or the answer, not of its subject.
_FRAME: Final = frozenset(
    """全文 全书 整篇 整本 整份 通篇 文档 文件 文章 一共 共有 总共 共计 所有 全部 列举 罗列 分别 逐一 包括 包含 提到 涉及 关于 有关 规定
    条款 条文 内容 方面 事项 地方 document file whole entire full list all every each there which what are does give
    name number count mention mentions""".split()  # noqa: SIM905 - one word a line would hide it
)
_THIS: Final = re.compile(
    r"(?:这|该|本|那|這|該)(?:个|份|篇|本|部)?(?:报告|報告|合同|手册|手冊|论文|論文|制度|规定|規定|协议|法律|条例|判决书|病历)"
    r"|\b(?:this|the (?:whole|entire|full)) (?:report|contract|agreement|manual|article|paper|book|policy|handbook)\b",
    re.IGNORECASE,
)
# Groups of sections that a summary has at most, and sentences that it has at least.
_MOST_GROUPS: Final = 24
_FEWEST_SENTENCES: Final = 5
_FEWEST_WORDS: Final = 4


def extract(understood: Understood, entries: Sequence[Entry]) -> list[Finding]:
    """What the entries themselves have to say, verbatim and in order; nothing when no word is shared."""
    if understood.shape is Shape.SUMMARY:
        return summary(entries)
    return matching(understood, entries)


def matching(understood: Understood, entries: Sequence[Entry]) -> list[Finding]:
    """The items (list items, articles, table rows) that hold the question's words as well as the best ones do.

    Where no item holds any, whole paragraphs do. A word rare among the entries weighs more.
    """
    words = _words(understood)
    body = [entry for entry in entries if entry.kind is not BlockKind.HEADING]
    for pool in ([e for e in body if e.is_item], [e for e in body if not e.is_item]):
        scores = _scores(words, pool)
        best = max(scores, default=0.0)
        if best:
            return [_verbatim(e) for e, score in zip(pool, scores, strict=True) if score >= _NEAR * best]
    return []


def _words(understood: Understood) -> list[str]:
    """The question's content words, without what names the document or the section."""
    question = list(understood.question)
    named = [mention.span for mention in understood.mentions]
    for span in named + [reference.span for reference in understood.references]:
        question[span.start : span.end] = " " * len(span)
    asked = _THIS.sub(" ", "".join(question))
    return [word for word in content_words(asked) if word not in _FRAME]


def _scores(words: Sequence[str], pool: Sequence[Entry]) -> list[float]:
    under = {path: WordsHeld(*path) for path in {entry.under for entry in pool}}
    inside = [WordsHeld(entry.text) for entry in pool]
    held = [
        {word: (text.share(word), under[entry.under].share(word)) for word in words}
        for text, entry in zip(inside, pool, strict=True)
    ]
    counts = {word: sum(max(row[word]) for row in held) for word in words}
    weights = {word: math.log(1 + len(pool) / (1 + count)) for word, count in counts.items() if count}
    return [
        sum(weight * (max(row[word]) + _UNDER * row[word][1]) for word, weight in weights.items())
        for row in held
    ]


def _verbatim(entry: Entry) -> Finding:
    return Finding(entry=entry, text=entry.text.strip(), span=entry.span)


def summary(entries: Sequence[Entry]) -> list[Finding]:
    """The most central sentences of each section, in order; of a text without sections several of it all."""
    prose = [e for e in entries if e.kind not in (BlockKind.HEADING, BlockKind.CODE, BlockKind.TABLE)]
    groups = _grouped(prose or [e for e in entries if e.kind is not BlockKind.HEADING])
    each = math.ceil(_FEWEST_SENTENCES / len(groups)) if groups else 0
    return [finding for group in groups for finding in _central(group, each)]


def _grouped(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Neighbouring entries by section; by chapters only, when there would be too many groups."""
    depths = range(max((len(entry.section_path) for entry in entries), default=0), 0, -1)
    groups: list[list[Entry]] = [list(entries)] if entries else []
    for depth in depths:
        groups = [
            list(group) for _, group in groupby(entries, key=lambda e: (e.version_id, e.section_path[:depth]))
        ]
        if len(groups) <= _MOST_GROUPS:
            break
    return groups


def _central(group: Sequence[Entry], count: int) -> list[Finding]:
    """The ``count`` sentences whose words are the group's most frequent ones, in order.

    Source: SumBasic's score (Nenkova and Vanderwende 2005), as for the focus lines of chunks.
    """
    units = _prose(group) or [(entry, span) for entry in group for span in sentences(entry.text)]
    words = [analyze(span.of(entry.text)) for entry, span in units]
    counts = Counter(word for found in words for word in found)
    scores = [
        sum(counts[word] for word in found) / len(found) if len(found) >= _FEWEST_WORDS else 0.0
        for found in words
    ]
    best = sorted(range(len(units)), key=lambda place: (-scores[place], place))[:count]
    return [_sentence(*units[place]) for place in sorted(best)]


def _prose(group: Sequence[Entry]) -> list[tuple[Entry, Span]]:
    """The sentences that say something by themselves: no list items, and no line that leads a list."""
    return [
        (entry, span)
        for entry in group
        if entry.kind is not BlockKind.LIST_ITEM and not LIST_ITEM.match(entry.text)
        for span in sentences(entry.text)
        if not span.of(entry.text).endswith(("：", ":"))
    ]


def _sentence(entry: Entry, span: Span) -> Finding:
    start = entry.span.start
    return Finding(entry=entry, text=span.of(entry.text), span=Span(start + span.start, start + span.end))
