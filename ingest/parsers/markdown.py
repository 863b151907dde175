"""Markdown: the document's text is the source, unchanged; markdown-it-py finds its blocks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import PurePath

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.document import Block, BlockKind, Document
from core.reading import DEFAULT_READING, Reading
from core.span import trimmed
from ingest.parsers.outline import heading_title
from ingest.parsers.plain import plain_document

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_LINE_END = re.compile(r"\r\n?|\n")
_KINDS = {
    "paragraph_open": BlockKind.PARAGRAPH,
    "blockquote_open": BlockKind.PARAGRAPH,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "html_block": BlockKind.PARAGRAPH,
    "list_item_open": BlockKind.LIST_ITEM,
}


class MarkdownParser:
    """Reads ``.md``; markup stays in the text, so that every offset is one of the source file."""

    version = "markdown-1"
    media_type = "text/markdown"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``EncodingError`` and ``EmptyDocumentError``."""
        return plain_document(data, name, self.media_type, _blocks, _title)


def _blocks(text: str) -> Iterator[Block]:
    offsets = _line_offsets(text)
    front = _FRONT_MATTER.match(text)
    skipped = bisect_left(offsets, front.end()) if front else 0
    if front and (span := trimmed(text, 0, front.end())):
        yield Block(kind=BlockKind.CODE, span=span)
    covered = skipped
    for token in _outermost(MarkdownIt("commonmark").enable("table").parse(text[offsets[skipped] :])):
        first, last = (line + skipped for line in token.map or (0, 0))
        first = max(first, covered)
        span = trimmed(text, offsets[first], offsets[min(last, len(offsets) - 1)])
        if span is None:
            continue
        covered = last
        if token.type == "heading_open":
            yield Block(kind=BlockKind.HEADING, span=span, level=int(token.tag[1]))
        else:
            yield Block(kind=_KINDS[token.type], span=span)


def _line_offsets(text: str) -> list[int]:
    """Where each line starts, by the line ends that markdown-it-py knows, and the end of the text."""
    return [0, *(end.end() for end in _LINE_END.finditer(text)), len(text)]


def _outermost(tokens: list[Token]) -> Iterator[Token]:
    """Tokens that open a block of interest; what lies inside such a block is not opened again."""
    depth_of_open: int | None = None
    for token in tokens:
        if depth_of_open is not None:
            if token.level == depth_of_open and token.nesting == -1:
                depth_of_open = None
            continue
        if token.map is None or (token.type not in _KINDS and token.type != "heading_open"):
            continue
        yield token
        if token.nesting == 1:
            depth_of_open = token.level


def _title(text: str, blocks: tuple[Block, ...], name: str) -> str:
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.level == 1:
            return heading_title(block.span.of(text))
    return PurePath(name).stem
