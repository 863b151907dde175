"""A document as entries small enough to be cited: paragraphs, list items, table rows, headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.document import Block, BlockKind
from core.span import Span, trimmed
from core.store import StoredVersion
from ingest.parsers.outline import ARTICLE_START
from ingest.parsers.text.parser import LIST_ITEM
from ingest.sentences import sentences

# Characters of one entry; longer paragraphs are cut between sentences.
_LONGEST: Final = 800
_LONGEST_LEADER: Final = 200
_LEADS: Final = re.compile(r"[：:]\s*$")
_RULE: Final = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A run of source text that is numbered, judged and cited as one.

    ``under`` is what it stands under, outermost first: the headings, then the line that leads its list or
    the header of its table. ``is_item``: it is one of many of its kind, a list item, an article or a table row.
    ``part`` numbers its section within what is read.
    """

    version_id: str
    span: Span
    kind: BlockKind
    text: str
    section_path: tuple[str, ...]
    under: tuple[str, ...]
    is_item: bool
    part: int = 0


def entries_of(version: StoredVersion, blocks: Sequence[Block], spans: Sequence[Span]) -> Iterator[Entry]:
    """The entries of ``version`` inside ``spans`` (ascending), in order; page headers and footers are none."""
    leader = ""
    leads_for: tuple[str, ...] = ()
    for block, span in _inside(blocks, spans):
        if block.kind is BlockKind.PAGE_FURNITURE or trimmed(version.text, span.start, span.end) is None:
            continue
        source = span.of(version.text)
        is_item = block.kind is BlockKind.LIST_ITEM or bool(LIST_ITEM.match(source))
        under = block.section_path[:-1] if block.kind is BlockKind.HEADING else block.section_path
        if not is_item or block.section_path != leads_for:
            leader, leads_for = "", block.section_path
        entry = Entry(
            version_id=version.id,
            span=span,
            kind=block.kind,
            text=source,
            section_path=block.section_path,
            under=(*under, leader) if leader else under,
            is_item=is_item or bool(ARTICLE_START.match(source)),
        )
        yield from _rows(entry) if block.kind is BlockKind.TABLE else _cut(entry)
        if not is_item and block.kind is BlockKind.PARAGRAPH and _LEADS.search(source):
            leader = source.strip()[-_LONGEST_LEADER:]


def _inside(blocks: Sequence[Block], spans: Sequence[Span]) -> Iterator[tuple[Block, Span]]:
    """The blocks that share characters with ``spans``, with what they share."""
    at = 0
    for block in blocks:
        while at < len(spans) and spans[at].end <= block.span.start:
            at += 1
        for span in spans[at:]:
            if span.start >= block.span.end:
                break
            if (shared := block.span.intersection(span)) is not None:
                yield block, shared


def _rows(table: Entry) -> Iterator[Entry]:
    """The rows of a table, each under its header; the header itself is an entry too."""
    rows = list(_lines(table))
    has_header = len(rows) > 1 and _RULE.fullmatch(rows[1].text) is not None
    if has_header:
        yield replace(_joined(table, rows[:2]), is_item=False)
    body = rows[2:] if has_header else rows
    under = (*table.under, rows[0].text.strip()) if has_header else table.under
    for row in body:
        yield from _cut(replace(row, under=under, is_item=True))


def _joined(entry: Entry, rows: Sequence[Entry]) -> Entry:
    return _clipped(entry, rows[0].span.hull(rows[-1].span))


def _lines(entry: Entry) -> Iterator[Entry]:
    for line in re.finditer(r"[^\n]*\S[^\n]*", entry.text):
        yield _clipped(entry, Span(entry.span.start + line.start(), entry.span.start + line.end()))


def _cut(entry: Entry) -> Iterator[Entry]:
    """The entry, or runs of its sentences when it is longer than an entry may be."""
    if len(entry.span) <= _LONGEST:
        yield entry
        return
    for span in _packed(piece for sentence in sentences(entry.text) for piece in _halved(sentence)):
        yield _clipped(entry, Span(entry.span.start + span.start, entry.span.start + span.end))


def _halved(sentence: Span) -> Iterator[Span]:
    for start in range(sentence.start, sentence.end, _LONGEST):
        yield Span(start, min(start + _LONGEST, sentence.end))


def _packed(pieces: Iterable[Span]) -> Iterator[Span]:
    held: Span | None = None
    for piece in pieces:
        if held is not None and piece.end - held.start <= _LONGEST:
            held = held.hull(piece)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _clipped(entry: Entry, span: Span) -> Entry:
    """The part of ``entry`` at ``span`` (over the document's text)."""
    text = entry.text[span.start - entry.span.start : span.end - entry.span.start]
    return replace(entry, span=span, text=text)
