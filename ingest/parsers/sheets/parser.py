"""Spreadsheets (.xlsx): each sheet a section, each table on it one block, cells as the sheet shows them.

What a reader of the sheet does not see: rows and columns that are hidden stay in the text, with a notice,
because a filter hides them and they belong to a table that is shown. Sheets that are hidden are left out, with
a notice that names them: they hold what feeds a drop-down list or a former version, and evidence from there
would open at a place the reader cannot find.
"""

from __future__ import annotations

import zipfile
import zlib
from pathlib import PurePath
from typing import Final
from xml.etree import ElementTree

from core.document import BlockKind, Document
from core.errors import DamagedDocumentError
from core.language import language_of
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.grid.blocks import add_matrix
from ingest.parsers.grid.regions import matrix_of, regions
from ingest.parsers.office.container import refuse_encrypted
from ingest.parsers.office.pictures import PictureReader
from ingest.parsers.sheets.cells import Sheet, read_sheet
from ingest.parsers.sheets.notes import comments_of, drawings_of
from ingest.parsers.sheets.workbook import Workbook
from ingest.parsers.zipped import checked_zip

# Cells of one workbook; what is beyond it is cut, with a notice. A million cells are some 20,000 chunks.
MAX_CELLS: Final = 1_000_000
_BROKEN = (
    ElementTree.ParseError, KeyError, ValueError, IndexError, EOFError,
    zipfile.BadZipFile, zlib.error, NotImplementedError,
)  # fmt: skip
# An encrypted workbook is a compound file with a stream of this name.


class XlsxParser:
    """Reads ``.xlsx`` and ``.xlsm``."""

    version = "xlsx-1"
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``PasswordNeededError``, ``DamagedDocumentError``, ``EmptyDocumentError`` and what
        ``checked_zip`` raises.
        """
        refuse_encrypted(data, name)
        checked_zip(data, name, reading.settings)
        builder = DocumentBuilder()
        try:
            workbook = Workbook(data)
            title = workbook.title
            _add_sheets(builder, workbook, reading)
        except _BROKEN as exc:
            raise DamagedDocumentError(name=name) from exc
        return builder.document(
            name=name, media_type=self.media_type, title=title.strip() or PurePath(name).stem
        )


def _add_sheets(builder: DocumentBuilder, workbook: Workbook, reading: Reading) -> None:
    pictures = PictureReader(reading.settings)
    left, unvalued = MAX_CELLS, 0
    cut: list[str] = []
    with_hidden: list[str] = []
    for number, place in enumerate(workbook.sheets, start=1):
        if not place.hidden and workbook.has(place.part):
            sheet = read_sheet(workbook, place.part, left)
            left -= len(sheet.cells)
            unvalued += sheet.unvalued
            cut += [place.name] if sheet.cut else []
            with_hidden += [place.name] if sheet.hidden else []
            _add_sheet(builder, workbook, place.name, place.part, sheet, pictures)
        reading.on_page(number, len(workbook.sheets))
    hidden = [place.name for place in workbook.sheets if place.hidden]
    if hidden:
        builder.notice("sheets_hidden", sheets=", ".join(hidden))
    if with_hidden:
        builder.notice("sheet_rows_hidden", sheets=", ".join(with_hidden))
    if unvalued:
        builder.notice("formulas_without_values", count=unvalued)
    if cut:
        builder.notice("cells_cut", sheets=", ".join(cut), limit=MAX_CELLS)
    pictures.report(builder)


def _add_sheet(
    builder: DocumentBuilder, workbook: Workbook, name: str, part: str, sheet: Sheet, pictures: PictureReader
) -> None:
    """The sheet's name as a heading, its tables and lines, then what is drawn on it and said about it."""
    drawings = drawings_of(workbook, part)
    comments = comments_of(workbook, part)
    read = [text for picture in drawings.pictures if (text := pictures.text(workbook.read(picture), name))]
    if not (sheet.cells or drawings.texts or comments or read):
        return
    builder.heading(name, 1)
    for area in regions(sheet.cells, sheet.merges):
        add_matrix(builder, matrix_of(sheet.cells, sheet.merges, area))
    for text in drawings.texts:
        builder.add(BlockKind.PARAGRAPH, text)
    for text in read:
        builder.add(BlockKind.IMAGE, text)
    shown = " ".join(cell.text for cell in sheet.cells.values() if cell)[:20_000]
    for comment in comments:
        mark = "批注" if language_of(shown + comment.text) == "zh" else "Comment"
        builder.add(BlockKind.PARAGRAPH, f"{mark} {comment.place}: {comment.text}")
