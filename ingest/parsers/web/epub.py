"""E-books (EPUB 2 and 3): the chapters in reading order, each read as a page."""

from __future__ import annotations

from typing import Final

from core.document import BlockKind, Document
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.web.epub_package import Book, Chapter, Label, read_book, read_part
from ingest.parsers.web.inline import line_of
from ingest.parsers.web.page import LeftOut, add_page
from ingest.parsers.web.tree import Element
from ingest.parsers.zipped import checked_zip, opened_zip

_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
# A cover has a line or two; a page of contents is links, at least by this share of its characters.
_COVER_CHARS: Final = 200
_CONTENTS_SHARE: Final = 0.6
_TITLE_PAGES: Final = 3
_LONGEST_TITLE: Final = 120


class EpubParser:
    """Reads ``.epub``. The cover and the page of contents only repeat what is elsewhere and are left out."""

    version = "epub-1"
    media_type = "application/epub+zip"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document; ``reading.on_page`` counts chapters.

        Raises ``DamagedDocumentError``, ``ProtectedDocumentError``, ``EmptyDocumentError`` and whatever else
        ``checked_zip`` raises.
        """
        checked_zip(data, name, reading.settings)
        builder = DocumentBuilder()
        with opened_zip(data, name, reading.settings) as packed:
            book = read_book(packed, name)
            pages = [(chapter, read_part(packed, chapter.path, name)) for chapter in book.chapters]
        missing = sum(1 for _, page in pages if page is None)
        read = [(chapter, page) for chapter, page in pages if page is not None]
        _add_creators(builder, book, [page for _, page in read[:_TITLE_PAGES]])
        left_out = LeftOut()
        for number, (chapter, root) in enumerate(read, start=1):
            left_out += _add_chapter(builder, chapter, root)
            reading.on_page(number, len(read))
        left_out.tell(builder)
        if missing:
            builder.notice("chapters_missing", count=missing)
        return builder.document(name=name, media_type=self.media_type, title=book.title)


def _add_creators(builder: DocumentBuilder, book: Book, title_pages: list[Element]) -> None:
    """Says who wrote the book where no title page does."""
    said = "".join("".join(page.text().split()) for page in title_pages).casefold()
    unsaid = [creator for creator in book.creators if "".join(creator.split()).casefold() not in said]
    if unsaid and title_pages:
        builder.add(BlockKind.PARAGRAPH, ", ".join(unsaid))


def _add_chapter(builder: DocumentBuilder, chapter: Chapter, page: Element) -> LeftOut:
    body = next(page.all("body"), page)
    if chapter.role == "cover" and body.size() <= _COVER_CHARS:
        return LeftOut()
    if chapter.role == "toc" and _listed_size(body) >= _CONTENTS_SHARE * body.size():
        return LeftOut()
    _name_places(body, chapter)
    return add_page(builder, page)


def _listed_size(body: Element) -> int:
    """Characters of the lists that lead elsewhere."""
    navigation = sum(nav.size() for nav in body.all("nav"))
    return navigation or sum(link.size() for link in body.all("a") if link.get("href"))


def _name_places(body: Element, chapter: Chapter) -> None:
    """Makes headings of the lines that the table of contents names, where the chapter has none for them."""
    headings = {_folded(line_of(heading)) for heading in body.all(*_HEADINGS)}
    lines: dict[str, Element] = {}
    for block in body.all("p", "div"):
        if block.size() <= _LONGEST_TITLE and not block.has("p", "div", "table", "ul", "ol"):
            lines.setdefault(_folded(line_of(block)), block)
    for label in chapter.labels:
        folded = _folded(label.title)
        if any(_say_the_same(folded, heading) for heading in headings):
            continue
        line = lines.get(folded)
        if line is not None:
            line.tag = _heading_tag(label)
            headings.add(folded)
    first = next(iter(chapter.labels), None)
    if first is not None and not headings and body.size():
        body.children.insert(0, Element(_heading_tag(first), {}, [first.title]))


def _say_the_same(label: str, heading: str) -> bool:
    """Whether one holds the other, as "Chapter I" and "Chapter I The Sun" do."""
    shorter, longer = sorted((label, heading), key=len)
    return label == heading or (len(shorter) > 1 and longer.startswith(shorter))


def _heading_tag(label: Label) -> str:
    return f"h{min(label.depth, 6)}"


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()
