"""Plain text, AsciiDoc and reStructuredText: headings, list items, tables, code and paragraphs by their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from core.document import Block, BlockKind, Document
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.outline import ARTICLE_START, heading_title, is_rule
from ingest.parsers.outline import LIST_ITEM as LIST_ITEM
from ingest.parsers.text.headings import headings
from ingest.parsers.text.lines import TextLine, text_lines
from ingest.parsers.text.plain import plain_document
from ingest.parsers.text.regions import region_lines, regions


class TextParser:
    """Reads ``.txt``; the document's text is the decoded file, unchanged."""

    version = "text-2"
    media_type = "text/plain"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``EncodingError`` and ``EmptyDocumentError``."""
        return plain_document(data, name, self.media_type, _blocks, _title)


def _blocks(text: str) -> Iterator[Block]:
    """Blocks in order. Drawn rules belong to none; a line that merely continues a block belongs to it."""
    lines = text_lines(text)
    drawn = {region.first: region for region in regions(lines, text)}
    titles = headings(lines, frozenset(region_lines(tuple(drawn.values()))))
    opened: Block | None = None
    at = 0
    while at < len(lines):
        line, last = lines[at], at
        whole = titles.get(at) or drawn.get(at)
        if whole is not None:
            last = whole.last
        if opened is not None and (whole is not None or is_rule(line.source) or _opens(lines, at, opened)):
            yield opened
            opened = None
        span = line.span.hull(lines[last].span)
        if at in titles:
            yield Block(kind=BlockKind.HEADING, span=span, level=titles[at].level)
        elif at in drawn:
            yield Block(kind=drawn[at].kind, span=span)
        elif opened is not None:
            opened = replace(opened, span=opened.span.hull(span))
        elif not is_rule(line.source):
            is_item = bool(LIST_ITEM.match(line.source))
            opened = Block(kind=BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH, span=span)
        at = last + 1
    if opened is not None:
        yield opened


def _opens(lines: Sequence[TextLine], at: int, opened: Block) -> bool:
    """Whether a line starts a block of its own: by a blank line, its number, or an indent."""
    line, before = lines[at], lines[at - 1]
    if line.blank_before or line.full_width_indent:
        return True
    if LIST_ITEM.match(line.source) or ARTICLE_START.match(line.source):
        return True
    if opened.kind is BlockKind.LIST_ITEM:
        return False
    # Chinese paragraphs are often one line each, all indented alike; Latin ones are wrapped.
    deeper = line.indent >= before.indent + 2
    return deeper or (line.is_chinese and line.indent >= 2 and before.ends_sentence)


def _title(text: str, blocks: tuple[Block, ...], name: str) -> str:
    """The first line when it stands alone and is short, else the file's name without extension."""
    if not blocks:
        return PurePath(name).stem
    first = blocks[0].span.of(text)
    if blocks[0].kind is BlockKind.HEADING:
        return heading_title(first)
    stands_alone = len(blocks) > 1 and "\n" not in first and not first.endswith(("。", ".", "；", ";", "，"))
    is_words = blocks[0].kind is BlockKind.PARAGRAPH and len(first) <= 60
    return first.strip() if stands_alone and is_words else PurePath(name).stem
