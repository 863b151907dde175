"""Opening a PDF: passwords, damage, too many pages; its title, bookmarks and the files inside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import PurePath

import pymupdf

from core.errors import DamagedDocumentError, PasswordNeededError, TooManyPagesError, WrongPasswordError
from core.reading import Reading
from ingest.parsers.pdf.bookmarks import Bookmark

# Titles that a program wrote into the metadata, not a person.
_FILE_ENDINGS = (".doc", ".docx", ".pdf", ".tmp", ".indd", ".qxd", ".xls", ".xlsx", ".ppt", ".pptx", ".wps")
_PROGRAM_TITLES = (
    "microsoft word",
    "microsoft powerpoint",
    "untitled",
    "(anonymous)",
    "anonymous",
    "无标题",
    "powerpoint",
)


def opened(data: bytes, name: str, reading: Reading) -> pymupdf.Document:
    """The open PDF.

    Raises ``DamagedDocumentError``, ``PasswordNeededError``, ``WrongPasswordError`` and
    ``TooManyPagesError``.
    """
    try:
        pdf = pymupdf.open(stream=data, filetype="pdf")
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError, ValueError) as exc:
        raise DamagedDocumentError(name=name) from exc
    try:
        if pdf.needs_pass and not reading.password:
            raise PasswordNeededError(name=name)
        if pdf.needs_pass and not pdf.authenticate(reading.password):
            raise WrongPasswordError(name=name)
        if pdf.page_count == 0:
            raise DamagedDocumentError(name=name)
        if pdf.page_count > reading.settings.max_pages:
            raise TooManyPagesError(name=name, pages=pdf.page_count, limit=reading.settings.max_pages)
    except BaseException:
        pdf.close()
        raise
    return pdf


def written_title(pdf: pymupdf.Document) -> str:
    """The metadata's title when a person wrote it, else nothing."""
    title = " ".join(((pdf.metadata or {}).get("title") or "").split())
    lowered = title.lower()
    by_program = lowered.endswith(_FILE_ENDINGS) or lowered.startswith(_PROGRAM_TITLES)
    return title if len(title) > 2 and not by_program and "\ufffd" not in title else ""


def title_of(written: str, first_heading: str, name: str) -> str:
    """The written title, else the first heading, else the file's name."""
    return written or first_heading or PurePath(name).stem


def bookmarks(pdf: pymupdf.Document) -> list[Bookmark]:
    """The entries of the outline that lead to a page; none when the outline is broken."""
    try:
        entries = pdf.get_toc(simple=True)
    except (RuntimeError, ValueError, KeyError, IndexError):
        return []
    return [
        Bookmark(level=int(level), title=title, page=int(page)) for level, title, page in entries if page > 0
    ]


def embedded_files(data: bytes) -> list[tuple[str, bytes]]:
    """The files inside the PDF ``data`` with their names: those of the document and of its pages."""
    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        return [] if pdf.needs_pass else [(name, content()) for name, content in _embedded(pdf)]


def embedded_names(pdf: pymupdf.Document) -> list[str]:
    """The names of the files inside ``pdf``."""
    return [name for name, _ in _embedded(pdf)]


def _embedded(pdf: pymupdf.Document) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for number in range(pdf.embfile_count()):
        info = pdf.embfile_info(number)
        name = info.get("ufilename") or info.get("filename") or info.get("name") or "attachment"
        yield name, partial(pdf.embfile_get, number)
    for index in range(pdf.page_count):
        for note in pdf.load_page(index).annots() or ():
            if note.type[1] == "FileAttachment":
                yield note.file_info.get("filename") or "attachment", note.get_file
