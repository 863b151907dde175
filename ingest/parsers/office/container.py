"""What the container of an old Office or OpenDocument file tells: whether it is whole, and encrypted."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from core.errors import PasswordNeededError
from ingest.parsers.zipped import ZIP_ERRORS

# How compound files begin: old Office files, MSG, and encrypted Office files of today.
OLE: Final = b"\xd0\xcf\x11\xe0"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_MAIN: Final = ("WordDocument", "Workbook", "Book", "PowerPoint Document")
# olefile's own error is an OSError.
_BROKEN: Final = (OSError, struct.error, IndexError, ValueError, TypeError, AttributeError)
# [MS-DOC] 2.5.1 FibBase: bit fEncrypted of the flags at byte 10.
_DOC_FLAGS: Final = 10
_DOC_ENCRYPTED: Final = 0x0100
# [MS-XLS] 2.4.117: record FilePass, near the start of the workbook stream.
_XLS_FILE_PASS: Final = 0x002F
_XLS_RECORDS: Final = 50
# [MS-PPT] 2.3.2: headerToken of an encrypted presentation.
_PPT_TOKEN: Final = 0xF3D1C4DF


def refuse_encrypted(data: bytes, name: str) -> None:
    """Raises ``PasswordNeededError`` for a DOCX, XLSX or PPTX that is encrypted as a whole."""
    if data.startswith(OLE) and _ENCRYPTED in data:
        raise PasswordNeededError(name=name)


def is_whole(data: bytes) -> bool:
    """Whether the main stream of an old Office file can be read to its end."""
    with _opened(data) as container:
        names = [name for name in _MAIN if container is not None and container.exists(name)]
        return any(_stream(container, name) for name in names)


def is_protected(data: bytes) -> bool:
    """Whether the file asks for a password. A file too broken to tell counts as not protected."""
    if data.startswith(b"PK"):
        return _is_protected_odf(data)
    with _opened(data) as container:
        return container is not None and _is_protected_ole(container)


@contextmanager
def _opened(data: bytes) -> Iterator[Any]:
    """The container, ``None`` when it is broken."""
    # No type hints come with it.
    olefile: Any = import_module("olefile")
    try:
        container = olefile.OleFileIO(io.BytesIO(data))
    except _BROKEN:
        yield None
        return
    with container:
        yield container


def _stream(container: Any, name: str, size: int = -1) -> bytes:
    """The first ``size`` bytes of a stream, all of them by default; nothing where it is absent or broken."""
    try:
        with container.openstream(name) as opened:
            return bytes(opened.read(size))
    except _BROKEN:
        return b""


def _is_protected_odf(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return b"encryption-data" in packed.read("META-INF/manifest.xml")
    except (KeyError, *ZIP_ERRORS):
        return False


def _is_protected_ole(container: Any) -> bool:
    if _stream(container, "EncryptedPackage", 1) or _stream(container, "EncryptedSummary", 1):
        return True
    word = _stream(container, "WordDocument", _DOC_FLAGS + 2)
    if len(word) == _DOC_FLAGS + 2 and struct.unpack_from("<H", word, _DOC_FLAGS)[0] & _DOC_ENCRYPTED:
        return True
    user = _stream(container, "Current User", 16)
    if len(user) == 16 and struct.unpack_from("<L", user, 12)[0] == _PPT_TOKEN:
        return True
    return any(_has_file_pass(_stream(container, name, 1 << 16)) for name in ("Workbook", "Book"))


def _has_file_pass(workbook: bytes) -> bool:
    at = 0
    for _ in range(_XLS_RECORDS):
        if at + 4 > len(workbook):
            break
        kind, size = struct.unpack_from("<HH", workbook, at)
        if kind == _XLS_FILE_PASS:
            return True
        at += 4 + size
    return False
