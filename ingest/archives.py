"""Files that hold files: a zip, the attachments of a mail. Each one inside becomes a file of its own.

``unpacked`` runs in the parsing process (see ``ingest.worker``) and writes what it finds to a folder under
numbers, never under names of the archive; those are only shown.
"""

from __future__ import annotations

import stat
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Final

from core.errors import (
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    EncryptionUnsupportedError,
    NestedTooDeepError,
    PasswordNeededError,
    TooManyEntriesError,
    UnpacksTooLargeError,
    UnsupportedFormatError,
    WrongPasswordError,
    YoujuError,
)
from core.reading import Reading
from ingest.isolation import Worker
from ingest.parsers.detect import KNOWN, Route
from ingest.parsers.formats import ARCHIVE, is_known
from ingest.parsers.zipped import ENCRYPTED, ZIP_ERRORS, Budget, inflated, opened_zip
from ingest.sources import Source, shown_name, unique_name
from ingest.transfer import Message, packed_error, unpacked_error

# The files inside documents: parser -> "module:function", from its bytes to (name, bytes) of each.
_ATTACHMENTS: Final = {
    "mail": "ingest.parsers.mail.parser:attachments",
    "msg": "ingest.parsers.mail.parser:attachments",
    "pdf": "ingest.parsers.pdf.parser:embedded_files",
}
# What file systems put beside people's files.
_LITTER: Final = frozenset({"__macosx", "thumbs.db", "desktop.ini"})
_UTF8_NAME: Final = 0x800
_LOCKED: Final = (PasswordNeededError, WrongPasswordError)

FilesIn = Callable[[bytes], Iterable[tuple[str, bytes]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A file inside an archive that could not be taken out."""

    name: str
    error: YoujuError


@dataclass(slots=True)
class Used:
    """What a file that was given has been found to hold so far, however deep: files and their bytes."""

    entries: int = 0
    unpacked: int = 0


def holds_files(route: Route) -> bool:
    """Whether a file of this kind may hold others."""
    return route.is_archive or route.parser in _ATTACHMENTS


def contents(
    source: Source, data: bytes, route: Route, reading: Reading, worker: Worker, folder: Path, used: Used
) -> list[Source | Refused]:
    """The files inside ``source``, unpacked to the empty ``folder``; their names begin with its own.

    Raises what makes it as a whole unreadable: ``DamagedDocumentError``, ``NestedTooDeepError``,
    ``TooManyEntriesError``, ``UnpacksTooLargeError``, ``EmptyDocumentError`` for an archive without files, and
    ``PasswordNeededError`` or ``WrongPasswordError`` when nothing in it opens without another password.
    """
    limits = reading.settings
    too_deep = source.depth >= limits.max_depth
    rows = (
        []
        if too_deep and route.is_archive
        else worker.unpack(route.parser, data, source.name, reading, folder, used.unpacked)
    )
    if too_deep and (rows or route.is_archive):
        raise NestedTooDeepError(name=source.name, limit=limits.max_depth)
    used.entries += len(rows)
    if used.entries > limits.max_entries:
        raise TooManyEntriesError(name=source.name, limit=limits.max_entries)
    if route.is_archive and not rows:
        raise EmptyDocumentError(name=source.name)
    found = [_entry(source, row, folder) for row in rows]
    used.unpacked += sum(entry.path.stat().st_size for entry in found if isinstance(entry, Source))
    locked = [e.error for e in found if isinstance(e, Refused) and isinstance(e.error, _LOCKED)]
    if locked and len(locked) == len(found):
        raise type(locked[0])(name=source.name)
    return found


def _entry(source: Source, row: Message, folder: Path) -> Source | Refused:
    name = str(row["name"])
    if "error" in row:
        return Refused(name=name, error=unpacked_error(row, name))
    return replace(source, name=name, path=folder / str(int(row["file"])), depth=source.depth + 1)


def unpacked(kind: str, data: bytes, name: str, reading: Reading, folder: Path, spent: int) -> list[Message]:
    """Writes the files inside a file for the parser ``kind`` to ``folder``.

    One row each: its name, and its number there or an error. ``spent`` bytes of what may be unpacked are
    used up already.
    """
    if kind == ARCHIVE:
        return unpacked_zip(data, name, reading, folder, spent)
    module, _, function = _ATTACHMENTS[kind].partition(":")
    files_in: FilesIn = getattr(import_module(module), function)
    return unpacked_attachments(data, name, reading, folder, spent, files_in)


def unpacked_zip(data: bytes, name: str, reading: Reading, folder: Path, spent: int) -> list[Message]:
    """As ``unpacked`` for a zip: every file in it, also those of formats nobody knows."""
    budget, rows = Budget(reading.settings, spent), list[Message]()
    with opened_zip(data, name, reading.settings) as packed:
        for info, inner in _named(packed, name):
            try:
                _write(packed, info, inner, budget, reading.password, folder / str(len(rows)))
            except UnpacksTooLargeError as exc:
                if budget.is_spent:
                    raise budget.refusal(name) from exc
                rows.append({"name": inner, **packed_error(exc)})
            except DocumentError as exc:
                rows.append({"name": inner, **packed_error(exc)})
            else:
                rows.append({"name": inner, "file": len(rows)})
            reading.on_page(0, 1)
    return rows


def unpacked_attachments(
    data: bytes, name: str, reading: Reading, folder: Path, spent: int, files_in: FilesIn
) -> list[Message]:
    """As ``unpacked_zip`` for those files inside a document that are of known formats."""
    budget, rows, taken = Budget(reading.settings, spent), list[Message](), set[str]()
    for raw, content in files_in(data):
        inner = shown_name(raw)
        if content and is_known(inner):
            budget.spend(len(content), name)
            (folder / str(len(rows))).write_bytes(content)
            rows.append({"name": unique_name(f"{name}/{inner}", taken), "file": len(rows)})
    return rows


def _named(packed: zipfile.ZipFile, name: str) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The entries that are files of people, with names to show, none of them twice."""
    taken: set[str] = set()
    for number, info in enumerate(packed.infolist(), start=1):
        inner = shown_name(_decoded_name(info))
        parts = inner.lower().split("/")
        is_link = stat.S_ISLNK(info.external_attr >> 16)
        if info.filename.endswith("/") or is_link or any(p.startswith(".") or p in _LITTER for p in parts):
            continue
        yield info, unique_name(f"{name}/{inner or number}", taken)


def _decoded_name(info: zipfile.ZipInfo) -> str:
    """The name in the encoding its writer meant: without the flag for UTF-8 it may be UTF-8, IBM 437 or GBK."""
    name = info.filename
    if info.flag_bits & _UTF8_NAME or name.isascii():
        return name
    with suppress(UnicodeError):
        return name.encode("cp437").decode("utf-8")
    # Chinese bytes read as IBM 437 are boxes, Greek and signs.
    if all(char.isascii() or unicodedata.name(char, "").startswith("LATIN") for char in name):
        return name
    with suppress(UnicodeError):
        return name.encode("cp437").decode("gb18030")
    return name


def _write(
    packed: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget, password: str, path: Path
) -> None:
    """One entry to ``path``. Raises a ``DocumentError``; then there is no file."""
    size = 0
    try:
        with path.open("xb") as file:
            for piece in inflated(packed, info, name, budget, password):
                size += file.write(piece)
    except (*ZIP_ERRORS, DocumentError) as exc:
        path.unlink(missing_ok=True)
        if not budget.is_spent:
            budget.give_back(size)
        raise _refusal(exc, info, name) from exc


def _refusal(exc: Exception, info: zipfile.ZipInfo, name: str) -> DocumentError:
    if isinstance(exc, DocumentError):
        return exc
    encrypted = bool(info.flag_bits & ENCRYPTED)
    if isinstance(exc, NotImplementedError):
        if encrypted:
            return EncryptionUnsupportedError(name=name)
        return UnsupportedFormatError(name=name, kind=f"ZIP {info.compress_type}", known=KNOWN)
    # One wrong password in 256 is only noticed by what comes out.
    return WrongPasswordError(name=name) if encrypted else DamagedDocumentError(name=name)
