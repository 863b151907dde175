"""The tables of the history, made and brought up to date by this program; where their database lies."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError

from core.errors import (
    MissingExtraError,
    SettingsError,
    StoreDamagedError,
    StoreUnreachableError,
    StoreVersionError,
)

_FILE: Final = "chat.db"
_SETTING: Final = "YOUJU_SERVER__HISTORY_URL"
_INSTALL: Final = "pip install 'youju[postgres]'"

# One tuple of statements a version. Names of columns are Chainlit's; JSON is kept as text in every database.
# No foreign keys: Chainlit writes a chat's steps, elements and the chat itself in any order.
_VERSIONS: Final = (
    (
        'CREATE TABLE users ("id" TEXT PRIMARY KEY, "identifier" TEXT NOT NULL UNIQUE, '
        '"metadata" TEXT NOT NULL, "createdAt" TEXT)',
        'CREATE TABLE threads ("id" TEXT PRIMARY KEY, "createdAt" TEXT, "name" TEXT, "userId" TEXT, '
        '"userIdentifier" TEXT, "tags" TEXT, "metadata" TEXT)',
        'CREATE TABLE steps ("id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "type" TEXT NOT NULL, '
        '"threadId" TEXT NOT NULL, "parentId" TEXT, "command" TEXT, "modes" TEXT, "streaming" BOOLEAN NOT NULL, '
        '"waitForAnswer" BOOLEAN, "isError" BOOLEAN, "metadata" TEXT, "tags" TEXT, "input" TEXT, '
        '"output" TEXT, "createdAt" TEXT, "start" TEXT, "end" TEXT, "generation" TEXT, "showInput" TEXT, '
        '"defaultOpen" BOOLEAN, "autoCollapse" BOOLEAN, "language" TEXT, "icon" TEXT, "indent" INTEGER)',
        'CREATE TABLE elements ("id" TEXT PRIMARY KEY, "threadId" TEXT, "type" TEXT, "chainlitKey" TEXT, '
        '"path" TEXT, "url" TEXT, "objectKey" TEXT, "name" TEXT NOT NULL, "display" TEXT, "size" TEXT, '
        '"language" TEXT, "page" INTEGER, "props" TEXT DEFAULT \'{}\', "autoPlay" BOOLEAN, '
        '"playerConfig" TEXT, "forId" TEXT, "mime" TEXT)',
        'CREATE TABLE feedbacks ("id" TEXT PRIMARY KEY, "forId" TEXT NOT NULL, "threadId" TEXT, '
        '"value" INTEGER NOT NULL, "comment" TEXT)',
        'CREATE INDEX ix_threads_user ON threads ("userId")',
        'CREATE INDEX ix_steps_thread ON steps ("threadId")',
        'CREATE INDEX ix_elements_thread ON elements ("threadId")',
        'CREATE INDEX ix_feedbacks_for ON feedbacks ("forId")',
    ),
)


def database_url(home: Path, url: str) -> sa.URL:
    """The address for plain connections; ``url`` empty: a file under ``home``. Raises ``SettingsError``."""
    if not url:
        return sa.URL.create("sqlite", database=str(home / _FILE))
    try:
        made = sa.make_url(url)
    except (ArgumentError, ValueError) as exc:
        # The text itself may hold a password, so it is not repeated.
        raise SettingsError(
            name=_SETTING, reason="expected postgresql://user:password@host/database"
        ) from exc
    if made.drivername not in ("postgres", "postgresql", "postgresql+psycopg"):
        raise SettingsError(name=_SETTING, reason=f"expected postgresql://..., got {made.drivername}://...")
    return made.set(drivername="postgresql+psycopg")


def prepare(url: sa.URL) -> None:
    """Make what is missing; several programs may do so at once, one after the other.

    Raises ``StoreVersionError`` for tables of a newer program, ``StoreDamagedError``,
    ``StoreUnreachableError`` or ``MissingExtraError``.
    """
    if url.database and url.drivername == "sqlite":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    try:
        engine = sa.create_engine(url, hide_parameters=True)
    except ModuleNotFoundError as exc:
        raise MissingExtraError(name="PostgreSQL", install=_INSTALL) from exc
    try:
        with engine.begin() as connection:
            _lock(connection)
            _bring_up_to_date(connection)
    except DBAPIError as exc:
        reason = str(exc.orig).strip().split("\n")[0]
        if url.drivername == "sqlite":
            raise StoreDamagedError(reason=f"{_FILE}: {reason}") from exc
        raise StoreUnreachableError(
            where=f"{url.host or 'localhost'}/{url.database or ''}", reason=reason
        ) from exc
    finally:
        engine.dispose()


def _lock(connection: sa.Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA busy_timeout=30000")
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        # "chat" in ASCII: not the lock of those who write documents.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(1667785076, hashtext(current_schema()))")


def _bring_up_to_date(connection: sa.Connection) -> None:
    connection.exec_driver_sql('CREATE TABLE IF NOT EXISTS chat_version ("version" INTEGER NOT NULL)')
    found = connection.exec_driver_sql('SELECT "version" FROM chat_version').scalar() or 0
    if found > len(_VERSIONS):
        raise StoreVersionError(found=found, expected=len(_VERSIONS))
    for statements in _VERSIONS[found:]:
        for statement in statements:
            connection.exec_driver_sql(statement)
    connection.exec_driver_sql("DELETE FROM chat_version")
    connection.execute(
        sa.text('INSERT INTO chat_version ("version") VALUES (:version)'), {"version": len(_VERSIONS)}
    )
