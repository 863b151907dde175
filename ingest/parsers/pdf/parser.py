"""PDF: text layer and layout page by page, assembled into one text with headings, tables, pages and boxes."""

from __future__ import annotations

from core.document import Document
from core.errors import NoTextError
from core.language import language_of
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.outline import with_section_paths
from ingest.parsers.pdf.file import bookmarks, embedded_files, embedded_names, opened, title_of, written_title
from ingest.parsers.pdf.furniture import without_furniture
from ingest.parsers.pdf.headings import with_levels
from ingest.parsers.pdf.layer import Dropped
from ingest.parsers.pdf.notices import notices, page_ranges
from ingest.parsers.pdf.reader import PdfReader
from ingest.parsers.pdf.text import PdfText

__all__ = ["PdfParser", "embedded_files"]


class PdfParser:
    """Reads ``.pdf``. What is left out or doubtful is named in the notices; scans are read by OCR."""

    version = "pdf-2"
    media_type = "application/pdf"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``PasswordNeededError``, ``WrongPasswordError``, ``DamagedDocumentError``,
        ``TooManyPagesError`` and ``NoTextError`` (a scan that could not be read).
        """
        return self.read(data, name, reading)[0]

    def read(
        self, data: bytes, name: str, reading: Reading = DEFAULT_READING
    ) -> tuple[Document, tuple[tuple[int, Dropped], ...]]:
        """The document, and what of the text layer is not in it: page (1-based), characters and reason."""
        with opened(data, name, reading) as pdf:
            repaired, page_count = bool(pdf.is_repaired), pdf.page_count
            written, marks, inside = written_title(pdf), bookmarks(pdf), embedded_names(pdf)
            reader = PdfReader(pdf, reading)
            raw_pages = list(reader.pages())
        pages, furniture = without_furniture(raw_pages)
        assembled = PdfText()
        for page in with_levels(pages, marks):
            assembled.add_page(page.number, page.blocks)
        assembled.finish()
        text = assembled.text()
        if not text.strip():
            raise NoTextError(name=name, pages=page_ranges(reader.findings.empty_pages) or "-")
        document = Document(
            text=text,
            title=title_of(written, assembled.first_heading(), name),
            language=language_of(text),
            media_type=self.media_type,
            blocks=with_section_paths(assembled.blocks(), text),
            lines=assembled.lines(),
            page_count=page_count,
            notices=notices(reader.findings, furniture, assembled.repeated, text, repaired, inside),
        )
        repeated = [
            (page, Dropped(text=words, reason="repeated_table_header")) for page, words in assembled.repeated
        ]
        return document, (*reader.findings.dropped, *furniture.dropped, *repeated)
