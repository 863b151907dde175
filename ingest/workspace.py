"""One opened knowledge base: settings, store, embedding model and indexes, each made when first needed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from core.errors import SettingsError
from core.protocols import Embedder
from core.registry import resolve
from core.scope import EPHEMERAL_PREFIX as EPHEMERAL_PREFIX
from core.scope import is_ephemeral as is_ephemeral
from core.settings import Settings
from core.store import Store
from core.store.waiting import OnWait
from ingest.calibration import Calibration, Calibrations
from ingest.indexes.search_index import SearchIndexes
from ingest.removal import remove_documents
from ingest.removal import remove_ephemeral as remove_ephemeral

DEFAULT_COLLECTION = "default"


class Workspace:
    """Shared by everything in a process that works on the same ``YOUJU_HOME``."""

    def __init__(self, settings: Settings, *, on_wait: OnWait | None = None) -> None:
        """``on_wait`` is told when another writer has to be waited for."""
        self.settings = settings
        self._on_wait = on_wait

    @cached_property
    def store(self) -> Store:
        settings = self.settings
        url = settings.store_url.get_secret_value() if settings.store_url else ""
        return Store(
            settings.home, url=url, lock_timeout_s=settings.limits.lock_timeout_s, on_wait=self._on_wait
        )

    @cached_property
    def embedder(self) -> Embedder:
        return make_embedder(self.settings)

    @cached_property
    def calibration(self) -> Calibration | None:
        """The embedding model's measured scale; ``None`` when nobody measured it."""
        return Calibrations(self.settings.home).of(self.embedder.fingerprint)

    @cached_property
    def indexes(self) -> SearchIndexes:
        make = resolve("search index", self.settings.index.name)
        made: SearchIndexes = make(self.settings, self.store, self.embedder)
        return made

    def cutting_by(self, strategy: str | None) -> Workspace:
        """The same base for adding files by another chunking strategy; ``None``: as it is set. Shares the models."""
        if strategy is None or strategy == self.settings.chunking.strategy:
            return self
        chunking = self.settings.chunking.model_copy(update={"strategy": strategy})
        other = Workspace(self.settings.model_copy(update={"chunking": chunking}))
        other.store, other.embedder, other.indexes = self.store, self.embedder, self.indexes
        return other

    def close(self) -> None:
        self.store.close()

    def remove(self, names: list[str], collection: str | None = None) -> list[str]:
        """Delete documents with their history; nothing of them stays. All or none.

        Returns the names. Raises ``UnknownDocumentError``.
        """
        return remove_documents(self, names, collection)

    def drop_originals(self, digests: Iterable[str]) -> None:
        """Delete original files that no document needs, as of now: one may have come back meanwhile."""
        with self.store.exclusive(), self.store.read() as reader:
            needed = reader.source_hashes()
            for digest in digests:
                if digest not in needed:
                    self.store.blobs.remove(digest)


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
