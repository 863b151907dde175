"""PostgreSQL: the same tables on a server, for several machines at once."""

from __future__ import annotations

import os
import platform
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from core.errors import MissingExtraError, SettingsError, StoreError, StoreUnreachableError
from core.store.waiting import UNKNOWN, Holder, Waiting

SETTING: Final = "YOUJU_STORE_URL"
_INSTALL: Final = "pip install 'youju[postgres]'"
# Connections of one process: a reader keeps one from search to citation. Servers allow 100 by default.
_POOL: Final = {"pool_size": 5, "max_overflow": 25, "pool_timeout": 30, "pool_pre_ping": True}
_CONNECT_TIMEOUT_S: Final = 10
# The first of the lock's two numbers, "yuju" in ASCII; the second is the schema's, so that one database may
# hold several knowledge bases.
_LOCK: Final = 0x79756A75
_TRY_LOCK: Final = sa.text(
    "SELECT pg_try_advisory_xact_lock(:lock, hashtext(coalesce(current_schema(), '')))"
)
_HOLDER: Final = sa.text(
    "SELECT a.application_name, a.xact_start FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = :lock "
    "AND l.objid::bigint = (hashtext(coalesce(current_schema(), ''))::bigint & 4294967295) "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class PostgresDatabase:
    """Tables in the database that ``url`` names. Safe to share between threads.

    Raises ``SettingsError`` for a URL of another kind and ``MissingExtraError`` without the driver.
    """

    def __init__(self, url: str) -> None:
        self._url = _checked(url)
        try:
            self._engine = sa.create_engine(self._url, connect_args=_options(self._url), **_POOL)
        except ModuleNotFoundError as exc:
            raise MissingExtraError(name="PostgreSQL", install=_INSTALL) from exc
        # Commands end without closing what they opened; the server is told all the same.
        weakref.finalize(self, self._engine.dispose)
        self._readers = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection that sees one generation."""
        with self._translated(), self._readers.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, waiting: Waiting) -> Iterator[sa.Connection]:
        """A transaction beside which nobody writes; what its user does not commit is undone.

        The transaction itself holds the lock: when the connection is lost, so are both.
        """
        with self._translated(), self._engine.connect() as connection:
            waiting.until(
                lambda: bool(connection.execute(_TRY_LOCK, {"lock": _LOCK}).scalar()),
                lambda: _holder(connection),
            )
            yield connection

    @contextmanager
    def recording(self) -> Iterator[sa.Connection]:
        """A transaction without the lock: its rows are in no other writer's way."""
        with self._translated(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def locked(self, waiting: Waiting) -> Iterator[None]:
        """The writers' lock of all machines."""
        with self.writing(waiting):
            yield

    def compact(self) -> None:
        """Nothing: the server cleans up by itself."""

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (OperationalError, InterfaceError, PoolTimeoutError) as exc:
            raise StoreUnreachableError(where=self._where(), reason=self._reason(exc)) from exc
        except DBAPIError as exc:
            raise StoreError(reason=self._reason(exc)) from exc

    def _where(self) -> str:
        """The address without the user's name and password."""
        port = f":{self._url.port}" if self._url.port else ""
        return f"{self._url.host or 'localhost'}{port}/{self._url.database or ''}"

    def _reason(self, exc: Exception) -> str:
        """The first line of what the driver says, never with the password."""
        text = str(getattr(exc, "orig", None) or exc).strip().split("\n")[0]
        return text.replace(str(self._url.password), "***") if self._url.password else text


def _checked(url: str) -> sa.URL:
    try:
        made = sa.make_url(url)
    except (ArgumentError, ValueError) as exc:
        # The text itself may hold a password, so it is not repeated.
        raise SettingsError(name=SETTING, reason="expected postgresql://user:password@host/database") from exc
    if made.drivername not in ("postgres", "postgresql", "postgresql+psycopg"):
        raise SettingsError(name=SETTING, reason=f"expected postgresql://..., got {made.drivername}://...")
    return made.set(drivername="postgresql+psycopg")


def _options(url: sa.URL) -> dict[str, Any]:
    """What is asked of each connection, unless the URL says otherwise."""
    wanted = {
        "connect_timeout": _CONNECT_TIMEOUT_S,
        "client_encoding": "utf8",
        "application_name": f"youju {os.getpid()} {platform.node()}",
    }
    return {key: value for key, value in wanted.items() if key not in url.query}


def _holder(connection: sa.Connection) -> Holder:
    row = connection.execute(_HOLDER, {"lock": _LOCK}).first()
    name, _, host = (row.application_name if row else "").removeprefix("youju ").partition(" ")
    if row is None or row.xact_start is None or not name.isdigit():
        return UNKNOWN
    return Holder(pid=int(name), host=host, since=row.xact_start)
