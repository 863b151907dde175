"""Goes through a Word document in order and builds blocks: headings, lists, tables, boxes, pictures, notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from core.document import BlockKind
from core.settings import ParsingSettings
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.docx.drawing import Attached, Box, Drawn, Figure, Note, Picture
from ingest.parsers.docx.headings import HeadingGuess, is_caption, is_heading_sized
from ingest.parsers.docx.numbering import BULLET, Mark, Numbering
from ingest.parsers.docx.package import WordPackage
from ingest.parsers.docx.pictures import Pictures
from ingest.parsers.docx.seen import Ground, cell_ground
from ingest.parsers.docx.styles import Look, ParagraphStyle, Role, Styles, outline_level
from ingest.parsers.docx.tables import Row, Shown, form_rows, matrix_of, rows_of
from ingest.parsers.docx.text import Tally, WordReader, Words, length_of
from ingest.parsers.docx.xml import W, find, flattened, number, value
from ingest.parsers.grid.blocks import add_matrix
from ingest.parsers.office.graphics import chart_of, diagram_of
from ingest.parsers.outline import ARTICLE_START

_INDENT: Final = "  "
_ELSEWHERE: Final = frozenset((W + "altChunk", W + "subDoc"))


@dataclass(slots=True)
class _Paragraph:
    """One paragraph as it is printed, the mark of its list before its words."""

    words: Words
    style: ParagraphStyle
    mark: Mark | None
    level: int | None

    @property
    def text(self) -> str:
        return (self.mark.text if self.mark else "") + self.words.text if self.words.text else ""


@dataclass(frozen=True, slots=True)
class _Inner:
    """A table inside a cell; its mark stands in the cell and above the table."""

    mark: str
    table: Element
    ground: Ground


class Flow:
    """``story`` adds the blocks of a body, cell or box to ``builder``; counts tell what was left out."""

    def __init__(self, package: WordPackage, builder: DocumentBuilder, settings: ParsingSettings) -> None:
        self._package = package
        self._builder = builder
        self._settings = settings
        self._styles = Styles(package.styles)
        self._numbering = Numbering(package.numbering, self._styles)
        self._reader = WordReader(self._styles)
        self._guess = HeadingGuess()
        self._carried: Words | None = None
        self._code: list[str] = []
        self._nested = 0
        self.pictures = Pictures(package.files, settings)
        self.title = ""
        self.objects = 0
        self.flattened = 0
        marks = [value(mark, "", "fldCharType") for mark in package.document.iter(W + "fldChar")]
        self._fields_pair = marks.count("begin") == marks.count("end")

    @property
    def tally(self) -> Tally:
        return self._reader.tally

    def story(self, container: Element, ground: Ground, depth: int = 0) -> None:
        """Add what stands in ``container``, in its order."""
        for child in flattened(container):
            if child.tag == W + "p":
                self._paragraph(self._read(child, ground), depth)
            elif child.tag == W + "tbl":
                self._end_paragraphs(depth)
                self._table(child, ground, depth)
            elif child.tag in _ELSEWHERE:
                self.objects += 1
        self._end_paragraphs(depth)

    def _end_paragraphs(self, depth: int) -> None:
        """Add what waits for a next paragraph: here comes none."""
        if self._carried is not None:
            words = self._joined(Words())
            self._paragraph(_Paragraph(words, self._styles.paragraph(None), None, None), depth)
        self._flush_code()

    def _read(self, paragraph: Element, ground: Ground) -> _Paragraph:
        ppr = paragraph.find(W + "pPr")
        style_id = value(ppr, "pStyle")
        style = self._styles.paragraph(style_id)
        ground = ground.painted(style.fill).painted(value(ppr, "shd", "fill"))
        # Without its mark a paragraph runs on into the next one.
        runs_on = find(ppr, "rPr/del") is not None or find(ppr, "rPr/moveFrom") is not None
        verbatim = runs_on or style.role is Role.CODE
        words = self._reader.read(paragraph, style.look, ground, verbatim=verbatim)
        if not self._fields_pair:
            self._reader.close_fields()
        if runs_on:
            self._carried = self._joined(words)
            return _Paragraph(Words(), style, None, None)
        unmarked = Look.of(find(ppr, "rPr")).over(style.look).hidden and not words.text
        mark = None if unmarked else self._mark(ppr, style, style_id)
        outline = outline_level(ppr)
        return _Paragraph(
            self._joined(words), style, mark, style.level if outline is None else outline or None
        )

    def _joined(self, words: Words) -> Words:
        before, self._carried = self._carried, None
        if before is None:
            return words
        return Words(
            (before.text + words.text).strip(), before.bold and words.bold, before.attached + words.attached
        )

    def _mark(self, ppr: Element | None, style: ParagraphStyle, style_id: str | None) -> Mark | None:
        own, level = value(ppr, "numPr/numId"), number(ppr, "numPr/ilvl")
        if own is None:
            return self._numbering.mark(style.num_id, style.list_level if level is None else level, style_id)
        return self._numbering.mark(own, level, style_id)

    def _paragraph(self, paragraph: _Paragraph, depth: int) -> None:
        text, role = paragraph.text, paragraph.style.role
        if role is Role.CODE:
            self._code.append(text)
        else:
            self._flush_code()
            if role is Role.CONTENTS:
                self.tally.contents += len(text)
            elif text:
                self._add(paragraph, text, may_guess=depth == 0)
        self._attach(paragraph.words.attached, depth)

    def _add(self, paragraph: _Paragraph, text: str, *, may_guess: bool) -> None:
        role, mark = paragraph.style.role, paragraph.mark
        if role is Role.TITLE:
            self.title = self.title or text
        level = self._heading_level(paragraph, text, may_guess=may_guess)
        if level is not None:
            self._builder.heading(_without_notes(text, paragraph.words), level)
        elif role is Role.CAPTION or (mark is None and is_caption(text)):
            self._builder.add(BlockKind.CAPTION, text)
        elif mark is not None and mark.text and not ARTICLE_START.match(text):
            pad = _INDENT * mark.level
            self._builder.add(BlockKind.LIST_ITEM, pad + text.replace("\n", "\n" + pad))
        else:
            self._builder.add(BlockKind.PARAGRAPH, text)

    def _heading_level(self, paragraph: _Paragraph, text: str, *, may_guess: bool) -> int | None:
        styled = 1 if paragraph.style.role is Role.TITLE else paragraph.level
        if styled is not None:
            return styled if is_heading_sized(text) else None
        is_body = paragraph.style.role is Role.BODY
        return self._guess.level(text, bold=paragraph.words.bold) if may_guess and is_body else None

    def _flush_code(self) -> None:
        """Lines of code that follow each other are one block."""
        self._builder.add(BlockKind.CODE, "\n".join(self._code))
        self._code.clear()

    def _table(self, table: Element, ground: Ground, depth: int) -> None:
        ground = ground.painted(value(table, "tblPr/shd", "fill"))
        shaded = self._styles.shaded_table(value(table, "tblPr/tblStyle"))
        rows = self._shown_rows(table)
        grounds = {
            cell.element: cell_ground(cell.element, ground, shaded_style=shaded)
            for row in rows
            for cell in row.cells
            if not cell.continued
        }
        if len(rows) == 1 or all(len(row.cells) == 1 for row in rows):
            # A frame around text, or columns of it: what stands inside keeps its own form.
            for cell, behind in grounds.items():
                self.story(cell, behind, depth + 1)
            return
        after: list[Attached | _Inner] = []
        words = {cell: self._cell(cell, behind, depth, after) for cell, behind in grounds.items()}
        form, matrix = form_rows(rows, words), matrix_of(rows, words)
        if form:
            self._builder.table(form, header=False)
        elif matrix.rows:
            add_matrix(self._builder, matrix)
        for one in after:
            if isinstance(one, _Inner):
                self._builder.add(BlockKind.CAPTION, one.mark)
                self._table(one.table, one.ground, depth + 1)
            else:
                self._attach([one], depth + 1)

    def _shown_rows(self, table: Element) -> list[Row]:
        rows = rows_of(table)
        self.tally.deleted += sum(length_of(row.element) for row in rows if row.removed)
        self.tally.hidden += sum(length_of(row.element) for row in rows if row.hidden and not row.removed)
        return [row for row in rows if row.cells and not row.removed and not row.hidden]

    def _cell(self, cell: Element, ground: Ground, depth: int, after: list[Attached | _Inner]) -> Shown:
        """The words of a cell; what cannot stand on its lines goes to ``after``."""
        lines: list[str] = []
        bold: list[bool] = []
        for child in flattened(cell):
            if child.tag == W + "p":
                paragraph = self._read(child, ground)
                after.extend(paragraph.words.attached)
                if paragraph.text:
                    lines.append(paragraph.text)
                    bold.append(paragraph.words.bold)
            elif child.tag == W + "tbl":
                lines.append(self._inner(child, ground, depth, after))
        waiting = self._joined(Words())
        lines.append(waiting.text)
        after.extend(waiting.attached)
        return Shown("\n".join(line for line in lines if line), bool(bold) and all(bold))

    def _inner(self, table: Element, ground: Ground, depth: int, after: list[Attached | _Inner]) -> str:
        """What stands in a cell for a table in it: a mark, or its words where tables are nested too deep."""
        if depth + 2 > self._settings.max_depth:
            self.flattened += 1
            cells = (cell for row in self._shown_rows(table) for cell in row.cells if not cell.continued)
            return " ".join(self._cell(cell.element, ground, depth, after).text for cell in cells)
        self._nested += 1
        inner = _Inner(f"[↓{self._nested}]", table, ground)
        after.append(inner)
        return inner.mark

    def _attach(self, attached: list[Attached], depth: int) -> None:
        for one in attached:
            if isinstance(one, Note):
                self._builder.add(BlockKind.PARAGRAPH, self._note(one))
            elif isinstance(one, Box):
                self.story(one.content, one.ground, depth + 1)
            elif isinstance(one, Picture):
                self._builder.add(BlockKind.IMAGE, self.pictures.words(one))
            elif isinstance(one, Drawn):
                self._builder.add(BlockKind.PARAGRAPH, one.text)
            elif isinstance(one, Figure):
                self._figure(one)
            else:
                self.objects += 1

    def _figure(self, figure: Figure) -> None:
        file = self._package.files.get(figure.file)
        try:
            if file is not None and figure.is_diagram:
                for level, text in diagram_of(file.data):
                    self._builder.add(BlockKind.LIST_ITEM, f"{_INDENT * level}{BULLET} {text}")
            elif file is not None:
                chart = chart_of(file.data)
                self._builder.add(BlockKind.CAPTION, chart.title)
                self._builder.table(chart.rows, header=len(chart.rows) > 1)
        except ParseError:
            self.objects += 1

    def _note(self, note: Note) -> str:
        root = self._package.notes.get(note.kind)
        notes = () if root is None else root
        found = next((one for one in notes if one.get(W + "id") == note.note_id), None)
        if found is None:
            return ""
        texts = [self._read(paragraph, Ground()).text for paragraph in found.iter(W + "p")]
        words = "\n".join(text for text in texts if text)
        return f"{note.mark}: {words}" if words else ""


def _without_notes(text: str, words: Words) -> str:
    """A heading's words alone: its notes follow it with their marks."""
    for one in words.attached:
        if isinstance(one, Note):
            text = text.replace(one.mark, "")
    return text
