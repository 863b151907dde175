"""One page of PyMuPDF's layout JSON as blocks of lines; the vendor's format ends in this file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from core.document import BODY_LEVEL, BlockKind
from ingest.parsers.outline import chinese_heading_level

Box = tuple[float, float, float, float]

_KINDS = {
    "title": BlockKind.HEADING,
    "section-header": BlockKind.HEADING,
    "list-item": BlockKind.LIST_ITEM,
    "table": BlockKind.TABLE,
    "caption": BlockKind.CAPTION,
    "code": BlockKind.CODE,
    "page-header": BlockKind.PAGE_FURNITURE,
    "page-footer": BlockKind.PAGE_FURNITURE,
}
# Tick lines of forms ("□是 √否") look like headings to the layout model.
_TICK_LINE = re.compile(r"[□☐☑✓√■]")
_NUMBERED = re.compile(r"第[0-9〇零一二三四五六七八九十百千]+[编章节条]$")
_HAN_GAP = re.compile(r"(?<=[\u3400-\u9fff，。；：、！？）》”])[ ](?=[\u3400-\u9fff（《“])")


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLine:
    """One printed line, or one row of a table; the box is in points from the page's top left."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfBlock:
    """Lines that belong together."""

    kind: BlockKind
    level: int
    lines: tuple[PdfLine, ...]


def page_blocks(page: dict[str, Any]) -> list[PdfBlock]:
    """The page's blocks in reading order, running headers and footers included; empty boxes are not."""
    blocks: list[PdfBlock] = []
    for box in page["boxes"]:
        kind = _KINDS.get(box["boxclass"], BlockKind.PARAGRAPH)
        lines = _table_rows(box["table"]) if box.get("table") else _text_lines(box)
        if not lines:
            continue
        first = lines[0].text
        level = BODY_LEVEL
        if kind is BlockKind.HEADING:
            if _TICK_LINE.search(first):
                kind = BlockKind.PARAGRAPH
            else:
                level = chinese_heading_level(first) or min(max(int(box["header_level"] or 1), 1), 6)
        elif len(lines) == 1 and kind is BlockKind.PARAGRAPH:
            chinese = chinese_heading_level(first)
            kind, level = (BlockKind.HEADING, chinese) if chinese else (kind, level)
        blocks.append(PdfBlock(kind=kind, level=level, lines=tuple(lines)))
    return blocks


def _text_lines(box: dict[str, Any]) -> list[PdfLine]:
    lines: list[PdfLine] = []
    for line in box.get("textlines") or ():
        text = clean_line(_joined_spans(line["spans"]))
        if text:
            x0, y0, x1, y1 = line["bbox"]
            lines.append(PdfLine(text=text, box=(x0, y0, x1, y1)))
    return lines


def _joined_spans(spans: list[dict[str, Any]]) -> str:
    """The spans of a line, with a space where the page shows a gap wider than a tenth of the letters."""
    text, right = "", 0.0
    for span in spans:
        gap = span["bbox"][0] - right
        if text and gap > 0.1 * span["size"] and not text[-1].isspace() and not span["text"][:1].isspace():
            text += " "
        text += span["text"]
        right = span["bbox"][2]
    return text


def _table_rows(table: dict[str, Any]) -> list[PdfLine]:
    """The table as Markdown, one line a row; the line under the header shares the header's box."""
    rows = [[_cell(value) for value in row] for row in table["extract"]]
    if not any(any(row) for row in rows):
        return []
    width = max(len(row) for row in rows)
    lines: list[PdfLine] = []
    for row, boxes in zip(rows, table["cells"], strict=False):
        text = "| " + " | ".join(row + [""] * (width - len(row))) + " |"
        lines.append(PdfLine(text=text, box=_hull([box for box in boxes if box], table["bbox"])))
        if len(lines) == 1:
            lines.append(PdfLine(text="|" + " --- |" * width, box=lines[0].box))
    return lines


def _cell(value: str | None) -> str:
    parts = [part.strip() for part in (value or "").splitlines()]
    return clean_line(join_lines([part for part in parts if part])).replace("|", "\\|")


def _hull(boxes: list[list[float]], fallback: list[float]) -> Box:
    boxes = boxes or [fallback]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def clean_line(text: str) -> str:
    """The line without control characters, runs of blanks and lone blanks between Chinese characters."""
    visible = "".join(char if char >= " " else " " for char in text)
    return " ".join(_HAN_GAP.sub(_closed_gap, visible).split())


def _closed_gap(gap: re.Match[str]) -> str:
    """Nothing, but the space stays that parts the number of an article or chapter from its words."""
    return " " if _NUMBERED.search(gap.string[max(gap.start() - 12, 0) : gap.start()]) else ""


def join_lines(lines: list[str]) -> str:
    """Lines of one paragraph as one line: no space inside Chinese, hyphenated words mended."""
    joined = ""
    for line in lines:
        joined, separator = mended(joined, line)
        joined += separator + line
    return joined


def mended(before: str, after: str) -> tuple[str, str]:
    """``before`` without a hyphen that only broke a word at the line's end, and what goes between."""
    if not before or not after:
        return before, ""
    if before.endswith(("-", "\u00ad", "\u2010")) and len(before) > 1:
        word = before.split()[-1][:-1]
        if word.isalpha() and after[0].islower():
            return before[:-1], ""
        return before, ""
    wide = before[-1] >= "\u2e80" or after[0] >= "\u2e80"
    return before, "" if wide or before[-1].isspace() else " "
