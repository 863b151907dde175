"""What a chunk that starts in the middle of a unit needs before it to be understood on its own.

A table continued without its header row, list items without the line that leads them, the second half of
an article without its number: what is embedded repeats that beginning, what is shown never does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from core.document import Block, BlockKind
from core.span import Span
from ingest.parsers.outline import ARTICLE_START, LIST_ITEM
from ingest.sentences import sentences

# How many blocks are looked back for the beginning of a list or an article.
_LOOK_BACK = 80
_LEADS = re.compile(r"(?:[:：]|如下|下列[^。；]{0,12}|as follows|following)[\s*_]*$", re.IGNORECASE)


def lead_of(text: str, blocks: Sequence[Block], start: int, has_articles: bool) -> str:
    """The beginning that is missing for a chunk at ``start``; empty when it starts a unit of its own.

    Articles are looked for only when ``has_articles``.
    """
    index = bisect_right(blocks, start, key=lambda block: block.span.start) - 1
    if index < 0:
        return ""
    block = blocks[index]
    inside = block.span.start < start < block.span.end
    if block.kind is BlockKind.TABLE:
        return _table_header(block.span.of(text)) if inside else ""
    if block.kind is BlockKind.CODE:
        return _fence(block.span.of(text)) if inside else ""
    if block.kind is BlockKind.HEADING or (not inside and ARTICLE_START.match(text, start)):
        return ""
    leader = _leader(text, blocks, index)
    return leader if leader or not has_articles else _article(text, blocks, index, start)


def is_list_item(text: str, block: Block) -> bool:
    """Whether a block is an item of a list, by its kind or by the number it starts with."""
    if block.kind is BlockKind.LIST_ITEM:
        return True
    return block.kind is BlockKind.PARAGRAPH and bool(LIST_ITEM.match(text, block.span.start))


def _table_header(table: str) -> str:
    rows = table.splitlines()
    return "\n".join(rows[:2] if len(rows) > 1 and set(rows[1]) <= set("|-: ") else rows[:1])


def _fence(code: str) -> str:
    first = code.split("\n", 1)[0]
    return first if first.startswith(("```", "~~~")) else ""


def _leader(text: str, blocks: Sequence[Block], index: int) -> str:
    """The sentence that leads the list whose item stands at ``index``."""
    first = index
    while first > 0 and index - first < _LOOK_BACK and is_list_item(text, blocks[first]):
        first -= 1
    before = blocks[first]
    if first == index or before.kind is not BlockKind.PARAGRAPH:
        return ""
    last = sentences(text, before.span.start, before.span.end)[-1].of(text)
    return last if _LEADS.search(last) else ""


def _article(text: str, blocks: Sequence[Block], index: int, start: int) -> str:
    """The first sentence of the article that goes on at ``start``."""
    for block in reversed(blocks[max(index - _LOOK_BACK, 0) : index + 1]):
        if block.kind is BlockKind.HEADING:
            return ""
        if ARTICLE_START.match(text, block.span.start):
            opening = sentences(text, block.span.start, block.span.end)[0]
            return opening.of(text) if opening.end <= start else _number(text, block.span)
    return ""


def _number(text: str, article: Span) -> str:
    found = ARTICLE_START.match(text, article.start)
    return found.group().strip() if found else ""
