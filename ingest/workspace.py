"""One opened knowledge base: settings, store, embedding model and indexes, each made when first needed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cached_property

from core.errors import SettingsError, StoreError
from core.protocols import Embedder
from core.registry import resolve
from core.settings import Settings
from core.store import Reader, Store
from ingest.calibration import Calibration, Calibrations
from ingest.indexes.cache import IndexCache

DEFAULT_COLLECTION = "default"
# Collections of files that belong to one chat only; searched only when they are named.
EPHEMERAL_PREFIX = "chat:"
_EPHEMERAL_LIFETIME = timedelta(days=2)


class Workspace:
    """Shared by everything in a process that works on the same ``YOUJU_HOME``."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def store(self) -> Store:
        return Store(self.settings.home, lock_timeout_s=self.settings.limits.lock_timeout_s)

    @cached_property
    def embedder(self) -> Embedder:
        return make_embedder(self.settings)

    @cached_property
    def calibration(self) -> Calibration | None:
        """The embedding model's measured scale; ``None`` when nobody measured it."""
        return Calibrations(self.settings.home).of(self.embedder.fingerprint)

    @cached_property
    def indexes(self) -> IndexCache:
        return IndexCache(self.store, self.embedder)

    def close(self) -> None:
        self.store.close()

    def remove(self, names: list[str], collection: str | None = None) -> list[str]:
        """Delete documents; their text is unreachable at once. All or none.

        Returns the names. Raises ``UnknownDocumentError``.
        """
        with self.store.write() as writer:
            rows = [writer.reader.document(name, collection) for name in names]
            orphans = writer.remove([row.id for row in rows])
        self.drop_originals(orphans)
        return [row.name for row in rows]

    def drop_originals(self, digests: Iterable[str]) -> None:
        """Delete original files that no document needs, as of now: one may have come back meanwhile."""
        with self.store.exclusive(), self.store.read() as reader:
            needed = reader.source_hashes()
            for digest in digests:
                if digest not in needed:
                    self.store.blobs.remove(digest)

    def embed_again(self) -> int:
        """Make all vectors anew with the configured model, in one transaction. Returns their number.

        Raises ``StoreError`` when a chunk does not fit the model's window: such documents must be added
        again.
        """
        with self.store.read() as reader:
            texts = {chunk.embed_hash: chunk.embed_text for chunk in reader.all_chunks()}
        keys = sorted(texts, key=lambda key: len(texts[key]))
        if keys and max(self.embedder.count([texts[key] for key in keys])) > self.embedder.max_tokens:
            raise StoreError(
                reason="some chunks are longer than the new model's window; add the documents again"
            )
        size = self.settings.embedding.batch_size * self.settings.embedding.concurrency
        vectors = {
            key: vector
            for start in range(0, len(keys), size)
            for key, vector in zip(
                keys[start : start + size],
                self.embedder.passages([texts[key] for key in keys[start : start + size]]),
                strict=True,
            )
        }
        with self.store.write() as writer:
            _require_same_texts(writer.reader, texts)
            writer.change_model(self.embedder.fingerprint)
            writer.put_vectors(vectors, self.embedder.fingerprint)
        return len(vectors)


def is_ephemeral(collection: str) -> bool:
    """Whether a collection holds the files of one chat."""
    return collection.startswith(EPHEMERAL_PREFIX)


def remove_ephemeral(workspace: Workspace, collection: str | None = None) -> None:
    """Delete the files of one chat; without a name those of chats that ended long ago without saying so.

    Another program may serve chats of the same knowledge base, so what is young stays.
    """
    oldest = (datetime.now(UTC) - _EPHEMERAL_LIFETIME).isoformat(timespec="seconds")
    with workspace.store.write() as writer:
        rows = [row for row in writer.reader.documents() if is_ephemeral(row.collection)]
        gone = [
            row
            for row in rows
            if row.collection == collection or (not collection and row.updated_at < oldest)
        ]
        orphans = writer.remove([row.id for row in gone])
        writer.drop_empty_collections(EPHEMERAL_PREFIX)
    workspace.drop_originals(orphans)


def _require_same_texts(reader: Reader, texts: dict[str, str]) -> None:
    if any(chunk.embed_hash not in texts for chunk in reader.all_chunks()):
        raise StoreError(reason="documents were added meanwhile; run it again")


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name. Raises ``SettingsError`` or ``ModelError``."""
    embedder: Embedder = resolve("embedder", settings.embedding.name)(settings)
    needed = settings.chunking.hard_tokens
    if needed > embedder.max_tokens:
        raise SettingsError(
            name="YOUJU_CHUNKING__HARD_TOKENS",
            reason=f"{needed} is more than the embedding model's window of {embedder.max_tokens} tokens",
        )
    return embedder
