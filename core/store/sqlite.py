"""SQLite: one file, durable commits, readers on one snapshot beside one writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from core.errors import HomeUnwritableError, StoreBusyError, StoreDamagedError, YoujuError
from core.store.waiting import Waiting

# For programs that do not know of the writers' lock, such as a database browser.
_BUSY_TIMEOUT_S: Final = 30
# A record of an answer is not worth more patience: the user is waiting for the answer itself.
_RECORD_TIMEOUT_S: Final = 3
_COMPACT_TIMEOUT_S: Final = 1
_UNWRITABLE: Final = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")


class SqliteDatabase:
    """The file ``youju.db`` under ``home``. Safe to share between threads."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(home / "youju.db")),
            connect_args={"timeout": _BUSY_TIMEOUT_S},
            # A reader keeps its connection from search to citation; how many there are is not for us to limit.
            max_overflow=-1,
        )
        sa.event.listen(self._engine, "connect", _configure)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection that sees one generation."""
        with self._translated(), self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            yield connection

    @contextmanager
    def writing(self, waiting: Waiting) -> Iterator[sa.Connection]:
        """A transaction beside which nobody writes; what its user does not commit is undone."""
        with self._translated(), self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def recording(self) -> Iterator[sa.Connection]:
        """A short transaction of its own, between those of whoever holds the writers' lock."""
        with self._translated(), self._engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_RECORD_TIMEOUT_S * 1000}")
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
            finally:
                # The connection goes back to the pool for others, who have more patience.
                connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_S * 1000}")

    @contextmanager
    def locked(self, waiting: Waiting) -> Iterator[None]:
        """Nothing beside the lock file: all writers are on this machine."""
        yield

    def compact(self) -> None:
        """Fold the log into the file and empty it, as far as no reader still needs it."""
        with self._translated(), self._engine.connect() as connection:
            # A reader may go on for minutes; what it holds back goes with the next removal.
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_COMPACT_TIMEOUT_S * 1000}")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_S * 1000}")

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError as exc:
            raise self._error(exc) from exc
        except UnicodeDecodeError as exc:
            # The driver's own message quotes what it found in the damaged file.
            raise StoreDamagedError(reason="its description of the tables is no text") from exc

    def _error(self, exc: DatabaseError) -> YoujuError:
        name = str(getattr(exc.orig, "sqlite_errorname", ""))
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return StoreBusyError(waited_s=_BUSY_TIMEOUT_S)
        if name.startswith(_UNWRITABLE):
            return HomeUnwritableError(home=self._home, reason=str(exc.orig))
        return StoreDamagedError(reason=str(exc.orig))


def _configure(connection: SqliteConnection, _record: object) -> None:
    # Autocommit in the driver: transactions begin only where this program says BEGIN.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    # What is deleted is overwritten; damaged pages are noticed before they are used.
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.execute("PRAGMA cell_size_check=ON")
    cursor.close()
