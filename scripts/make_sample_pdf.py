"""Build ``samples/仪器设备管理办法.pdf`` from its source text.

The source is plain text: a few ``key：value`` lines, a blank line, then one
paragraph per line. The kind of a paragraph (chapter, article, item, table row)
is read from how it begins. The pages are typeset here with PyMuPDF alone and
its built-in CJK font, so the result has an embedded font subset, a clean text
layer, and the same bytes on every run.

Usage: ``python scripts/make_sample_pdf.py [OUTPUT.pdf]``
"""

# PyMuPDF ships without annotations for most of its calls.
# mypy: untyped-calls-exclude="pymupdf"

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf

SOURCE = Path(__file__).with_name("仪器设备管理办法.txt")
OUTPUT = Path(__file__).parent.parent / "samples" / "仪器设备管理办法.pdf"

PAGE_WIDTH, PAGE_HEIGHT = 595.0, 842.0  # A4 in points
TEXT_WIDTH = 432.0  # 36 characters of body text
LEFT = (PAGE_WIDTH - TEXT_WIDTH) / 2
RIGHT = LEFT + TEXT_WIDTH
TOP, BOTTOM = 98.0, 764.0
HEADER_Y, FOOTER_Y = 58.0, 797.0
SMALL_SIZE = 9.0

ROW_HEIGHT = 23.0
COLUMN_WIDTHS = (144.0, 112.0, 92.0, 84.0)

FONT_NAME = "Body"
FONT = pymupdf.Font("cjk")

# Characters that may not begin a line, and those that may not end one.
NOT_FIRST = "，。；：、？！）》〕”’%"
NOT_LAST = "（《〔“‘"

TOKEN = re.compile(r"[0-9A-Za-z.,]+|.")
CHAPTER = re.compile(r"第[一二三四五六七八九十]+章")
ARTICLE = re.compile(r"第[一二三四五六七八九十]+条")
TABLE_CAPTION = re.compile(r"表\d+")


@dataclass(frozen=True)
class Style:
    """How one kind of paragraph is set; lengths are in points."""

    size: float = 12.0
    leading: float = 21.0
    bold: bool = False
    centred: bool = False
    first_indent: float = 24.0
    before: float = 0.0
    after: float = 0.0
    keep_lines: int = 1  # lines that must fit on the page, itself included


TITLE = Style(22.0, 34.0, bold=True, centred=True, first_indent=0.0, before=14.0)
NOTE = Style(10.5, 18.0, centred=True, first_indent=0.0, before=4.0, after=10.0)
HEADING = Style(15.0, 24.0, bold=True, centred=True, first_indent=0.0, before=14.0, after=6.0, keep_lines=3)
CAPTION = Style(10.5, 18.0, bold=True, centred=True, first_indent=0.0, before=8.0, after=4.0)
BODY = Style()
CELL = Style(size=10.5)


@dataclass(frozen=True)
class Source:
    """The parsed source text: its header fields and its paragraphs."""

    fields: dict[str, str]
    paragraphs: list[str]


@dataclass
class Layout:
    """Pages under construction: drawing operators, cursor and bookmarks."""

    pages: list[list[str]] = field(default_factory=lambda: [[]])
    bookmarks: list[tuple[str, int, float]] = field(default_factory=list)
    y: float = TOP

    def draw(self, operators: str) -> None:
        """Append operators to the current page."""
        self.pages[-1].append(operators)

    def need(self, height: float) -> None:
        """Start a new page unless ``height`` still fits on this one."""
        if self.y + height > BOTTOM:
            self.pages.append([])
            self.y = TOP

    def skip(self, height: float) -> None:
        """Leave vertical space, except at the top of a page."""
        if self.y > TOP:
            self.y += height


def parse(text: str) -> Source:
    """Split the source text into its header fields and its paragraphs."""
    head, _, body = text.partition("\n\n")
    fields = dict(line.split("：", 1) for line in head.splitlines())
    return Source(fields, [line.strip() for line in body.splitlines() if line.strip()])


def measure(text: str, size: float) -> float:
    """Return the natural width of ``text`` in points."""
    advances: list[float] = [FONT.glyph_advance(ord(char)) for char in text]
    return sum(advances) * size


def tokens(text: str) -> list[str]:
    """Split ``text`` into pieces that a line break must not cut."""
    pieces: list[str] = []
    for token in TOKEN.findall(text):
        if pieces and (token[0] in NOT_FIRST or pieces[-1][-1] in NOT_LAST):
            pieces[-1] += token
        else:
            pieces.append(token)
    return pieces


def wrap(text: str, style: Style) -> list[str]:
    """Break ``text`` into lines that fit the text width."""
    lines = [""]
    room = TEXT_WIDTH - style.first_indent
    for piece in tokens(text):
        if lines[-1] and measure(lines[-1] + piece, style.size) > room + 0.01:
            lines.append("")
            room = TEXT_WIDTH
        lines[-1] += piece
    return lines


def text_operators(
    x: float, y: float, text: str, size: float, *, bold: bool = False, spacing: float = 0.0
) -> str:
    """Return the operators that show ``text`` with its baseline at ``y`` from the top.

    Bold is made by stroking the outlines, as the built-in font has one weight.
    """
    glyphs = "".join(f"{FONT.has_glyph(ord(char)):04x}" for char in text)
    mode = f"2 Tr {size * 0.03:.2f} w" if bold else "0 Tr"
    return (
        f"BT /{FONT_NAME} {size:g} Tf {mode} {spacing:.4f} Tc "
        f"1 0 0 1 {x:.2f} {PAGE_HEIGHT - y:.2f} Tm <{glyphs}> Tj ET"
    )


def centred_operators(
    left: float, width: float, y: float, text: str, size: float, *, bold: bool = False
) -> str:
    """Return the operators that show ``text`` in the middle of a box."""
    x = left + (width - measure(text, size)) / 2
    return text_operators(x, y, text, size, bold=bold)


def line_operators(x1: float, y1: float, x2: float, y2: float, width: float = 0.6) -> str:
    """Return the operators that draw one straight line."""
    return f"{width:g} w {x1:.2f} {PAGE_HEIGHT - y1:.2f} m {x2:.2f} {PAGE_HEIGHT - y2:.2f} l S"


def set_line(layout: Layout, line: str, style: Style, *, first: bool, last: bool) -> None:
    """Set one line of a paragraph and move the cursor below it."""
    baseline = layout.y + (style.leading + style.size * 0.72) / 2
    if style.centred:
        layout.draw(centred_operators(LEFT, TEXT_WIDTH, baseline, line, style.size, bold=style.bold))
        layout.y += style.leading
        return
    indent = style.first_indent if first else 0.0
    slack = TEXT_WIDTH - indent - measure(line, style.size)
    spacing = 0.0 if last else slack / max(1, len(line) - 1)
    number = ARTICLE.match(line) if first else None
    lead = number.group() if number else ""
    x = LEFT + indent
    if lead:
        layout.draw(text_operators(x, baseline, lead, style.size, bold=True, spacing=spacing))
        x += measure(lead, style.size) + spacing * len(lead)
    rest = line[len(lead) :]
    layout.draw(text_operators(x, baseline, rest, style.size, spacing=spacing))
    layout.y += style.leading


def set_paragraph(layout: Layout, text: str, style: Style) -> None:
    """Set one paragraph, going on to further pages where it has to."""
    layout.skip(style.before)
    layout.need(style.leading * style.keep_lines)
    if style is HEADING:
        layout.bookmarks.append((text, len(layout.pages), layout.y))
    lines = wrap(text, style)
    for number, line in enumerate(lines):
        layout.need(style.leading)
        set_line(layout, line, style, first=number == 0, last=number == len(lines) - 1)
    layout.y += style.after


def set_table(layout: Layout, rows: list[list[str]]) -> None:
    """Set a ruled table; the caller has made sure that it fits on the page."""
    top, bottom = layout.y, layout.y + ROW_HEIGHT * len(rows)
    edges = [LEFT + sum(COLUMN_WIDTHS[:column]) for column in range(len(COLUMN_WIDTHS) + 1)]
    layout.draw(
        f"q 0.91 g {LEFT:.2f} {PAGE_HEIGHT - top - ROW_HEIGHT:.2f} "
        f"{edges[-1] - LEFT:.2f} {ROW_HEIGHT:.2f} re f Q"
    )
    for number in range(len(rows) + 1):
        y = top + ROW_HEIGHT * number
        layout.draw(line_operators(LEFT, y, edges[-1], y))
    for x in edges:
        layout.draw(line_operators(x, top, x, bottom))
    for number, row in enumerate(rows):
        baseline = top + ROW_HEIGHT * number + (ROW_HEIGHT + CELL.size * 0.72) / 2
        for left, width, cell in zip(edges, COLUMN_WIDTHS, row, strict=False):
            bold = number == 0
            layout.draw(centred_operators(left, width, baseline, cell, CELL.size, bold=bold))
    layout.y = bottom + 8.0


def table_rows(paragraphs: list[str], start: int) -> list[list[str]]:
    """Read the run of ``| a | b |`` lines that begins at ``start``."""
    rows: list[list[str]] = []
    for line in paragraphs[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def set_document(source: Source) -> Layout:
    """Typeset the whole source."""
    layout = Layout()
    set_paragraph(layout, source.fields["公司"] + source.fields["标题"], TITLE)
    set_paragraph(layout, source.fields["题注"], NOTE)
    for index, text in enumerate(source.paragraphs):
        if text.startswith("|"):
            continue  # set together with its caption
        if CHAPTER.match(text):
            set_paragraph(layout, text, HEADING)
        elif TABLE_CAPTION.match(text):
            rows = table_rows(source.paragraphs, index + 1)
            caption_height = CAPTION.before + CAPTION.leading + CAPTION.after
            layout.need(caption_height + ROW_HEIGHT * len(rows))
            set_paragraph(layout, text, CAPTION)
            set_table(layout, rows)
        else:
            set_paragraph(layout, text, BODY)
    return layout


def furniture(source: Source, number: int, total: int) -> tuple[str, str]:
    """Return the operators of the running header and of the footer of one page."""
    document_number = source.fields["文号"]
    right_x = RIGHT - measure(document_number, SMALL_SIZE)
    header = "\n".join(
        (
            text_operators(LEFT, HEADER_Y, source.fields["公司"], SMALL_SIZE),
            text_operators(right_x, HEADER_Y, document_number, SMALL_SIZE),
            line_operators(LEFT, HEADER_Y + 7, RIGHT, HEADER_Y + 7, 0.5),
        )
    )
    label = f"第 {number} 页　共 {total} 页"
    return header, centred_operators(LEFT, TEXT_WIDTH, FOOTER_Y, label, SMALL_SIZE)


def add_page(document: pymupdf.Document, operators: str) -> None:
    """Append one page with the given content."""
    page = document.new_page(width=PAGE_WIDTH, height=PAGE_HEIGHT)
    page.insert_font(fontname=FONT_NAME, fontbuffer=FONT.buffer)
    xref = document.get_new_xref()
    document.update_object(xref, "<<>>")
    document.update_stream(xref, operators.encode("ascii"), new=True)
    page.set_contents(xref)


def add_document_data(document: pymupdf.Document, source: Source, layout: Layout) -> None:
    """Write the metadata, the language and one bookmark per chapter."""
    stamp = f"D:{source.fields['日期'].replace('-', '')}090000+08'00'"
    document.set_metadata(
        {
            "title": source.fields["公司"] + source.fields["标题"],
            "author": source.fields["公司"],
            "subject": source.fields["文号"],
            "creator": Path(__file__).name,
            "creationDate": stamp,
            "modDate": stamp,
        }
    )
    document.xref_set_key(document.pdf_catalog(), "Lang", "(zh-CN)")
    document.set_toc(
        [
            [1, text, page, {"kind": pymupdf.LINK_GOTO, "to": pymupdf.Point(LEFT, y)}]
            for text, page, y in layout.bookmarks
        ]
    )


def build(source_path: Path, output_path: Path) -> int:
    """Build the PDF file and return its number of pages."""
    source = parse(source_path.read_text(encoding="utf-8"))
    layout = set_document(source)
    total = len(layout.pages)
    with pymupdf.open() as document:
        for number, body in enumerate(layout.pages, start=1):
            header, footer = furniture(source, number, total)
            add_page(document, "\n".join((header, *body, footer)))
        add_document_data(document, source, layout)
        document.subset_fonts()
        document.save(output_path, garbage=4, deflate=True, no_new_id=True, reproducible=True)
    return total


def main() -> None:
    """Build the sample PDF at its usual place or at the given path."""
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    pages = build(SOURCE, output)
    sys.stdout.write(f"{output.name}: {pages} pages, {output.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
