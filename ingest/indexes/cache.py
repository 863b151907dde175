"""The indexes that fit a reader: from memory, else from disk, else rebuilt from the store."""

from __future__ import annotations

import contextlib
import logging
import threading

from core.errors import StoreBusyError
from core.protocols import Embedder
from core.store import Reader, Store
from ingest.indexes import files
from ingest.indexes.snapshot import IndexSnapshot, build

_LOG = logging.getLogger(__name__)


class IndexCache:
    """Shared by the threads of a process; each gets the snapshot of its reader's generation."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._folder = store.home / "index"
        self._lock = threading.Lock()
        self._snapshot: IndexSnapshot | None = None

    def at(self, reader: Reader) -> IndexSnapshot:
        """The indexes of the reader's generation. Raises what ``build`` raises."""
        generation, model = reader.generation(), self._embedder.fingerprint
        with self._lock:
            held = self._snapshot
            if held is not None and held.generation == generation:
                return held
            loaded = files.load(self._folder, generation, model)
            if loaded is None:
                _LOG.info("building the indexes of generation %d", generation)
                loaded = build(reader, model, self._embedder.dimension, held)
                self._save(loaded)
            # A reader may still be on an older generation than what is held; never go back.
            if held is None or generation > held.generation:
                self._snapshot = loaded
            return loaded

    def _save(self, snapshot: IndexSnapshot) -> None:
        """Keep the files for the next start; without them it only takes longer."""
        with contextlib.suppress(StoreBusyError):
            try:
                with self._store.exclusive(timeout_s=1.0):
                    files.save(snapshot, self._folder)
            except OSError:
                _LOG.warning("the indexes could not be written; they will be rebuilt at the next start")
