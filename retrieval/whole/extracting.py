"""Without a model: the document's own items that hold the question's words, or its most central sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from core.document import BlockKind
from core.span import Span
from ingest.indexes.analyzer import analyze
from ingest.parsers.text.parser import LIST_ITEM
from ingest.sentences import sentences
from retrieval.content_words import WordsHeld
from retrieval.query.understood import Shape, Understood
from retrieval.whole.citing import Finding
from retrieval.whole.entries import Entry
from retrieval.whole.stretch import Stretch
from retrieval.whole.subject import subject_words

# What stands under words of the question counts half as much again, so that lists on the subject come first.
_UNDER: Final = 0.5
_NEAR: Final = 0.6
# Sentences on the subject that a summary has at most, and how near to the best one they must come.
_MOST_ON_SUBJECT: Final = 12
_NEAR_SUBJECT: Final = 0.4
_ANNOUNCES: Final = ("：", ":")
_MOST_ANNOUNCED: Final = 8
# Groups of sections that a summary has at most, and sentences that it has at least.
_MOST_GROUPS: Final = 24
_FEWEST_SENTENCES: Final = 5
_FEWEST_WORDS: Final = 4


def extract(understood: Understood, stretch: Stretch) -> list[Finding]:
    """What the entries themselves have to say, verbatim and in order; nothing when no word is shared."""
    words = subject_words(understood, stretch)
    if understood.shape is not Shape.SUMMARY:
        return matching(words, stretch.entries)
    found = on_subject(words, stretch.entries)
    # Of a section that is named, a summary is always about what is asked.
    return found or (summary(stretch.entries) if not words or stretch.section else [])


def matching(words: Sequence[str], entries: Sequence[Entry]) -> list[Finding]:
    """The items (list items, articles, table rows) that hold ``words`` as well as the best ones do.

    Where no item holds any, whole paragraphs do. A word rare among the entries weighs more.
    """
    body = [_verbatim(entry) for entry in entries if entry.kind is not BlockKind.HEADING]
    for is_item in (True, False):
        pool = [finding for finding in body if finding.entry.is_item is is_item]
        scores = _scores(words, pool)
        if best := max(scores, default=0.0):
            return [found for found, score in zip(pool, scores, strict=True) if score >= _NEAR * best]
    return []


def on_subject(words: Sequence[str], entries: Sequence[Entry]) -> list[Finding]:
    """The sentences that hold most of ``words``, in order: a summary of what is said on one subject.

    A line that only announces, such as 现病史：, brings what it announces.
    """
    body = [entry for entry in entries if entry.kind is not BlockKind.HEADING]
    pool = [_sentence(entry, span) for entry in body for span in sentences(entry.text)]
    scores = _scores(words, pool)
    limit = max(_NEAR_SUBJECT * max(scores, default=0.0), 1e-9)
    order = sorted(range(len(pool)), key=lambda place: (-scores[place], place))[:_MOST_ON_SUBJECT]
    chosen = {place for place in order if scores[place] >= limit}
    chosen |= {follower for place in chosen for follower in _announced(pool, place)}
    return [pool[place] for place in sorted(chosen)]


def _announced(pool: Sequence[Finding], place: int) -> Iterator[int]:
    """The places behind a line that announces them, up to the next such line; none behind any other."""
    if pool[place].text.endswith(_ANNOUNCES):
        for follower in range(place + 1, min(place + 1 + _MOST_ANNOUNCED, len(pool))):
            if pool[follower].text.endswith(_ANNOUNCES):
                return
            yield follower


def _scores(words: Sequence[str], pool: Sequence[Finding]) -> list[float]:
    under = {path: WordsHeld(*path) for path in {finding.entry.under for finding in pool}}
    inside = [WordsHeld(finding.text) for finding in pool]
    held = [
        {word: (text.share(word), under[finding.entry.under].share(word)) for word in words}
        for text, finding in zip(inside, pool, strict=True)
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
    units = _prose(group)
    if len(units) < count:
        units = [(entry, span) for entry in group for span in sentences(entry.text)]
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
        if not span.of(entry.text).endswith(_ANNOUNCES)
    ]


def _sentence(entry: Entry, span: Span) -> Finding:
    start = entry.span.start
    return Finding(entry=entry, text=span.of(entry.text), span=Span(start + span.start, start + span.end))
