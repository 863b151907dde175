"""Reading an archive into a knowledge base: all of it is proved first, then stored document by document."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from enum import StrEnum

from core.errors import ModelMismatchError
from core.store import Reader, Store, Writer
from ingest.bundle.archive import Archive
from ingest.bundle.document import ArchivedDocument
from ingest.bundle.errors import BundleError, CollectionWidenedError, DiskFullError
from ingest.bundle.manifest import Manifest


class Loaded(StrEnum):
    """What became of an archived document."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    KEPT = "kept"


# Called with the name of each document when its outcome is durable.
OnLoaded = Callable[[str, Loaded], None]
# Called with how many bytes of how many are proved.
OnProved = Callable[[int, int], None]


class Load:
    """Stores what an archive holds. A stopped run is taken up by the next one: what is stored is unchanged."""

    def __init__(
        self,
        store: Store,
        model: str,
        *,
        replace: bool = False,
        most_original: int = 200_000_000,
        on_proved: OnProved = lambda done, total: None,
        on_loaded: OnLoaded = lambda name, loaded: None,
    ) -> None:
        """``model`` is the fingerprint of the configured embedder.

        A stored document that differs from the archived one stays, unless ``replace`` is true. An original
        must not be larger than ``most_original`` bytes.
        """
        self._store = store
        self._model = model
        self._replace = replace
        self._most_original = most_original
        self._on_proved = on_proved
        self._on_loaded = on_loaded

    def run(self, archive: Archive) -> Counter[Loaded]:
        """How many documents came to which end.

        Raises ``BundleError`` (nothing is stored then), ``ModelMismatchError`` when the archive, the store and
        the configured embedder are not of one model, ``CollectionWidenedError`` and ``DiskFullError``.
        """
        manifest = archive.manifest
        self._require_same_model(manifest)
        self._require_space(manifest)
        self._prove(archive)
        with self._store.write() as writer:
            self._open_collections(writer, manifest)
        outcomes: Counter[Loaded] = Counter()
        for document in archive.documents():
            outcome = self._store_one(document, archive)
            outcomes[outcome] += 1
            self._on_loaded(f"{document.collection}/{document.name}", outcome)
        return outcomes

    def _require_same_model(self, manifest: Manifest) -> None:
        if manifest.model is None:
            return
        if manifest.model != self._model:
            raise ModelMismatchError(stored=manifest.model, current=self._model)
        with self._store.read() as reader:
            stored = reader.embedding_model()
            if stored not in (None, self._model) and reader.count("documents"):
                raise ModelMismatchError(stored=stored, current=self._model)

    def _require_space(self, manifest: Manifest) -> None:
        needed = sum(member.bytes for member in manifest.members.values())
        free = shutil.disk_usage(self._store.home).free
        if needed > free:
            raise DiskFullError(
                folder=self._store.home, needed_mb=round(needed / 1e6), free_mb=round(free / 1e6)
            )

    def _prove(self, archive: Archive) -> None:
        total = sum(member.bytes for member in archive.manifest.members.values())
        done = 0

        def read(size: int) -> None:
            nonlocal done
            done += size
            self._on_proved(done, total)

        archive.verify(read, most_original=self._most_original)
        counted: Counter[str] = Counter()
        ids: set[str] = set()
        with self._store.read() as reader:
            for document in archive.documents():
                counted += Counter(
                    documents=1, versions=len(document.versions), chunks=len(document.rows["chunks"])
                )
                _require_own_ids(reader, document, ids, archive.name)
        expected = archive.manifest.counts
        if counted != Counter({key: getattr(expected, key) for key in ("documents", "versions", "chunks")}):
            raise BundleError(name=archive.name, reason="other counts than the manifest says")

    def _open_collections(self, writer: Writer, manifest: Manifest) -> None:
        """Make those that are new, with their members; a stored one keeps its own, if they see no more."""
        stored = {row.name: row.members for row in writer.reader.collection_rows()}
        for collection in manifest.collections:
            if collection.name not in stored:
                writer.ensure_collection(collection.name)
                writer.set_members(collection.name, collection.members)
            elif _widens(collection.members, stored[collection.name]):
                raise CollectionWidenedError(
                    name=collection.name,
                    archived=", ".join(collection.members),
                    here=", ".join(stored[collection.name]) or "*",
                )

    def _store_one(self, document: ArchivedDocument, archive: Archive) -> Loaded:
        with self._store.write() as writer:
            found = writer.reader.find(document.id)
            if found is not None:
                versions = tuple((row.id, row.number) for row in writer.reader.versions(found))
                if versions == document.versions:
                    return Loaded.UNCHANGED
                if not self._replace:
                    return Loaded.KEPT
                # Its originals stay until the new ones are there: many are the same files.
                orphans = writer.remove([found.id])
            writer.restore(document.rows, archive.manifest.model)
            writer.put_vectors(document.vectors, self._model)
            writer.put_sentence_vectors(document.sentences, self._model)
            # Before the commit and under the lock: no stored version is ever without its original.
            for digest in document.originals:
                self._store.blobs.put(archive.original(digest))
        if found is None:
            return Loaded.ADDED
        self._drop(orphans - set(document.originals))
        return Loaded.REPLACED

    def _drop(self, digests: frozenset[str]) -> None:
        with self._store.exclusive(), self._store.read() as reader:
            for digest in digests - reader.source_hashes():
                self._store.blobs.remove(digest)


def _widens(archived: list[str], here: tuple[str, ...]) -> bool:
    """Whether people may open the collection here who may not open the archived one."""
    return bool(archived) and (not here or not set(here) <= set(archived))


def _require_own_ids(reader: Reader, document: ArchivedDocument, seen: set[str], name: str) -> None:
    """Ids of rows depend on their document, so that others bear them only in a forged archive."""
    versions = [key for key, _ in document.versions]
    chunks = [str(row["id"]) for row in document.rows["chunks"]]
    parents = [str(row["id"]) for row in document.rows["parents"]]
    ids = [*versions, *chunks, *parents]
    if len(set(ids)) < len(ids) or not seen.isdisjoint(ids):
        raise BundleError(name=name, reason=f"{document.name} has an id twice")
    seen.update(ids)
    owners = reader.documents_of_versions(versions) | {
        chunk.document_id for chunk in reader.chunks(chunks).values()
    }
    if owners - {document.id}:
        raise BundleError(name=name, reason=f"{document.name} has the ids of another document")
