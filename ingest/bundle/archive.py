"""An archive of a knowledge base, opened to be read; nothing in it is believed before it is proved."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from pydantic import ValidationError

from core.errors import FileMissingError
from core.store import schema
from core.store.upsert import RowValues
from ingest.bundle.document import ArchivedDocument, proved, read_line
from ingest.bundle.errors import BundleError, BundleUnsafeError, BundleVersionError
from ingest.bundle.manifest import (
    DOCUMENTS,
    FORMAT_VERSION,
    MANIFEST,
    MEMBER_NAME,
    ORIGINALS,
    SENTENCES,
    VECTORS,
    Manifest,
)
from ingest.bundle.vectors import read_sentences, read_vectors
from ingest.parsers.zipped import ENCRYPTED, ZIP_ERRORS

_PIECE: Final = 1 << 20
_MOST_MANIFEST: Final = 200_000_000
# A line is held in memory as a whole, several times over: one version of one document.
_MOST_LINE: Final = 256_000_000

OnBytes = Callable[[int], None]


class Archive:
    """Reads one archive, a document at a time. Every method raises ``BundleError`` for what is not sound."""

    def __init__(self, packed: zipfile.ZipFile, name: str, manifest: Manifest) -> None:
        self.name = name
        self.manifest = manifest
        self._packed = packed

    def verify(self, on_bytes: OnBytes, *, most_original: int) -> None:
        """Returns when every file inside is what the manifest says; ``on_bytes`` is told how many were read.

        Raises ``BundleUnsafeError`` for an original of more than ``most_original`` bytes.
        """
        for name, member in self.manifest.members.items():
            if name.startswith(ORIGINALS) and member.bytes > most_original:
                raise BundleUnsafeError(name=self.name, reason=f"a file of {member.bytes:,} bytes: {name}")
            digest = hashlib.sha256()
            with self._opened(name) as source:
                for piece in source.pieces():
                    digest.update(piece)
                    on_bytes(len(piece))
            if digest.hexdigest() != member.sha256 or not _is_its_name(name, member.sha256):
                raise self._wrong(f"{name} is not what was exported")

    def documents(self) -> Iterator[ArchivedDocument]:
        """All documents in order, each proved to be whole."""
        with (
            self._opened(VECTORS) as vectors,
            self._opened(SENTENCES) as sentences,
            self._sound(),
        ):
            dimension = self.manifest.dimension
            for collection, rows in self._grouped():
                yield proved(
                    ArchivedDocument(
                        collection=collection,
                        rows=rows,
                        vectors=read_vectors(vectors, dimension),
                        sentences=read_sentences(sentences, dimension),
                    ),
                    self.manifest,
                )

    def original(self, digest: str) -> bytes:
        """The bytes of one original."""
        with self._opened(f"{ORIGINALS}{digest}") as source:
            data = b"".join(source.pieces())
        if hashlib.sha256(data).hexdigest() != digest:
            raise self._wrong(f"{ORIGINALS}{digest} is not what was exported")
        return data

    def _grouped(self) -> Iterator[tuple[str, dict[str, list[RowValues]]]]:
        """The lines of each document together."""
        held: tuple[str, dict[str, list[RowValues]]] | None = None
        done: set[object] = set()
        for collection, document, rows in self._lines():
            if held is not None and held[1]["documents"][0] == document:
                for table, more in rows.items():
                    held[1][table] += more
                continue
            if document["id"] in done:
                raise ValueError("a document in two places")
            done.add(document["id"])
            if held is not None:
                yield held
            held = (collection, {"documents": [document], **rows})
        if held is not None:
            yield held

    def _lines(self) -> Iterator[tuple[str, RowValues, dict[str, list[RowValues]]]]:
        with self._opened(DOCUMENTS) as source:
            for line in source.lines():
                yield read_line(json.loads(line, parse_constant=_refuse))

    @contextmanager
    def _opened(self, name: str) -> Iterator[Unpacked]:
        """A file inside, of which no byte more is read than the manifest says."""
        member = self.manifest.members.get(name)
        if member is None:
            raise self._wrong(f"{name} is missing")
        with self._sound(), self._packed.open(name) as file:
            yield Unpacked(file, member.bytes)

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """What reading and proving raise, as what it means: this archive is not sound."""
        try:
            yield
        except RecursionError as exc:
            raise BundleUnsafeError(name=self.name, reason="JSON nested too deep") from exc
        except (*ZIP_ERRORS, KeyError, TypeError) as exc:
            raise self._wrong(str(exc)) from exc

    def _wrong(self, reason: str) -> BundleError:
        return BundleError(name=self.name, reason=reason)


class Unpacked:
    """A file inside an archive, read from front to back, never beyond ``size`` bytes."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self._left = size

    def pieces(self) -> Iterator[bytes]:
        """All of it, at most a MB at a time. Raises ``ValueError`` when it is longer or shorter than said."""
        while piece := self._file.read(_PIECE):
            self._spend(len(piece))
            yield piece
        if self._left:
            raise ValueError("a file inside is shorter than its manifest says")

    def exactly(self, size: int) -> bytes:
        """The next ``size`` bytes. Raises ``ValueError`` when there are fewer."""
        self._spend(size)
        data = self._file.read(size)
        if len(data) != size:
            raise ValueError("a file inside ends too early")
        return data

    def lines(self) -> Iterator[bytes]:
        """Its lines. Raises ``ValueError`` for one that is too long to be held."""
        while line := self._file.readline(_MOST_LINE + 1):
            self._spend(len(line))
            if len(line) > _MOST_LINE:
                raise ValueError(f"a line of more than {_MOST_LINE:,} bytes")
            yield line

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ValueError("a file inside is longer than its manifest says")


@contextmanager
def opened_archive(path: Path) -> Iterator[Archive]:
    """The archive at ``path``, its table of contents proved.

    Raises ``FileMissingError``, ``BundleError`` for what is no archive, ``BundleVersionError`` for one of another version, and
    ``BundleUnsafeError`` when it holds what no export writes.
    """
    name = path.name
    if not path.is_file():
        raise FileMissingError(name=str(path))
    try:
        packed = zipfile.ZipFile(path)
    except ZIP_ERRORS as exc:
        raise BundleError(name=name, reason=str(exc)) from exc
    with packed:
        yield Archive(packed, name, _manifest(packed, name))


def _manifest(packed: zipfile.ZipFile, name: str) -> Manifest:
    names = [info.filename for info in packed.infolist()]
    odd = [one for one in names if one != MANIFEST and not MEMBER_NAME.fullmatch(one)]
    if odd:
        raise BundleUnsafeError(name=name, reason=f"a file that no export writes: {odd[0][:80]!r}")
    if len(set(names)) < len(names) or any(info.flag_bits & ENCRYPTED for info in packed.infolist()):
        raise BundleUnsafeError(name=name, reason="a file twice, or an encrypted one")
    if MANIFEST not in names or packed.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
        raise BundleError(name=name, reason=f"{MANIFEST} is missing")
    try:
        with packed.open(MANIFEST) as file:
            data = file.read(_MOST_MANIFEST)
    except ZIP_ERRORS as exc:
        raise BundleError(name=name, reason=f"{MANIFEST}: {exc}") from exc
    _require_version(data, name)
    try:
        manifest = Manifest.model_validate_json(data)
    except ValidationError as exc:
        raise BundleError(name=name, reason=f"{MANIFEST}: {exc.errors()[0]['msg']}") from exc
    if set(manifest.members) != set(names) - {MANIFEST}:
        raise BundleError(name=name, reason="files that the manifest does not name, or the other way round")
    return manifest


def _require_version(data: bytes, name: str) -> None:
    """Before anything else is read: another version may have other fields."""
    try:
        value = json.loads(data)
        found = (value["format_version"], value["schema_version"])
    except (ValueError, KeyError, TypeError, RecursionError) as exc:
        raise BundleError(name=name, reason=f"{MANIFEST} cannot be read") from exc
    known = (FORMAT_VERSION, schema.DOCUMENTS_VERSION)
    if found != known:
        raise BundleVersionError(name=name, found=f"{found[0]}/{found[1]}", known=f"{known[0]}/{known[1]}")


def _is_its_name(name: str, digest: str) -> bool:
    return not name.startswith(ORIGINALS) or name.removeprefix(ORIGINALS) == digest


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")
