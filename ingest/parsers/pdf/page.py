"""One page as blocks: each run of the text layer goes to one region of the layout, none is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.document import BODY_LEVEL, BlockKind
from ingest.parsers.builder import Box
from ingest.parsers.outline import LIST_ITEM
from ingest.parsers.pdf.layer import Run, hull
from ingest.parsers.pdf.layout import Region
from ingest.parsers.pdf.lines import PdfLine, printed_lines
from ingest.parsers.pdf.page_tables import PdfTable, table_of

_KINDS = {
    "title": BlockKind.HEADING,
    "section-header": BlockKind.HEADING,
    "list-item": BlockKind.LIST_ITEM,
    "caption": BlockKind.CAPTION,
    "code": BlockKind.CODE,
    "picture": BlockKind.IMAGE,
    "page-header": BlockKind.PAGE_FURNITURE,
    "page-footer": BlockKind.PAGE_FURNITURE,
}
# Tick lines of forms ("□是 √否") look like headings to the layout model.
_TICK_LINE = re.compile(r"[□☐☑☒✓√■]")
_CAPTION = re.compile(
    r"(?:图表?|表|Figure|Fig\.|Table|TABLE|FIGURE)\s?[0-9０-９一二三四五六七八九十]+[^。.]{0,80}$"
)
_FOOTNOTE = re.compile(r"(?:[0-9]{1,3}|[*∗†‡§]|[①-⑳]|\[[0-9]+\])\s?[^\d\s.、)）%]")
_SMALL_PRINT = 0.9
_LONGEST_HEADING, _LONGEST_TICK_LINE = 200, 30
_SENTENCE = re.compile(r"[。；;]$|[.!?]\s+\S+.*[.]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfBlock:
    """Lines that belong together; of a table, ``lines`` are its rows without the rule under the header."""

    kind: BlockKind
    lines: tuple[PdfLine, ...]
    level: int = BODY_LEVEL
    is_footnote: bool = False
    is_addition: bool = False
    table: PdfTable | None = None

    @property
    def box(self) -> Box:
        return hull(line.box for line in self.lines)

    @property
    def words(self) -> str:
        return " ".join(line.text for line in self.lines)


def page_blocks(runs: Sequence[Run], regions: Sequence[Region]) -> list[PdfBlock]:
    """The page's blocks in reading order, running headers and footers included."""
    shares, left = _shares(runs, regions)
    placed = [
        (region, block)
        for region, share in zip(regions, shares, strict=True)
        for block in _blocks(region, share)
    ]
    for lines in _left_lines(left):
        found = PdfBlock(kind=BlockKind.PARAGRAPH, lines=tuple(lines))
        placed.insert(_place(found.box, placed), (Region(name="text", box=found.box), found))
    return _with_footnotes([block for _, block in placed])


def _with_footnotes(blocks: Sequence[PdfBlock]) -> list[PdfBlock]:
    """The blocks with those marked that the model took for text: small print with a mark, below the body."""
    sizes = Counter(round(line.size) for block in blocks for line in block.lines for _ in line.text)
    usual = sizes.most_common(1)[0][0] if sizes else 0
    lowest = max(
        (block.box[1] for block in blocks if block.lines[0].size > _SMALL_PRINT * usual), default=0.0
    )
    return [
        replace(block, is_footnote=True)
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
        and block.lines[0].size <= _SMALL_PRINT * usual
        and block.box[1] > lowest
        and _FOOTNOTE.match(block.lines[0].text)
        else block
        for block in blocks
    ]


def _shares(runs: Sequence[Run], regions: Sequence[Region]) -> tuple[list[list[Run]], list[Run]]:
    """The runs of each region, and those that no region takes. A smaller region takes before a larger."""
    order = sorted(range(len(regions)), key=lambda number: _area(regions[number].box))
    shares: list[list[Run]] = [[] for _ in regions]
    left: list[Run] = []
    for run in runs:
        holder = next((number for number in order if _holds(regions[number].box, run.centre)), None)
        (left if holder is None else shares[holder]).append(run)
    return shares, left


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _holds(box: Box, point: tuple[float, float]) -> bool:
    return box[0] - 2 <= point[0] <= box[2] + 2 and box[1] - 2 <= point[1] <= box[3] + 2


def _blocks(region: Region, runs: Sequence[Run]) -> list[PdfBlock]:
    if not runs:
        return []
    if region.name == "table":
        table = table_of(runs, region)
        if table is not None:
            return [PdfBlock(kind=BlockKind.TABLE, lines=table.lines, table=table)]
    lines = tuple(printed_lines(runs))
    if not lines:
        return []
    kind = _kind(region, lines)
    if kind is BlockKind.CODE:
        return [PdfBlock(kind=kind, lines=tuple(_indented(lines)))]
    if (kind is BlockKind.HEADING and not _may_be_heading(lines)) or (
        kind is BlockKind.IMAGE and _is_running_text(lines)
    ):
        kind = BlockKind.PARAGRAPH
    is_footnote = region.name == "footnote"
    if kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
        return [PdfBlock(kind=kind, lines=lines)]
    parts = list(_paragraphs(lines))
    return [
        PdfBlock(
            kind=BlockKind.LIST_ITEM if len(parts) > 1 and LIST_ITEM.match(part[0].text) else kind,
            lines=part,
            is_footnote=is_footnote,
        )
        for part in parts
    ]


def _kind(region: Region, lines: Sequence[PdfLine]) -> BlockKind:
    kind = _KINDS.get(region.name, BlockKind.PARAGRAPH)
    if _CAPTION.match(lines[0].text) and kind is BlockKind.HEADING:
        return BlockKind.CAPTION
    if kind is BlockKind.PARAGRAPH and len(lines) > 1 and all(line.mono for line in lines):
        return BlockKind.CODE
    return kind


def _indented(lines: Sequence[PdfLine]) -> Iterator[PdfLine]:
    """Lines of code with the blanks that their place on the page stands for."""
    left = min(line.box[0] for line in lines)
    for line in lines:
        width = (line.box[2] - line.box[0]) / max(len(line.text), 1)
        yield replace(line, text=" " * round((line.box[0] - left) / max(width, 1.0)) + line.text)


def _paragraphs(lines: Sequence[PdfLine]) -> Iterator[tuple[PdfLine, ...]]:
    """The lines, with each tick line of a form ("□适用 √不适用") and list item as a part of its own."""
    listed = LIST_ITEM.match(lines[0].text) and sum(bool(LIST_ITEM.match(line.text)) for line in lines) > 1
    part: list[PdfLine] = []
    for line in lines:
        opens = _is_tick_line(line) or (listed and LIST_ITEM.match(line.text))
        if part and (opens or _is_tick_line(part[-1])):
            yield tuple(part)
            part = []
        part.append(line)
    yield tuple(part)


def _is_tick_line(line: PdfLine) -> bool:
    return len(line.text) <= _LONGEST_TICK_LINE and bool(_TICK_LINE.search(line.text))


def _may_be_heading(lines: Sequence[PdfLine]) -> bool:
    words = " ".join(line.text for line in lines)
    return (
        len(words) <= _LONGEST_HEADING
        and not _TICK_LINE.search(words)
        and not _SENTENCE.search(words)
        and any(char.isalpha() for char in words)
    )


def _is_running_text(lines: Sequence[PdfLine]) -> bool:
    """Whether a region taken for a picture holds sentences rather than labels."""
    return sum(len(line.text) for line in lines) >= 30 * len(lines)


def _left_lines(runs: Sequence[Run]) -> list[list[PdfLine]]:
    """What the regions left over, as lines of one block of the layer each."""
    return [
        lines
        for _, group in groupby(sorted(runs, key=lambda run: run.block), key=lambda run: run.block)
        if (lines := printed_lines(list(group)))
    ]


def _place(box: Box, placed: Sequence[tuple[Region, PdfBlock]]) -> int:
    """Where a block that the layout overlooked goes: behind the last one above it in its column."""
    above = [
        number
        for number, (region, _) in enumerate(placed)
        if region.box[3] <= box[3] and min(region.box[2], box[2]) > max(region.box[0], box[0])
    ]
    if above:
        return max(above, key=lambda number: placed[number][0].box[3]) + 1
    below = [number for number, (region, _) in enumerate(placed) if region.box[1] >= box[1]]
    return min(below, default=len(placed))
