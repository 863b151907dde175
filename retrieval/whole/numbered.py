"""Counting what a document itself numbers: its chapters, sections and articles. No model can do that better."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from core.document import BlockKind
from core.span import Span
from retrieval.query.heads import Head, head_of
from retrieval.query.understood import Part, Shape, Understood
from retrieval.whole.citing import Finding
from retrieval.whole.entries import Entry
from retrieval.whole.stretch import Stretch
from retrieval.whole.subject import subject_words

_HAN: Final = re.compile(
    r"(?:多少|(?<!第)[几幾])(?:个|個)?(?P<part>[编編章节節条條])(?:条文|条款|文|款)?(?:[？?。]|$|组成|構成|构成)"
    r"|(?:有|列出|包括|包含|分为|分成)(?:了)?(?:哪些|哪[几幾])(?:个|個)?(?P<listed>[编編章节節])(?:节)?(?:[？?。]|$)"
)
_LATIN: Final = re.compile(
    r"\b(?:how many|list (?:all|the|all the|every)|which|what(?: are the)?)\s(?P<part>chapters?|sections?|articles?|clauses?)"
    r"\s?(?:\?|\.?$|are there|does|do|make|\bin\b|of\b)",
    re.IGNORECASE,
)
_HAN_PARTS: Final = {
    "编": Part.BOOK, "編": Part.BOOK, "章": Part.CHAPTER, "节": Part.SECTION, "節": Part.SECTION,
    "条": Part.ARTICLE, "條": Part.ARTICLE,
}  # fmt: skip
_LATIN_PARTS: Final = {
    "chapter": Part.CHAPTER, "section": Part.SECTION, "article": Part.ARTICLE, "clause": Part.CLAUSE,
}  # fmt: skip
_LONGEST: Final = 40


def asked_part(understood: Understood, stretch: Stretch) -> Part | None:
    """The kind of numbered part all of which are asked for: 一共有多少条, how many chapters.

    ``None`` when only those on some subject are: 关于押金的有几条 is no matter of numbering.
    """
    if understood.shape not in (Shape.COUNT, Shape.LIST):
        return None
    match = _HAN.search(understood.question) or _LATIN.search(understood.question)
    if match is None or subject_words(understood, stretch, Span(match.start(), match.end())):
        return None
    if match.re is _LATIN:
        return _LATIN_PARTS[match["part"].lower().rstrip("s")]
    return _HAN_PARTS[match["part"] or match["listed"]]


def numbered_parts(entries: Sequence[Entry], part: Part) -> list[Finding]:
    """The entries that open such a part, in order, each part once; none when the document has none.

    Headings count alone where any of them opens such a part: the lines of a table of contents do not.
    """
    opening = [(entry, head) for entry in entries if (head := _opens(entry)) and head.part is part]
    headings = [(entry, head) for entry, head in opening if entry.kind is BlockKind.HEADING]
    first: dict[object, Entry] = {}
    for entry, head in headings or opening:
        first.setdefault(_key(entry, head), entry)
    return [_finding(entry) for entry in first.values()]


def _opens(entry: Entry) -> Head | None:
    return head_of(entry.text.lstrip().splitlines()[0])


def _key(entry: Entry, head: Head) -> object:
    """Articles are numbered through; chapters and sections start anew inside what they stand in."""
    return (entry.version_id, head.number, () if head.part is Part.ARTICLE else _around(entry))


def _around(entry: Entry) -> tuple[str, ...]:
    path = entry.section_path[:-1] if entry.kind is BlockKind.HEADING else entry.section_path
    return tuple(path)


def _finding(entry: Entry) -> Finding:
    """The heading, or the beginning of the article."""
    line = entry.text.strip().splitlines()[0].strip("#* \t")
    shown = line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
    return Finding(entry=entry, text=shown, span=entry.span)
