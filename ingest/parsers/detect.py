"""Which parser reads a file, by its content and its name together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from core.document import Notice
from core.errors import (
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    EncryptionUnsupportedError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongExtensionError,
)
from core.settings import ParsingSettings
from ingest.parsers.formats import (
    ARCHIVE,
    BINARY,
    FORMATS,
    NEVER,
    PACKED,
    is_available,
    known_formats,
    parser_by_name,
)
from ingest.parsers.zipped import opened_zip

# First bytes -> (parser, what people call it); no parser: never taken, but known by name.
_SIGNATURES: Final[tuple[tuple[bytes, str, str], ...]] = (
    (b"%PDF-", "pdf", "PDF"),
    (b"{\\rtf", "office", "RTF"),
    (b"\x89PNG\r\n", "image", "PNG"),
    (b"\xff\xd8\xff", "image", "JPEG"),
    (b"GIF8", "image", "GIF"),
    (b"II*\0", "image", "TIFF"),
    (b"MM\0*", "image", "TIFF"),
    (b"BM", "image", "BMP"),
    (b"7z\xbc\xaf\x27\x1c", "", "7z"),
    (b"Rar!\x1a\x07", "", "RAR"),
    (b"\x1f\x8b", "", "gzip"),
    (b"\xfd7zXZ", "", "xz"),
    (b"SQLite format 3", "", "SQLite"),
    (b"\x7fELF", "", "ELF"),
    (b"MZ", "", "EXE"),
)
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage"
# Names of streams that only one kind of OLE file has, the outermost first: mail holds any other as attachment.
_STREAMS: Final = (
    ("__properties_version1.0", "msg", "MSG"),
    (_ENCRYPTED_STREAM, "", ""),
    ("PowerPoint Document", "office", "PPT"),
    ("WordDocument", "office", "DOC"),
    ("Workbook", "office", "XLS"),
    ("Book", "office", "XLS"),
)
# What a zip holds -> whose it is.
_PARTS: Final = (
    ("xl/workbook.bin", "office", "XLSB"),
    ("word/", "docx", "DOCX"),
    ("ppt/", "pptx", "PPTX"),
    ("xl/", "xlsx", "XLSX"),
    ("visio/", "", "Visio"),
    ("meta-inf/container.xml", "epub", "EPUB"),
    ("meta-inf/manifest.xml", "office", "ODF"),
    ("index/document.iwa", "", "Apple iWork"),
)
_CONTROLS: Final = re.compile(rb"[\x00-\x07\x0e-\x1a\x1c-\x1f]")
_WIDE_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_HTML: Final = re.compile(
    rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.I | re.S
)
_HEADER: Final = re.compile(rb"^([A-Za-z][A-Za-z-]*):", re.MULTILINE)
_SAMPLE: Final = 1 << 16
KNOWN: Final = known_formats()


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """``parser`` is a registry name, or ``ARCHIVE`` for a zip of files; ``notices`` go into the document."""

    parser: str
    notices: tuple[Notice, ...] = ()

    @property
    def is_archive(self) -> bool:
        return self.parser == ARCHIVE


@dataclass(frozen=True, slots=True)
class _Content:
    parser: str
    label: str


_ENCRYPTED: Final = _Content("", "encrypted")
_BROKEN: Final = _Content("", "ZIP")


def route_of(name: str, data: bytes, password: str = "") -> Route:
    """How a file is to be read. Content that is plainly of another kind than the name says wins, with a notice.

    Raises ``EmptyDocumentError`` for no bytes, ``DamagedDocumentError`` for half a zip,
    ``PasswordNeededError`` or ``EncryptionUnsupportedError`` for an encrypted Office file,
    ``UnsupportedFormatError`` for a format without a parser, ``WrongExtensionError`` when the name says a
    known format and the content is one that cannot be taken.
    """
    if not data:
        raise EmptyDocumentError(name=name)
    named, suffix = parser_by_name(name), PurePath(name).suffix.lower()
    content = _content_of(data) or _unsigned(data, named) or _Content(named or NEVER, suffix or "binary")
    if content is _ENCRYPTED:
        raise EncryptionUnsupportedError(name=name) if password else PasswordNeededError(name=name)
    if content is _BROKEN and named not in PACKED:
        raise DamagedDocumentError(name=name)
    if named is not None and (
        content is _BROKEN or (content.parser == ARCHIVE and named in (NEVER, *PACKED))
    ):
        # Its own parser can say best what is wrong with it; and programs are packed as zips too.
        content = _Content(named, suffix)
    fits = named in (None, content.parser)
    if not content.parser or not is_available(content.parser):
        if fits:
            raise UnsupportedFormatError(name=name, kind=content.label, known=KNOWN)
        raise WrongExtensionError(name=name, kind=content.label)
    notice = Notice(code="content_differs", details=(("content", content.label), ("suffix", suffix or name)))
    return Route(parser=content.parser, notices=() if fits else (notice,))


def _content_of(data: bytes) -> _Content | None:
    """What the first bytes, or the names inside a container, say without doubt."""
    if data.startswith(_ZIP):
        return _packed(data)
    if data.startswith(_OLE):
        return _compound(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _Content("image", "WEBP")
    start = data[:_SAMPLE].lstrip(b"\xef\xbb\xbf\r\n\t ") if data[:1] in b"\xef\r\n\t " else data[:_SAMPLE]
    for signature, parser, label in _SIGNATURES:
        # A text may well begin with two capital letters.
        if start.startswith(signature) and (len(signature) > 2 or not _is_text(data)):
            return _Content(parser, label)
    return None


def _packed(data: bytes) -> _Content:
    try:
        with opened_zip(data, "", ParsingSettings()) as packed:
            names = [info.filename.replace("\\", "/").lower() for info in packed.infolist()]
    except DocumentError:
        return _BROKEN
    office = "[content_types].xml" in names
    for part, parser, label in _PARTS:
        if any(name.startswith(part) for name in names) and (office or not part.endswith("/")):
            return _Content(parser, label)
    return _Content(ARCHIVE, FORMATS[ARCHIVE][0])


def _compound(data: bytes) -> _Content:
    for stream, parser, label in _STREAMS:
        if stream.encode("utf-16-le") in data:
            return _ENCRYPTED if stream == _ENCRYPTED_STREAM else _Content(parser, label)
    return _Content("", "OLE")


def _unsigned(data: bytes, named: str | None) -> _Content | None:
    """What a text is when its name does not say so: because it says nothing, or a format that is no text."""
    if (named is not None and named not in BINARY) or not _is_text(data):
        return None
    start = data[:_SAMPLE].lstrip(b"\xef\xbb\xbf\r\n\t ")
    if _HTML.match(start):
        return _Content("html", "HTML")
    if start.startswith(b"WEBVTT"):
        return _Content("captions", "VTT")
    if _is_mail(start):
        return _Content("mail", "EML")
    if start[:1] in (b"{", b"[") and data.rstrip()[-1:] in (b"}", b"]"):
        return _Content("json", "JSON")
    return _Content("text", "TXT")


def _is_mail(start: bytes) -> bool:
    head = re.split(rb"\r?\n\r?\n", start, maxsplit=1)[0]
    fields = {field.lower() for field in _HEADER.findall(head)}
    return bool(
        _HEADER.match(head) and b"from" in fields and fields & {b"mime-version", b"received", b"message-id"}
    )


def _is_text(data: bytes) -> bool:
    return data.startswith(_WIDE_MARKS) or not _CONTROLS.search(data[:_SAMPLE])
