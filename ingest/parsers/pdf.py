"""PDF with a text layer: PyMuPDF's layout analysis, assembled into one text with pages and boxes."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

import pymupdf

from core.document import Document, Notice
from core.errors import DamagedDocumentError, NoTextError, PasswordNeededError
from core.language import language_of
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.outline import with_section_paths
from ingest.parsers.pdf_furniture import without_furniture
from ingest.parsers.pdf_page import page_blocks
from ingest.parsers.pdf_text import PdfText


class PdfParser:
    """Reads ``.pdf``; running headers and footers are left out, pages without text are reported."""

    version = "pdf-1"
    media_type = "application/pdf"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``PasswordNeededError``, ``DamagedDocumentError`` and ``NoTextError`` (a scan).
        """
        with _opened(data, name) as pdf:
            page_count = pdf.page_count
            repaired = bool(pdf.is_repaired)
            metadata_title = (pdf.metadata or {}).get("title") or ""
            pages = _layout(pdf)
        assembled, empty_pages = PdfText(), []
        contents = without_furniture([page_blocks(page) for page in pages])
        for page, blocks in zip(pages, contents, strict=True):
            if not blocks:
                empty_pages.append(int(page["page_number"]))
            assembled.add_page(int(page["page_number"]), blocks)
        text = assembled.text()
        if not text.strip():
            raise NoTextError(name=name, pages=_ranges(empty_pages) or "-")
        blocks_with_paths = with_section_paths(assembled.blocks(), text)
        return Document(
            text=text,
            title=_title(metadata_title, assembled.first_heading(), name),
            language=language_of(text),
            media_type=self.media_type,
            blocks=blocks_with_paths,
            lines=assembled.lines(),
            page_count=page_count,
            notices=_notices(repaired, empty_pages),
        )


def _opened(data: bytes, name: str) -> pymupdf.Document:
    try:
        pdf = pymupdf.open(stream=data, filetype="pdf")
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError, ValueError) as exc:
        raise DamagedDocumentError(name=name) from exc
    if pdf.needs_pass:
        pdf.close()
        raise PasswordNeededError(name=name)
    if pdf.page_count == 0:
        pdf.close()
        raise DamagedDocumentError(name=name)
    return pdf


def _layout(pdf: pymupdf.Document) -> list[dict[str, Any]]:
    # Imported here: it loads the layout model, which only PDFs need.
    import pymupdf4llm

    pymupdf4llm.use_layout(True)
    pages: list[dict[str, Any]] = json.loads(pymupdf4llm.to_json(pdf, use_ocr=False))["pages"]
    return pages


def _title(metadata_title: str, first_heading: str, name: str) -> str:
    """The metadata's title when a person wrote it, else the first heading, else the file's name."""
    cleaned = " ".join(metadata_title.split())
    looks_like_file = cleaned.lower().endswith((".doc", ".docx", ".pdf", ".tmp", ".indd", ".qxd")) or (
        cleaned.lower().startswith(("microsoft word", "untitled"))
    )
    if len(cleaned) > 2 and not looks_like_file:
        return cleaned
    return first_heading or PurePath(name).stem


def _notices(repaired: bool, empty_pages: list[int]) -> tuple[Notice, ...]:
    notices: list[Notice] = []
    if repaired:
        notices.append(Notice(code="repaired"))
    if empty_pages:
        notices.append(Notice(code="pages_without_text", details=(("pages", _ranges(empty_pages)),)))
    return tuple(notices)


def _ranges(pages: list[int]) -> str:
    """``[2, 3, 4, 9]`` as "2-4, 9"."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
