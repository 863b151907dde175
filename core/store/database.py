"""Opening the database: durable commits, one writer at a time, readers on one snapshot."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.exc import DatabaseError, OperationalError

from core.errors import HomeUnwritableError, StoreBusyError, StoreDamagedError, StoreVersionError
from core.store import schema
from core.store.blobs import Blobs
from core.store.reader import Reader
from core.store.writer import Writer


class Store:
    """The knowledge base under one folder. Safe to share between threads; opening creates what is missing.

    Raises ``HomeUnwritableError``, ``StoreVersionError`` for a schema of another version and ``StoreDamagedError`` when the
    database file is not one.
    """

    def __init__(self, home: Path, *, lock_timeout_s: float = 60.0) -> None:
        _require_writable(home)
        self.home = home
        self.blobs = Blobs(home / "blobs")
        self._lock_timeout_s = lock_timeout_s
        self._lock_path = home / "write.lock"
        self._engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(home / "youju.db")), connect_args={"timeout": 30}
        )
        sa.event.listen(self._engine, "connect", _configure)
        self._prepare()

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """A reader that sees one generation from its first to its last query."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            yield Reader(connection)

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """A writer; everything it did becomes visible at once when the block ends, or not at all.

        Raises ``StoreBusyError`` when another writer does not finish in time.
        """
        with self.exclusive(), self._engine.connect() as connection:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            except OperationalError as exc:
                raise StoreBusyError(waited_s=30) from exc
            writer = Writer(connection)
            yield writer
            writer.finish()
            connection.commit()

    @contextmanager
    def exclusive(self, *, timeout_s: float | None = None) -> Iterator[None]:
        """The writers' lock, shared by all processes that use this folder. Raises ``StoreBusyError``."""
        waited_s = self._lock_timeout_s if timeout_s is None else timeout_s
        lock = FileLock(str(self._lock_path), timeout=waited_s, thread_local=False)
        try:
            lock.acquire()
        except Timeout as exc:
            raise StoreBusyError(waited_s=round(waited_s)) from exc
        try:
            yield
        finally:
            lock.release()

    def _prepare(self) -> None:
        try:
            found = self._schema_version()
            if found is None:
                self._create()
                found = self._schema_version()
        except DatabaseError as exc:
            raise StoreDamagedError(reason=str(exc.orig)) from exc
        if found != str(schema.SCHEMA_VERSION):
            raise StoreVersionError(found=found, expected=schema.SCHEMA_VERSION)

    def _create(self) -> None:
        with self.exclusive(), self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            schema.metadata.create_all(connection)
            rows = [
                {"key": "schema_version", "value": str(schema.SCHEMA_VERSION)},
                {"key": "generation", "value": "0"},
            ]
            connection.execute(sa.insert(schema.meta).prefix_with("OR IGNORE"), rows)
            connection.commit()

    def _schema_version(self) -> str | None:
        with self._engine.connect() as connection:
            if not sa.inspect(connection).has_table("meta"):
                return None
            query = sa.select(schema.meta.c.value).where(schema.meta.c.key == "schema_version")
            return connection.execute(query).scalar()


def _require_writable(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as exc:
        raise HomeUnwritableError(home=home, reason=exc.strerror or "?") from exc


def _configure(connection: SqliteConnection, _record: object) -> None:
    # Autocommit in the driver: transactions begin only where this program says BEGIN.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()
