"""Slides (.pptx): each slide a page and a section under its title, shapes in the order they are read.

Slides that are hidden in the show are kept, with a notice: they stand in the file for whoever opens it. A
slide without a title takes its largest short line at the top as one; failing that its number, so that its
words do not count to the slide before it.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from xml.etree.ElementTree import ParseError, fromstring

from core.document import BlockKind, Document
from core.errors import DamagedDocumentError, TooManyPagesError
from core.language import language_of
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import Box, DocumentBuilder
from ingest.parsers.grid.blocks import add_placed
from ingest.parsers.office.container import refuse_encrypted
from ingest.parsers.office.pictures import PictureReader
from ingest.parsers.sheets.workbook import local
from ingest.parsers.slides.order import Unit, in_reading_order, without_furniture
from ingest.parsers.slides.placeholders import Role
from ingest.parsers.slides.shapes import BROKEN, Piece, ShapeReader
from ingest.parsers.zipped import checked_zip

_POINT: Final = 12700
# Kinds of presentations that python-pptx has no class for.
_WITH_MACROS: Final = tuple(
    f"application/vnd.ms-powerpoint.{kind}.macroEnabled.main+xml" for kind in ("slideshow", "template")
)
_MAX_TITLE_WIDTH: Final = 60
_SHOWN_TEXTS: Final = 5
_NO_TITLE: Final = re.compile(
    r"(?:PowerPoint\s*)?(?:Presentation|演示文稿|簡報)\s*\d*|幻灯片\s*\d+|slide\s*\d+", re.I
)
_WORDS: Final = {
    "zh": {"notes": "备注：", "comment": "批注：", "slide": "第 {number} 张幻灯片"},
    "en": {"notes": "Notes: ", "comment": "Comment: ", "slide": "Slide {number}"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deck:
    slides: list[Any]
    size: tuple[float, float]
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slide:
    number: int
    units: list[Unit] = field(default_factory=list)
    notes: str = ""
    comments: tuple[str, ...] = ()
    hidden: bool = False
    is_opening: bool = False
    has_hidden_text: bool = False
    has_unread: bool = False


class PptxParser:
    """Reads ``.pptx``; hidden text, repeated footers and page numbers are left out and reported."""

    version = "pptx-1"
    media_type = "application/vnd.openxmlformats-officedocument.presentationml.presentation"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``PasswordNeededError``, ``DamagedDocumentError``, ``TooManyPagesError``,
        ``EmptyDocumentError`` and what ``checked_zip`` raises.
        """
        refuse_encrypted(data, name)
        checked_zip(data, name, reading.settings)
        deck = _opened(data, name)
        total = len(deck.slides)
        if total > reading.settings.max_pages:
            raise TooManyPagesError(name=name, pages=total, limit=reading.settings.max_pages)
        slides: list[_Slide] = []
        for number, slide in enumerate(deck.slides, start=1):
            try:
                slides.append(_read(slide, number, deck.size))
            except BROKEN:
                slides.append(_Slide(number=number, has_unread=True))
            reading.on_page(number, total)
        builder = DocumentBuilder()
        title = _Writer(builder, slides, deck.size, PictureReader(reading.settings)).write()
        return builder.document(
            name=name,
            media_type=self.media_type,
            title=title if not deck.title or _NO_TITLE.fullmatch(deck.title) else deck.title,
            page_count=total,
        )


def _opened(data: bytes, name: str) -> _Deck:
    # Not through pptx.Presentation: it takes neither shows nor templates.
    from pptx.opc.package import PartFactory
    from pptx.package import Package
    from pptx.parts.presentation import PresentationPart

    for kind in _WITH_MACROS:
        PartFactory.part_type_for.setdefault(kind, PresentationPart)
    # An attribute error is how python-pptx says that an element of the presentation itself is missing.
    broken = (*BROKEN, zipfile.BadZipFile, AttributeError, IndexError, TypeError)
    try:
        deck = Package.open(io.BytesIO(data)).main_document_part.presentation
        size = float(deck.slide_width or 0) / _POINT, float(deck.slide_height or 0) / _POINT
        title = " ".join((deck.core_properties.title or "").split())
        return _Deck(slides=list(deck.slides), size=size, title=title)
    except broken as exc:
        raise DamagedDocumentError(name=name) from exc


def _read(slide: Any, number: int, size: tuple[float, float]) -> _Slide:
    reader = ShapeReader(slide, size)
    units = reader.units()
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return _Slide(
        number=number,
        units=units,
        notes=_lines(notes.text) if notes is not None else "",
        comments=tuple(_comments(slide.part)),
        hidden=slide._element.get("show") in ("0", "false"),
        is_opening=number == 1 and slide.slide_layout._element.get("type") in ("title", "ctrTitle"),
        has_hidden_text=reader.hidden,
        has_unread=reader.unread,
    )


def _comments(part: Any) -> Iterator[str]:
    """What reviewers wrote beside the slide, in the old and in the new kind of part."""
    for relation in part.rels.values():
        if relation.is_external or not relation.reltype.endswith("/comments"):
            continue
        try:
            root = fromstring(relation.target_part.blob)
        except ParseError:
            continue
        for element in root.iter():
            if local(element) == "text" and (element.text or "").strip():
                yield _lines(element.text or "")
            elif local(element) == "txBody":
                yield _lines("".join(t.text or "" for t in element.iter() if local(t) == "t"))


def _lines(text: str) -> str:
    lines = re.split(r"[\n\v\r]+", text)
    return "\n".join(line.strip() for line in lines if line.strip())


class _Writer:
    """Puts the slides into the builder."""

    def __init__(
        self,
        builder: DocumentBuilder,
        slides: list[_Slide],
        size: tuple[float, float],
        pictures: PictureReader,
    ) -> None:
        self._builder, self._slides, self._pictures = builder, slides, pictures
        self._page: Box = (0.0, 0.0, *size)
        texts = [p.text for slide in slides for unit in slide.units for p in unit] + [s.notes for s in slides]
        self._words = _WORDS["zh" if language_of("\n".join(texts)) == "zh" else "en"]

    def write(self) -> str:
        """Adds all slides and notices. Returns the first title that a person wrote, or nothing."""
        contents, dropped = without_furniture([slide.units for slide in self._slides])
        has_opening = any(slide.is_opening for slide in self._slides)
        first_title = ""
        for slide, units in zip(self._slides, contents, strict=True):
            pieces = _titled(in_reading_order(units), self._page[3])
            level = 2 if has_opening and not slide.is_opening else 1
            title = " ".join(" ".join(p.text for p in pieces if p.role is Role.TITLE).split())
            has_more = bool(pieces or slide.notes or slide.comments)
            if not title and has_more and len(self._slides) > 1:
                self._heading(
                    self._words["slide"].format(number=slide.number), level, slide.number, self._page
                )
            first_title = first_title or title
            for piece in pieces:
                self._add(piece, level, slide.number)
            self._add_notes(slide)
        self._report(dropped)
        return first_title

    def _heading(self, text: str, level: int, page: int, box: Box) -> None:
        self._builder.heading(text, level, page=page, box=box)

    def _add(self, piece: Piece, level: int, page: int) -> None:
        box = piece.box
        if piece.role is Role.TITLE:
            self._heading(piece.text, level, page, box)
        elif piece.matrix is not None:
            add_placed(self._builder, piece.matrix, piece.row_boxes, page=page, header_rows=piece.header_rows)
        for line in piece.lines if piece.role is not Role.TITLE else ():
            kind = BlockKind.LIST_ITEM if line.is_item else BlockKind.PARAGRAPH
            self._builder.add(kind, line.text, page=page, box=box)
        self._builder.add(BlockKind.CAPTION, piece.alt_text, page=page, box=box)
        if piece.picture:
            words = self._pictures.text(piece.picture, self._words["slide"].format(number=page))
            self._builder.add(BlockKind.IMAGE, words, page=page, box=box)

    def _add_notes(self, slide: _Slide) -> None:
        marked = [(self._words["comment"], text) for text in slide.comments]
        for mark, text in [(self._words["notes"], slide.notes), *marked]:
            if text:
                self._builder.add(BlockKind.PARAGRAPH, mark + text, page=slide.number, box=self._page)

    def _report(self, dropped: list[str]) -> None:
        if dropped:
            shown = [" ".join(text.split()) for text in dropped[:_SHOWN_TEXTS]]
            self._builder.notice("slide_furniture", texts=" / ".join(shown))
        for code, numbers in (
            ("slides_hidden_kept", [s.number for s in self._slides if s.hidden]),
            ("slide_text_hidden", [s.number for s in self._slides if s.has_hidden_text]),
            ("parts_unread", [s.number for s in self._slides if s.has_unread]),
        ):
            if numbers:
                self._builder.notice(code, slides=", ".join(map(str, numbers)))
        self._pictures.report(self._builder)


def _titled(pieces: list[Piece], height: float) -> list[Piece]:
    """The pieces with a title in front: where no placeholder is one, the largest short line at the top."""
    texts = [piece for piece in pieces if piece.lines]
    if not texts or any(piece.role is Role.TITLE for piece in texts):
        return pieces
    sizes = [max(line.size for line in piece.lines) for piece in texts]
    largest = texts[sizes.index(max(sizes))]
    width = sum(1 + (char >= "\u2e80") for char in largest.text)
    is_title = (
        (len(texts) == 1 or sizes.count(max(sizes)) == 1)
        and len(largest.lines) == 1
        and not largest.lines[0].is_item
        and width <= _MAX_TITLE_WIDTH
        and largest.box[1] < height / 3
    )
    if not is_title:
        return pieces
    title = Piece(box=largest.box, role=Role.TITLE, lines=largest.lines)
    return [title, *(piece for piece in pieces if piece is not largest)]
