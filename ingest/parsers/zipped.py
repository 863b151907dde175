"""Zip files from strangers: inflated under a byte budget, whatever their headers say."""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from core.errors import (
    DamagedDocumentError,
    PasswordNeededError,
    TooManyEntriesError,
    UnpacksTooLargeError,
    UnsafeXmlError,
    WrongPasswordError,
)
from core.settings import ParsingSettings

# What reading a broken archive raises, from zipfile and the four decompressors below it.
ZIP_ERRORS: Final = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error,
    EOFError, OSError, NotImplementedError, ValueError, OverflowError,
)  # fmt: skip
ENCRYPTED: Final = 0x1
_PIECE: Final = 1 << 20
# Text and tables pack to a tenth or twentieth; deflate ends at 1,032 (https://www.zlib.net/zlib_tech.html).
_BOMB_RATIO: Final = 200
_BOMB_BYTES: Final = 50_000_000
_OFFICE_MARK: Final = "[Content_Types].xml"
# Parts that no office parser reads as XML, and that may carry a declaration for good reasons.
_NOT_PARSED: Final = (".svg", ".html", ".htm", ".mht", ".xhtml")
_DOCTYPE: Final = re.compile(rb"<!(?:DOCTYPE|ENTITY)")
_ENTITY: Final = re.compile(rb"<!ENTITY")
# Office parts are UTF-8 or UTF-16 (ECMA-376 part 2); any other encoding could hide a declaration.
_FOREIGN: Final = re.compile(
    rb"\A(?:\x4c\x6f\xa7\x94|<\?xml[^>]*encoding\s*=\s*[\"'](?!utf-?8|utf-?16|us-ascii|iso-8859-1|windows-1252))",
    re.IGNORECASE,
)


class Budget:
    """The bytes that one file may still unpack to, nested archives included."""

    def __init__(self, settings: ParsingSettings, spent: int = 0) -> None:
        self._limit_mb = settings.max_unpacked_mb
        self._left = settings.max_unpacked_mb * 1_000_000 - spent

    @property
    def is_spent(self) -> bool:
        return self._left < 0

    def spend(self, size: int, name: str) -> None:
        """Raises ``UnpacksTooLargeError`` when nothing is left."""
        self._left -= size
        if self.is_spent:
            raise self.refusal(name)

    def give_back(self, size: int) -> None:
        """For what was unpacked and thrown away."""
        self._left += size

    def refusal(self, name: str) -> UnpacksTooLargeError:
        return UnpacksTooLargeError(name=name, limit_mb=self._limit_mb)


def checked_zip(data: bytes, name: str, settings: ParsingSettings) -> None:
    """Returns when the parts of a packed document (Office, EPUB, OpenDocument) are safe to be read.

    Call it before a library gets the bytes. Everything is inflated once and thrown away. Raises
    ``DamagedDocumentError``, ``PasswordNeededError``, ``TooManyEntriesError``, ``UnpacksTooLargeError``,
    and ``UnsafeXmlError`` for a part that declares entities; a part of an Office file must not carry a
    document type at all.
    """
    budget = Budget(settings)
    with opened_zip(data, name, settings) as packed:
        office = _OFFICE_MARK in packed.NameToInfo
        for info in packed.infolist():
            try:
                _check_part(packed, info, name, budget, office)
            except ZIP_ERRORS as exc:
                if _is_xml(info.filename):
                    raise DamagedDocumentError(name=name) from exc


def opened_zip(data: bytes, name: str, settings: ParsingSettings) -> zipfile.ZipFile:
    """The opened archive. Raises ``DamagedDocumentError`` and ``TooManyEntriesError``."""
    if _entries_at_most(data) > settings.max_entries:
        raise TooManyEntriesError(name=name, limit=settings.max_entries)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except ZIP_ERRORS as exc:
        raise DamagedDocumentError(name=name) from exc


def inflated(
    packed: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget, password: str = ""
) -> Iterator[bytes]:
    """One entry in pieces of at most a MB; ``name`` is what errors call it.

    Raises ``PasswordNeededError``, ``WrongPasswordError``, ``UnpacksTooLargeError`` and ``ZIP_ERRORS``.
    """
    if info.flag_bits & ENCRYPTED and not password:
        raise PasswordNeededError(name=name)
    size = 0
    try:
        entry = packed.open(info, pwd=password.encode() if info.flag_bits & ENCRYPTED else None)
    except RuntimeError as exc:
        if isinstance(exc, NotImplementedError):
            raise
        raise WrongPasswordError(name=name) from exc
    with entry:
        while piece := entry.read(_PIECE):
            size += len(piece)
            budget.spend(len(piece), name)
            if size > max(_BOMB_BYTES, _BOMB_RATIO * info.compress_size):
                raise budget.refusal(name)
            yield piece


def _check_part(
    packed: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget, office: bool
) -> None:
    forbidden = _DOCTYPE if office else _ENTITY
    parsed = not info.filename.lower().endswith(_NOT_PARSED)
    tail, first = b"", True
    for piece in inflated(packed, info, name, budget):
        # Without the zeros UTF-16 and UTF-32 read like ASCII.
        plain = piece.replace(b"\0", b"")
        if first:
            start = plain[:300].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
            parsed = parsed and (start.startswith(b"<") or _is_xml(info.filename))
            if parsed and office and _FOREIGN.match(start):
                raise UnsafeXmlError(name=name)
            first = False
        if parsed and forbidden.search(tail + plain):
            raise UnsafeXmlError(name=name)
        tail = plain[-16:]


def _is_xml(part: str) -> bool:
    return PurePosixPath(part.lower()).suffix in (".xml", ".rels", ".opf", ".ncx", ".xhtml", ".html")


def _entries_at_most(data: bytes) -> int:
    """No fewer than the entries in the table of contents, counted without building it."""
    end = data.rfind(b"PK\x05\x06")
    if end < 0 or end + 16 > len(data):
        return 0
    (size,) = struct.unpack_from("<L", data, end + 12)
    # 0xFFFFFFFF: the size stands in a ZIP64 record (76 bytes with its locator) before this one.
    start = 0 if size == 0xFFFFFFFF else max(end - size - 76, 0)
    return data.count(b"PK\x01\x02", start, end)
