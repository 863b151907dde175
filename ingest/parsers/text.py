"""Plain text: paragraphs at blank lines, headings and list items by their numbering."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from core.document import Block, BlockKind, Document
from core.reading import DEFAULT_READING, Reading
from core.span import Span, trimmed
from ingest.parsers.outline import ARTICLE_START, chinese_heading_level
from ingest.parsers.plain import plain_document

LIST_ITEM = re.compile(
    r"\s*(?:[-*+•·●○▪◦]\s|\d{1,3}[.)、．]\s*\S|[(（][0-9０-９一二三四五六七八九十a-zA-Z]{1,3}[)）]"
    r"|[一二三四五六七八九十]{1,3}、|[①-⑳])"
)


class TextParser:
    """Reads ``.txt``; the document's text is the decoded file, unchanged."""

    version = "text-1"
    media_type = "text/plain"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``EncodingError`` and ``EmptyDocumentError``."""
        return plain_document(data, name, self.media_type, _blocks, _title)


def _blocks(text: str) -> Iterator[Block]:
    """Headings, list items and paragraphs; a line that merely continues one belongs to it."""
    opened: Block | None = None
    previous_end = 0
    for line in _line_spans(text):
        source, gap = line.of(text), text[previous_end : line.start]
        previous_end = line.end
        level = chinese_heading_level(source)
        is_item = bool(LIST_ITEM.match(source))
        if opened is not None and level is None and not is_item and not _opens_paragraph(gap, source):
            opened = replace(opened, span=opened.span.hull(line))
            continue
        if opened is not None:
            yield opened
        if level is not None:
            opened = None
            yield Block(kind=BlockKind.HEADING, span=line, level=level)
        else:
            opened = Block(kind=BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH, span=line)
    if opened is not None:
        yield opened


def _opens_paragraph(gap: str, source: str) -> bool:
    """Whether the white space before a line (a blank line, an indent) or its numbering starts a paragraph."""
    blank_line = len(gap.splitlines()) > 2 or gap.count("\n") > 1
    return blank_line or gap.endswith(("\u3000", "    ", "\t")) or bool(ARTICLE_START.match(source))


def _line_spans(text: str) -> Iterator[Span]:
    """The non-blank lines without the white space at their ends."""
    position = 0
    for line in text.splitlines(keepends=True):
        span = trimmed(text, position, position + len(line))
        if span is not None:
            yield span
        position += len(line)


def _title(text: str, blocks: tuple[Block, ...], name: str) -> str:
    """The first line when it stands alone and is short, else the file's name without extension."""
    first = blocks[0].span.of(text)
    stands_alone = len(blocks) > 1 and "\n" not in first and not first.endswith(("。", ".", "；", ";", "，"))
    return first.strip() if stands_alone and len(first) <= 60 else PurePath(name).stem
