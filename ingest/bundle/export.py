"""Writing a whole knowledge base, or one collection of it, into one file."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from core.errors import StoreDamagedError
from core.scope import is_ephemeral
from core.store import CollectionRow, DocumentRow, Reader, Store, schema
from core.view_errors import TargetUnwritableError
from ingest.bundle.document import line_of
from ingest.bundle.manifest import (
    DOCUMENTS,
    FORMAT_VERSION,
    MANIFEST,
    ORIGINALS,
    SENTENCES,
    VECTORS,
    ArchivedCollection,
    Counts,
    Manifest,
    Member,
)
from ingest.bundle.vectors import sentence_block, vector_block

# Called with what is being written and how many documents of all are done.
OnExport = Callable[[str, int, int], None]
# The same rows give the same archive, whenever it is written.
_DATE: Final = (1980, 1, 1, 0, 0, 0)


def export(store: Store, target: Path, collections: Sequence[str] | None, on_progress: OnExport) -> Manifest:
    """Write ``target`` in one step, all from one generation; nothing is left when it fails.

    Without ``collections`` all lasting ones are written. Raises ``UnknownCollectionError``,
    ``StoreDamagedError`` for an original or vector that is missing, and ``TargetUnwritableError``.
    """
    with store.read() as reader, _in_one_step(target) as file:
        rows = [row for row in reader.collection_rows() if _is_wanted(row, collections)]
        reader.require_collections(tuple(collections or ()))
        documents = reader.documents([row.name for row in rows])
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as packed:
            written = _Written(packed=packed, members={})
            export_one = _Export(store, reader, documents, on_progress, written)
            return export_one.run(rows)


def _is_wanted(row: CollectionRow, collections: Sequence[str] | None) -> bool:
    return not is_ephemeral(row.name) if collections is None else row.name in collections


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The archive being written, with what each file inside is."""

    packed: zipfile.ZipFile
    members: dict[str, Member]

    def add(self, name: str, pieces: Iterator[bytes], *, compress: bool = True) -> None:
        """One file from its pieces."""
        info = zipfile.ZipInfo(name, _DATE)
        info.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
        digest, size = hashlib.sha256(), 0
        with self.packed.open(info, "w", force_zip64=True) as file:
            for piece in pieces:
                digest.update(piece)
                size += file.write(piece)
        self.members[name] = Member(bytes=size, sha256=digest.hexdigest())


class _Export:
    """One run; the counts grow while it goes on."""

    def __init__(
        self,
        store: Store,
        reader: Reader,
        documents: Sequence[DocumentRow],
        on_progress: OnExport,
        written: _Written,
    ) -> None:
        self._store = store
        self._reader = reader
        self._documents = documents
        self._on_progress = on_progress
        self._written = written
        self._model = reader.embedding_model() if documents else None
        self._dimension = 0
        self._counts = dict.fromkeys(Counts.model_fields, 0)

    def run(self, collections: Sequence[CollectionRow]) -> Manifest:
        """Write everything; the manifest comes last, when all hashes are known."""
        self._written.add(DOCUMENTS, self._each(DOCUMENTS, self._lines))
        self._written.add(VECTORS, self._each(VECTORS, self._vectors), compress=False)
        self._written.add(SENTENCES, self._each(SENTENCES, self._sentences))
        self._add_originals()
        manifest = Manifest(
            format_version=FORMAT_VERSION,
            schema_version=schema.DOCUMENTS_VERSION,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            model=self._model,
            dimension=self._dimension,
            collections=[ArchivedCollection(name=row.name, members=list(row.members)) for row in collections],
            counts=Counts(**self._counts),
            members=dict(self._written.members),
        )
        data = manifest.model_dump_json(indent=1).encode("utf-8")
        self._written.add(MANIFEST, iter([data]))
        return manifest

    def _each(self, what: str, make: Callable[[DocumentRow], Iterator[bytes]]) -> Iterator[bytes]:
        for done, row in enumerate(self._documents):
            self._on_progress(what, done, len(self._documents))
            yield from make(row)

    def _lines(self, row: DocumentRow) -> Iterator[bytes]:
        document = self._reader.raw_document(row.id)
        self._counts["documents"] += 1
        for version in self._reader.versions(row):
            rows = self._reader.raw_version(version.id)
            self._counts["versions"] += 1
            self._counts["chunks"] += len(rows["chunks"])
            yield (
                json.dumps(line_of(row.collection, document, rows), ensure_ascii=False).encode("utf-8")
                + b"\n"
            )

    def _vectors(self, row: DocumentRow) -> Iterator[bytes]:
        keys = [chunk.embed_hash for chunk in self._reader.chunks_of(row.version_id)]
        vectors = self._reader.vectors(keys, self._model or "")
        if len(vectors) < len(set(keys)):
            raise StoreDamagedError(reason=f"{row.name} has chunks without a vector")
        self._dimension = max((len(vector) for vector in vectors.values()), default=self._dimension)
        self._counts["vectors"] += len(vectors)
        yield from vector_block(vectors)

    def _sentences(self, row: DocumentRow) -> Iterator[bytes]:
        keys = [chunk.embed_hash for chunk in self._reader.chunks_of(row.version_id)]
        sentences = self._reader.sentence_vectors(keys, self._model or "")
        self._counts["sentence_vectors"] += sum(len(one.scales) for one in sentences.values())
        yield from sentence_block(sentences)

    def _add_originals(self) -> None:
        """Each original once, however many versions were made from it."""
        seen: set[str] = set()
        for done, row in enumerate(self._documents):
            self._on_progress(ORIGINALS, done, len(self._documents))
            for version in self._reader.versions(row):
                if version.source_sha256 not in seen:
                    seen.add(version.source_sha256)
                    data = self._store.blobs.get(version.source_sha256)
                    self._written.add(f"{ORIGINALS}{version.source_sha256}", iter([data]))
        self._counts["originals"] = len(seen)


@contextmanager
def _in_one_step(target: Path) -> Iterator[IO[bytes]]:
    """A file that becomes ``target`` when all went well, and is gone when not."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        if target.is_dir():
            raise IsADirectoryError(target)
        with temporary.open("w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as exc:
        raise TargetUnwritableError(path=target) from exc
    finally:
        temporary.unlink(missing_ok=True)
