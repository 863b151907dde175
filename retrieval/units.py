"""Answerable units of a passage: sentences, a list with its leader, a table row with its header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.document import Block, BlockKind
from core.span import Span
from ingest.parsers.outline import ARTICLE_START
from ingest.parsers.text.parser import LIST_ITEM
from ingest.sentences import sentences

_LEADER_END = re.compile(r"[：:]\s*$")
# Words that take back or bound what a list before them grants.
_RESTRICTS = re.compile(
    r"不得|除外|但是?[，,\w]|例外|不适用|不受|除非|仅限|\b(?:unless|except|however|must not|may not|does not apply)\b",
    re.IGNORECASE,
)
_SPEAKS_OF_TABLE = re.compile(r"[上前]表|上述表|(?:table above|above table|the table)\b", re.IGNORECASE)
_MAX_RESTRICTION_CHARS = 200
# In columns, where a Chinese character takes two.
_SHORT_PARAGRAPH_WIDTH = 280
_MAX_LIST_CHARS = 1500
_MAX_TABLE_ROWS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """``span`` carries the words; ``shown`` is what a reader needs to see, verbatim from the source."""

    span: Span
    shown: str
    block: int


def units(text: str, passage: Span, blocks: Sequence[Block]) -> list[Unit]:
    """The units of ``passage`` in order; ``blocks`` are the document's. Headings are no answer.

    A sentence that ends with a colon takes the list that follows; a list without its leader stands for
    itself, item by item.
    """
    inside = [
        (block, clipped) for block in blocks if (clipped := block.span.intersection(passage)) is not None
    ]
    result: list[Unit] = []
    index = 0
    while index < len(inside):
        block, span = inside[index]
        if block.kind in (BlockKind.TABLE, BlockKind.CODE):
            result += _table_units(text, block, span, index)
        elif block.kind is not BlockKind.HEADING:
            found = _sentences(text, span)
            result += [_unit(text, sentence, index) for sentence in found]
            last = _list_after(text, inside, index, found)
            if last > index:
                index = _restriction_after(text, inside, last)
                result[-1] = _unit(text, Span(found[-1].start, inside[index][1].end), result[-1].block)
            elif index and inside[index - 1][0].kind is BlockKind.TABLE:
                result = _with_table(text, result, len(found))
        index += 1
    return result


def _sentences(text: str, span: Span) -> list[Span]:
    """The sentences of a paragraph; a short paragraph is one unit: its sentences bound each other."""
    is_short = width_of(span.of(text)) <= _SHORT_PARAGRAPH_WIDTH
    return [span] if is_short else sentences(text, span.start, span.end)


def width_of(text: str) -> int:
    """Columns: a Chinese character takes two."""
    return sum(2 if char >= "\u2e80" else 1 for char in text)


def _unit(text: str, span: Span, block: int) -> Unit:
    return Unit(span=span, shown=span.of(text), block=block)


def _with_table(text: str, result: list[Unit], count: int) -> list[Unit]:
    """The last ``count`` sentences joined with the whole table before them, as far as they speak of it."""
    before, behind = result[:-count], result[-count:]
    speaking = [i for i, unit in enumerate(behind) if _SPEAKS_OF_TABLE.search(unit.shown)]
    # The table must be one unit and stand right before: row by row it is too large to show whole.
    tables = [unit for unit in before if unit.block == behind[0].block - 1]
    if not speaking or len(tables) != 1:
        return result
    joined = _unit(text, Span(before[-1].span.start, behind[speaking[-1]].span.end), behind[0].block)
    return [*before[:-1], joined, *behind[speaking[-1] + 1 :]]


def _list_after(text: str, inside: Sequence[tuple[Block, Span]], index: int, found: Sequence[Span]) -> int:
    """Index of the last block of the list that the last sentence leads; ``index`` when it leads none."""
    if not found or not _LEADER_END.search(found[-1].of(text)):
        return index
    last = index
    for following in range(index + 1, len(inside)):
        block, span = inside[following]
        is_item = block.kind is BlockKind.LIST_ITEM or bool(LIST_ITEM.match(span.of(text)))
        if not is_item or span.end - found[-1].start > _MAX_LIST_CHARS:
            break
        last = following
    return last


def _restriction_after(text: str, inside: Sequence[tuple[Block, Span]], last: int) -> int:
    """Index of the paragraph right behind a list that limits it in the same article, else ``last``."""
    if last + 1 == len(inside):
        return last
    block, span = inside[last + 1]
    source = span.of(text)
    limits = block.kind is BlockKind.PARAGRAPH and len(source) <= _MAX_RESTRICTION_CHARS
    return last + 1 if limits and _RESTRICTS.search(source) and not ARTICLE_START.match(source) else last


def _table_units(text: str, block: Block, span: Span, index: int) -> list[Unit]:
    """A small table whole; a large one row by row, each shown under the header."""
    rows = _rows(text, span)
    header = block.span.of(text).splitlines()[:2]
    if len(rows) <= _MAX_TABLE_ROWS or block.kind is BlockKind.CODE:
        return [_unit(text, span, index)]
    body = [row for row in rows if row.of(text) not in header]
    return [Unit(span=row, shown="\n".join([*header, row.of(text)]), block=index) for row in body]


def _rows(text: str, span: Span) -> list[Span]:
    """The non-blank lines of ``span``."""
    rows: list[Span] = []
    position = span.start
    for line in span.of(text).splitlines(keepends=True):
        if line.strip():
            rows.append(Span(position, position + len(line.rstrip())))
        position += len(line)
    return rows
