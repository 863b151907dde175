"""Opens the index that fits a reader, after bringing the server to what the store holds."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from dataclasses import dataclass
from typing import Final

from core.errors import ModelMismatchError, StoreBusyError
from core.index_errors import IndexServerError
from core.protocols import Embedder
from core.settings import Settings
from core.store import Reader, Store
from ingest.indexes.milvus.index import MilvusIndex
from ingest.indexes.milvus.layout import Names
from ingest.indexes.milvus.server import Server
from ingest.indexes.milvus.sync import Collections, State

_LOG = logging.getLogger(__name__)
_GRACE_S: Final = 60.0


class MilvusIndexes:
    """Implements ``SearchIndexes``: the row ``("search index", "milvus")`` of the registry.

    ``grace_s``: so long rows of a version stay after it is gone, hidden, for searches that began before.
    """

    def __init__(
        self, settings: Settings, store: Store, embedder: Embedder, *, grace_s: float = _GRACE_S
    ) -> None:
        self._prefix = settings.index.milvus_prefix
        self._store = store
        self._embedder = embedder
        self._grace_s = grace_s
        self._lock = threading.Lock()
        self._server = Server(settings.index)
        # The newest one, and the one before.
        self._held: tuple[_Held, ...] = ()

    def at(self, reader: Reader) -> MilvusIndex:
        """The index of the reader's generation, after what the server lacks was written there.

        Raises what ``Server`` raises, ``ModelMismatchError``, ``StoreDamagedError`` and ``StoreBusyError``.
        """
        generation = reader.generation()
        if (found := self._held_at(generation)) is not None:
            return found
        with self._lock:
            # Another thread may have opened it meanwhile.
            if (found := self._held_at(generation)) is not None:
                return found
            return self._hold(self._open(self._collections(reader), reader))

    def rebuild(self, reader: Reader) -> MilvusIndex:
        """The same, after everything on the server was dropped and written anew."""
        with self._lock:
            self._held = ()
            collections = self._collections(reader)
            return self._hold(self._opened(collections, reader, self._mended(collections, reader, anew=True)))

    def close(self) -> None:
        """Give the connection up; the next reader connects again."""
        with self._lock:
            self._held = ()
            self._server.close()

    def _held_at(self, generation: int) -> MilvusIndex | None:
        failures = self._server.failures
        return next((held.index for held in self._held if held.fits(generation, failures)), None)

    def _hold(self, held: _Held) -> MilvusIndex:
        """Keep it beside the newest other one, which readers of that generation still ask for."""
        others = (other for other in self._held if other.index.generation != held.index.generation)
        self._held = tuple(sorted((held, *others), key=lambda kept: -kept.index.generation)[:2])
        return held.index

    def _collections(self, reader: Reader) -> Collections:
        model, dimension = self._embedder.fingerprint, self._embedder.dimension
        _require_model(reader, model)
        names = Names.of(self._prefix, reader.identity(), model, dimension)
        return Collections(server=self._server, names=names, model=model, dimension=dimension)

    def _open(self, collections: Collections, reader: Reader) -> _Held:
        state = collections.state(reader) if collections.ready() else None
        if state is None or state.untidy_at(self._grace_s) <= time.time():
            # What is missing is waited for. What is too much is hidden: no other writer need be waited for.
            with contextlib.suppress(*((StoreBusyError,) if state else ())):
                state = self._synchronised(collections, reader, timeout_s=0.0 if state else None)
        if state is None or not collections.hold(state):
            state = self._mended(collections, reader)
        return self._opened(collections, reader, state)

    def _synchronised(
        self, collections: Collections, reader: Reader, *, timeout_s: float | None
    ) -> State | None:
        with self._store.exclusive(timeout_s=timeout_s), self._store.read() as latest:
            _require_model(latest, collections.model)
            if not collections.ready():
                collections.create()
            collections.synchronise(latest, reader, self._grace_s)
            return collections.state(reader)

    def _mended(self, collections: Collections, reader: Reader, *, anew: bool = False) -> State:
        """What the reader finds, after rows that got lost on the server were written anew, with all others."""
        with self._store.exclusive(), self._store.read() as latest:
            _require_model(latest, collections.model)
            # Counted again where nobody else writes: another program may have tidied up in between.
            for drop in (anew or not collections.ready(), True):
                if drop:
                    _LOG.info("writing all of %s anew", collections.names.base)
                    collections.create()
                collections.synchronise(latest, reader, self._grace_s)
                state = collections.state(reader)
                if state is not None and collections.hold(state):
                    return state
        raise IndexServerError(address=self._server.address, reason="rows that were written are not there")

    def _opened(self, collections: Collections, reader: Reader, state: State) -> _Held:
        index = MilvusIndex(
            server=self._server,
            names=collections.names,
            view=state.view,
            languages=state.languages,
            generation=reader.generation(),
            size=state.size,
        )
        return _Held(index=index, failures=self._server.failures, until=state.untidy_at(self._grace_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """An index, good until a call to the server fails, or rows there want to be tidied up."""

    index: MilvusIndex
    failures: int
    until: float

    def fits(self, generation: int, failures: int) -> bool:
        return (self.index.generation, self.failures) == (generation, failures) and time.time() < self.until


def _require_model(reader: Reader, model: str) -> None:
    stored = reader.embedding_model()
    if stored is not None and stored != model and reader.count("chunks"):
        raise ModelMismatchError(stored=stored, current=model)
