"""Opening the truth: readers on one generation, one writer at a time, the schema brought up to date."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from core.errors import HomeUnwritableError, StoreDamagedError
from core.store import migrations
from core.store.answers import AnswerWriter
from core.store.blobs import Blobs
from core.store.postgresql import PostgresDatabase
from core.store.reader import Reader
from core.store.schema import SCHEMA_VERSION
from core.store.sqlite import SqliteDatabase
from core.store.waiting import OnWait, Waiting
from core.store.write_lock import WriteLock
from core.store.writer import Writer


class Database(Protocol):
    """Where the tables lie. What its driver raises leaves it as a ``StoreError``."""

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """A connection that sees one generation."""
        ...

    def writing(self, waiting: Waiting) -> AbstractContextManager[sa.Connection]:
        """A transaction beside which nobody writes; what its user does not commit is undone."""
        ...

    def recording(self) -> AbstractContextManager[sa.Connection]:
        """A short transaction that neither takes nor needs the writers' lock."""
        ...

    def locked(self, waiting: Waiting) -> AbstractContextManager[None]:
        """The writers' lock of all machines, without a transaction to write in."""
        ...

    def compact(self) -> None:
        """Leave nothing of what was deleted in the database's files."""
        ...

    def close(self) -> None: ...


class Store:
    """The knowledge base: a database and, under ``home``, the original files. Safe to share between threads.

    ``url`` names a PostgreSQL database; empty, it is an SQLite file under ``home``. Opening creates what is
    missing and brings older schemas up to date. ``on_wait`` is told, once for each write, when another
    writer has to be waited for.

    Raises ``HomeUnwritableError``, ``StoreVersionError`` for a newer schema, ``StoreDamagedError`` when the
    database file is not one, and ``StoreUnreachableError`` when the server is away.
    """

    def __init__(
        self, home: Path, *, url: str = "", lock_timeout_s: float = 60.0, on_wait: OnWait | None = None
    ) -> None:
        _require_writable(home)
        self.home = home
        self.blobs = Blobs(home / "blobs")
        self._lock_timeout_s = lock_timeout_s
        self._on_wait = on_wait
        self._lock = WriteLock(home)
        self._database: Database = PostgresDatabase(url) if url else SqliteDatabase(home)
        self._prepare()

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """A reader that sees one generation from its first to its last query."""
        with self._database.reading() as connection:
            yield Reader(connection)

    @contextmanager
    def write(self, *, on_wait: OnWait | None = None) -> Iterator[Writer]:
        """A writer; everything it did becomes visible at once when the block ends, or not at all.

        Raises ``StoreBusyError`` when another writer does not finish in time and ``StoreVersionError`` when
        a newer program has changed the schema meanwhile.
        """
        waiting = self._waiting(None, on_wait)
        with self._lock.held(waiting), self._database.writing(waiting) as connection:
            migrations.require_current(migrations.stored_version(connection))
            writer = Writer(connection)
            yield writer
            writer.finish()
            connection.commit()

    @contextmanager
    def recording(self) -> Iterator[AnswerWriter]:
        """Changes of the records of answers, visible at once when the block ends, or not at all.

        Waits only for what another program is committing just now, never for one that goes on adding
        documents. Raises ``StoreBusyError`` after a few seconds, and ``StoreVersionError`` as ``write``.
        """
        with self._database.recording() as connection:
            migrations.require_current(migrations.stored_version(connection))
            yield AnswerWriter(connection)
            connection.commit()

    @contextmanager
    def exclusive(self, *, timeout_s: float | None = None) -> Iterator[None]:
        """The writers' lock, shared by all processes that use this knowledge base. Raises ``StoreBusyError``."""
        waiting = self._waiting(timeout_s, None)
        with self._lock.held(waiting), self._database.locked(waiting):
            yield

    def compact(self) -> None:
        """Leave nothing of what was deleted in the database's files, as far as no reader still sees it."""
        self._database.compact()

    def _waiting(self, timeout_s: float | None, on_wait: OnWait | None) -> Waiting:
        patience = self._lock_timeout_s if timeout_s is None else timeout_s
        return Waiting(timeout_s=patience, on_wait=on_wait or self._on_wait)

    def _prepare(self) -> None:
        with self._database.reading() as connection:
            found = migrations.schema_version(connection)
        if found is None and isinstance(self._database, SqliteDatabase) and self.blobs.any():
            raise StoreDamagedError(
                reason="youju.db is empty although original files are there; bring it back from a backup, or "
                "delete the folder blobs to begin anew"
            )
        if found != str(SCHEMA_VERSION):
            self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        waiting = self._waiting(None, None)
        with self._lock.held(waiting), self._database.writing(waiting) as connection:
            # Asked again: while this one waited, another process may have done it.
            found = migrations.schema_version(connection)
            if found is None:
                migrations.create(connection)
            else:
                migrations.migrate(connection, found)
            connection.commit()


def _require_writable(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as exc:
        raise HomeUnwritableError(home=home, reason=exc.strerror or "?") from exc
