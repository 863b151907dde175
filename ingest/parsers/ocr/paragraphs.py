"""Lines of a picture as blocks: paragraphs, headings, list items, tables, footnotes, page numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from statistics import median
from typing import Final

from core.document import BODY_LEVEL, BlockKind
from ingest.parsers.ocr.reader import OcrImage, OcrLine
from ingest.parsers.ocr.tables import table_lines, table_runs
from ingest.parsers.outline import ARTICLE_START, LIST_ITEM, chinese_heading_level

# All sizes are in heights of the page's own lines.
_HEADING_SIZE: Final = 1.3
_TITLE_SIZE: Final = 1.6
_FOOTNOTE_SIZE: Final = 0.88
_INDENT: Final = 1.2
_SHORT: Final = 3.0
_ALIKE: Final = 1.25
_ALIKE_FEW: Final = 1.5
_FEW: Final = 3  # characters
_MARGIN: Final = 0.09  # of the page's height
_SENTENCE_END: Final = tuple("。！？；：.!?;:…”’」』）)】")
_PAGE_NUMBER: Final = re.compile(
    r"[-—–·•\s]*(?:第|page|p\.)?\s*\d{1,4}\s*(?:页)?\s*(?:(?:/|of|，?共)\s*\d{1,4}\s*页?)?[-—–·•\s]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrParagraph:
    """Lines that belong together.

    ``kind`` is HEADING (``level`` 1..6), PARAGRAPH, LIST_ITEM, TABLE (each line a Markdown row, the rule under
    the header included) or PAGE_FURNITURE (page numbers and running heads at the margin).
    """

    kind: BlockKind
    lines: tuple[OcrLine, ...]
    level: int = BODY_LEVEL


def paragraphs(image: OcrImage) -> tuple[OcrParagraph, ...]:
    """The blocks of ``image`` in reading order: columns one after the other, footnotes last."""
    if not image.lines:
        return ()
    page = _Page.of(image)
    blocks: list[OcrParagraph] = []
    for lines, columns in table_runs(image.lines):
        if columns:
            blocks.append(OcrParagraph(kind=BlockKind.TABLE, lines=table_lines(lines, columns)))
        else:
            blocks += page.blocks(lines)
    return tuple(_footnotes_last(blocks, page))


def _footnotes_last(blocks: Sequence[OcrParagraph], page: _Page) -> list[OcrParagraph]:
    """Footnotes under a column that is not the last one moved behind the last."""
    body: list[OcrParagraph] = []
    notes: list[OcrParagraph] = []
    for number, block in enumerate(blocks):
        if number and block.lines[0].upright[1] < blocks[number - 1].lines[-1].upright[1]:
            count = sum(1 for _ in takewhile(page.is_footnote, reversed(body)))
            notes += body[len(body) - count :]
            del body[len(body) - count :]
        body.append(block)
    return body + notes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """``size`` is the height of the lines most characters stand in; lines outside ``body`` (top, bottom) stand
    at the margin."""

    size: float
    body: tuple[float, float]

    @staticmethod
    def of(image: OcrImage) -> _Page:
        height = image.width if image.rotation in (90, 270) else image.height
        sizes = [_height(line) for line in image.lines for _ in line.text]
        return _Page(size=float(median(sizes)), body=(_MARGIN * height, (1 - _MARGIN) * height))

    def blocks(self, lines: Sequence[OcrLine]) -> Iterator[OcrParagraph]:
        """The paragraphs, headings and page numbers among ``lines``."""
        group: list[OcrLine] = []
        for number, line in enumerate(lines):
            is_furniture = self._is_furniture(lines, number)
            if group and (is_furniture or self._parts(lines, number)):
                yield self._block(group)
                group = []
            if is_furniture:
                yield OcrParagraph(kind=BlockKind.PAGE_FURNITURE, lines=(line,))
            else:
                group.append(line)
        if group:
            yield self._block(group)

    def is_footnote(self, block: OcrParagraph) -> bool:
        """Whether the block is in small type in the lower half of the page."""
        return (
            block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
            and median(_height(line) for line in block.lines) < _FOOTNOTE_SIZE * self.size
            and block.lines[0].upright[1] > sum(self.body) / 2
        )

    def _block(self, lines: Sequence[OcrLine]) -> OcrParagraph:
        level = self._heading_level(lines)
        if level is not None:
            return OcrParagraph(kind=BlockKind.HEADING, level=level, lines=tuple(lines))
        is_item = bool(LIST_ITEM.match(lines[0].text))
        kind = BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH
        return OcrParagraph(kind=kind, lines=tuple(lines))

    def _heading_level(self, lines: Sequence[OcrLine]) -> int | None:
        if len(lines) == 1 and (level := chinese_heading_level(lines[0].text)):
            return level
        size = min(_height(line) for line in lines) / self.size
        if len(lines) > 3 or size < _HEADING_SIZE or lines[-1].text.endswith(_SENTENCE_END):
            return None
        return 1 if size >= _TITLE_SIZE else 2

    def _is_furniture(self, lines: Sequence[OcrLine], number: int) -> bool:
        """Whether a line is a page number at the margin, or a running head with one."""
        line = lines[number]
        if self.body[0] < line.upright[1] and line.upright[3] < self.body[1]:
            return False
        if _PAGE_NUMBER.fullmatch(line.text):
            return True
        ends = (line.cells[0].text, line.cells[-1].text) if len(line.cells) > 1 else ()
        return any(end.strip("-—– ").isdigit() for end in ends)

    def _parts(self, lines: Sequence[OcrLine], number: int) -> bool:
        """Whether a paragraph ends before line ``number``."""
        before, line = lines[number - 1], lines[number]
        if LIST_ITEM.match(line.text) or ARTICLE_START.match(line.text) or chinese_heading_level(line.text):
            return True
        ended = before.text.endswith(_SENTENCE_END)
        # The box of a few characters alone is up to a third too high.
        most = _ALIKE if min(len(line.text), len(before.text)) > _FEW else _ALIKE_FEW
        alike = 1 / most < _height(line) / _height(before) < most
        if line.upright[1] < before.upright[1]:  # the next column goes on where a full line ends
            stops_short = _edges(lines, number - 1)[1] - before.upright[2] > _SHORT * self.size
            return ended or stops_short or not alike
        if chinese_heading_level(before.text) or not alike:
            return True
        left, right = _edges(lines, number)
        indented = line.upright[0] - left > _INDENT * self.size
        level = abs(line.upright[0] - before.upright[0]) < _INDENT * self.size
        short = right - before.upright[2] > _SHORT * self.size
        wide_gap = line.upright[1] - before.upright[3] > max(0.6 * self.size, 1.6 * _gap(lines, number))
        return wide_gap or (indented and not level) or (short and ended)


def _edges(lines: Sequence[OcrLine], number: int) -> tuple[float, float]:
    """Left and right edge of the column around line ``number``."""
    line = lines[number].upright
    near = [
        other.upright
        for other in lines[max(number - 3, 0) : number + 4]
        if other.upright[0] < line[2] and line[0] < other.upright[2]
    ]
    return min(box[0] for box in near), max(box[2] for box in near)


def _gap(lines: Sequence[OcrLine], number: int) -> float:
    """The usual distance between lines near line ``number``."""
    near = [line.upright for line in lines[max(number - 4, 0) : number + 4]]
    gaps = [low[1] - high[3] for high, low in pairwise(near) if low[1] > high[1]]
    return max(float(median(gaps)), 0.0) if gaps else 0.0


def _height(line: OcrLine) -> float:
    return max(median(cell.box[3] - cell.box[1] for cell in line.cells), 1.0)
