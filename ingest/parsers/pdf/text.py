"""Blocks of many pages joined into one text, with the place of every line kept."""

from __future__ import annotations

from dataclasses import dataclass

from core.document import Block, BlockKind, Line
from core.span import Span
from ingest.parsers.outline import ARTICLE_START, LIST_ITEM
from ingest.parsers.pdf.lines import PdfLine, mended
from ingest.parsers.pdf.page import PdfBlock
from ingest.parsers.pdf.page_tables import PdfTable, repeated_rows

_SENTENCE_END = tuple("。！？；：.!?;:…”’」』）)】")
_JOINABLE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
_BY_ROW = (BlockKind.TABLE, BlockKind.CODE, BlockKind.IMAGE)
# What may stand between the two halves of a sentence on the page, but not in the text.
_FLOATS = (BlockKind.TABLE, BlockKind.CAPTION, BlockKind.IMAGE)


@dataclass(slots=True)
class _Open:
    kind: BlockKind
    level: int
    start: int
    end: int
    table: PdfTable | None = None


class PdfText:
    """Grows page by page. Blocks part at a blank line; a paragraph cut by a page or column goes on.

    Footnotes, figures and tables inside a sentence that goes on behind them come after its paragraph.
    ``repeated`` are the header rows left out where a table goes on on the next page: (page, words).
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[_Open] = []
        self._lines: list[Line] = []
        self._held: list[tuple[int, PdfBlock]] = []
        self.repeated: list[tuple[int, str]] = []

    def add_page(self, page: int, blocks: tuple[PdfBlock, ...]) -> None:
        """Adds the page's blocks, its footnotes last."""
        body = [block for block in blocks if not block.is_footnote]
        for block in (*body, *(block for block in blocks if block.is_footnote)):
            if self._continues(block):
                self._append_lines(block, page, self._blocks[-1])
                self._release()
            elif self._may_interrupt(block):
                self._held.append((page, block))
            else:
                self._release()
                self._add(page, block)

    def finish(self) -> None:
        """Adds what was held back for a sentence that did not go on."""
        self._release()

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

    def _release(self) -> None:
        held, self._held = self._held, []
        for page, block in held:
            self._add(page, block)

    def _add(self, page: int, block: PdfBlock) -> None:
        if block.table is not None and self._add_rows(page, block.table):
            return
        if self._blocks:
            self._append("\n\n")
        opened = _Open(block.kind, block.level, self._length, self._length, block.table)
        self._blocks.append(opened)
        self._append_lines(block, page, opened)

    def _add_rows(self, page: int, table: PdfTable) -> bool:
        """Adds the rows to the last block when that is the same table on the page before."""
        last = self._blocks[-1] if self._blocks else None
        if last is None or last.table is None or self._lines[-1].page != page - 1:
            return False
        repeated = repeated_rows(last.table, table)
        if repeated is None:
            return False
        self.repeated += [(page, " ".join(filter(None, row))) for row in table.rows[:repeated]]
        self._append_rows(table.lines[repeated:], page, last)
        return True

    def _is_unfinished(self) -> bool:
        if not self._blocks or self._blocks[-1].kind not in _JOINABLE:
            return False
        return not self._parts[-1].rstrip().endswith(_SENTENCE_END)

    def _may_interrupt(self, block: PdfBlock) -> bool:
        return self._is_unfinished() and (block.is_footnote or block.kind in _FLOATS)

    def _continues(self, block: PdfBlock) -> bool:
        """Whether the block is the rest of a paragraph that a page or column border cut in two."""
        if block.kind is not BlockKind.PARAGRAPH or block.is_footnote or not self._is_unfinished():
            return False
        first = block.lines[0]
        if first.turned or LIST_ITEM.match(first.text) or ARTICLE_START.match(first.text):
            return False
        floats = [held for _, held in self._held if not held.is_footnote]
        if floats and not first.text[0].islower():
            return False
        return first.box[1] < self._lines[-1].y0

    def _append_lines(self, block: PdfBlock, page: int, opened: _Open) -> None:
        if block.kind in _BY_ROW:
            self._append_rows(block.lines, page, opened)
            return
        for line in block.lines:
            if self._length > opened.start:
                self._join(line.text)
            self._append_line(line, page)
        opened.end = self._length

    def _append_rows(self, lines: tuple[PdfLine, ...], page: int, opened: _Open) -> None:
        for line in lines:
            if self._length > opened.start:
                self._append("\n")
            is_header = self._length == opened.start
            self._append_line(line, page)
            if is_header and opened.table is not None:
                # The rule under the header shares the header's box.
                self._append("\n")
                self._append_line(PdfLine(text=opened.table.rule, box=line.box), page)
        opened.end = self._length

    def _join(self, following: str) -> None:
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

    def _append_line(self, line: PdfLine, page: int) -> None:
        start = self._length
        self._append(line.text)
        x0, y0, x1, y1 = line.box
        self._lines.append(Line(span=Span(start, self._length), page=page, x0=x0, y0=y0, x1=x1, y1=y1))

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
