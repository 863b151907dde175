"""Blocks of many pages joined into one text, with the place of every line kept."""

from __future__ import annotations

from dataclasses import dataclass

from core.document import Block, BlockKind, Line
from core.span import Span
from ingest.parsers.outline import ARTICLE_START
from ingest.parsers.pdf_page import PdfBlock, PdfLine, mended
from ingest.parsers.text import LIST_ITEM

_SENTENCE_END = tuple("。！？；：.!?;:…”’」』）)】")
_JOINABLE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)


@dataclass(slots=True)
class _Open:
    kind: BlockKind
    level: int
    start: int
    end: int


class PdfText:
    """Grows page by page. Blocks part at a blank line; a paragraph cut by a page or column goes on."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[_Open] = []
        self._lines: list[Line] = []

    def add_page(self, page: int, blocks: list[PdfBlock]) -> None:
        for block in blocks:
            if self._continues(block):
                self._append_lines(block, page, self._blocks[-1])
                continue
            if self._blocks:
                self._append("\n\n")
            opened = _Open(block.kind, block.level, self._length, self._length)
            self._blocks.append(opened)
            self._append_lines(block, page, opened)

    def text(self) -> str:
        return "".join(self._parts)

    def blocks(self) -> list[Block]:
        return [
            Block(kind=block.kind, level=block.level, span=Span(block.start, block.end))
            for block in self._blocks
        ]

    def lines(self) -> tuple[Line, ...]:
        return tuple(self._lines)

    def first_heading(self) -> str:
        """The first heading's words, or nothing."""
        text = self.text()
        return next((text[b.start : b.end] for b in self._blocks if b.kind is BlockKind.HEADING), "")

    def _continues(self, block: PdfBlock) -> bool:
        """Whether the block is the rest of a paragraph that a page or column border cut in two."""
        if not self._blocks or block.kind is not BlockKind.PARAGRAPH:
            return False
        last = self._blocks[-1]
        first = block.lines[0].text
        if last.kind not in _JOINABLE or LIST_ITEM.match(first) or ARTICLE_START.match(first):
            return False
        crosses = bool(self._lines) and block.lines[0].box[1] < self._lines[-1].y0
        return crosses and not self._parts[-1].rstrip().endswith(_SENTENCE_END)

    def _append_lines(self, block: PdfBlock, page: int, opened: _Open) -> None:
        by_row = block.kind in (BlockKind.TABLE, BlockKind.CODE)
        for line in block.lines:
            if self._length > opened.start:
                self._join(line.text, by_row)
            start = self._length
            self._append(line.text)
            self._lines.append(_placed(line, page, start))
        opened.end = self._length

    def _join(self, following: str, by_row: bool) -> None:
        if by_row:
            self._append("\n")
            return
        before, separator = mended(self._parts[-1], following)
        if len(before) < len(self._parts[-1]):
            self._length -= len(self._parts[-1]) - len(before)
            self._parts[-1] = before
            last = self._lines[-1]
            self._lines[-1] = Line(
                span=Span(last.span.start, self._length), page=last.page,
                x0=last.x0, y0=last.y0, x1=last.x1, y1=last.y1,
            )  # fmt: skip
        if separator:
            self._append(separator)

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _placed(line: PdfLine, page: int, start: int) -> Line:
    x0, y0, x1, y1 = line.box
    return Line(span=Span(start, start + len(line.text)), page=page, x0=x0, y0=y0, x1=x1, y1=y1)
