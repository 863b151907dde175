"""From the schema of an earlier version of the program to today's, in one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Final

import sqlalchemy as sa

from core.errors import StoreDamagedError, StoreVersionError
from core.language import language_of
from core.store import schema, upsert
from core.store.records import text_hash_of

# Rows that are looked at together when a column is filled.
_BATCH: Final = 500


def schema_version(connection: sa.Connection) -> str | None:
    """The version of the stored schema; ``None`` while there are no tables."""
    if not sa.inspect(connection).has_table("meta"):
        return None
    return stored_version(connection)


def stored_version(connection: sa.Connection) -> str:
    """The version that the tables say they have. Raises ``StoreDamagedError`` when they say nothing."""
    query = sa.select(schema.meta.c.value).where(schema.meta.c.key == "schema_version")
    version: str | None = connection.execute(query).scalar()
    if version is None:
        raise StoreDamagedError(reason="the version of its schema is missing")
    return version


def create(connection: sa.Connection) -> None:
    """All tables, empty, at generation 0."""
    schema.metadata.create_all(connection)
    rows = {"schema_version": str(schema.SCHEMA_VERSION), "generation": "0", "identity": uuid.uuid4().hex}
    upsert.insert_new(connection, schema.meta, [{"key": key, "value": value} for key, value in rows.items()])


def require_current(found: str) -> None:
    """Raises ``StoreVersionError`` for any schema but today's."""
    if found != str(schema.SCHEMA_VERSION):
        raise StoreVersionError(found=found, expected=schema.SCHEMA_VERSION)


def migrate(connection: sa.Connection, found: str) -> None:
    """Bring the tables to today's schema; the caller commits. Raises ``StoreVersionError`` when it cannot."""
    steps = _STEPS[int(found) - 1 :] if found.isdecimal() and int(found) else ()
    if not steps:
        require_current(found)
    for step in steps:
        step(connection)
    row = {"key": "schema_version", "value": str(schema.SCHEMA_VERSION)}
    upsert.insert_or_replace(connection, schema.meta, [row])


def _from_1(connection: sa.Connection) -> None:
    """Owners, members, visibility; language and dates of chunks; hashes of texts; sentence vectors."""
    for table, column in (
        ("collections", "members JSON NOT NULL DEFAULT '[]'"),
        ("documents", "owner TEXT NOT NULL DEFAULT ''"),
        ("documents", "visibility TEXT NOT NULL DEFAULT 'collection'"),
        ("versions", "text_sha256 TEXT NOT NULL DEFAULT ''"),
        ("chunks", "language TEXT NOT NULL DEFAULT ''"),
        ("chunks", "dates JSON NOT NULL DEFAULT '[]'"),
    ):
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {column}")
    connection.exec_driver_sql(
        "CREATE TABLE sentence_vectors (embed_hash TEXT NOT NULL, model TEXT NOT NULL, spans BLOB NOT NULL, "
        "scales BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (embed_hash, model))"
    )
    _fill(connection, "versions", "text", "text_sha256", text_hash_of)
    _fill(connection, "chunks", "embed_text", "language", language_of)
    upsert.insert_new(connection, schema.meta, [{"key": "identity", "value": uuid.uuid4().hex}])


def _fill(
    connection: sa.Connection, table: str, source: str, target: str, make: Callable[[str], str]
) -> None:
    """Set the column ``target`` of every row to what ``make`` gives for its column ``source``."""
    ids = list(connection.execute(sa.text(f"SELECT id FROM {table} ORDER BY id")).scalars())
    one = sa.text(f"SELECT {source} FROM {table} WHERE id = :id")
    update = sa.text(f"UPDATE {table} SET {target} = :value WHERE id = :id")
    for start in range(0, len(ids), _BATCH):
        values = [
            {"id": key, "value": make(connection.execute(one, {"id": key}).scalar_one())}
            for key in ids[start : start + _BATCH]
        ]
        connection.execute(update, values)


def _from_2(connection: sa.Connection) -> None:
    """The records of answers."""
    text = 'VARCHAR COLLATE "C"' if connection.dialect.name == "postgresql" else "TEXT"
    named = ("id", "created_at", "owner", "question", "method", "model", "language", "body")
    columns = [f"{name} {text} NOT NULL" for name in named]
    columns += ["answered BOOLEAN NOT NULL", "complete BOOLEAN NOT NULL", "latency_ms FLOAT NOT NULL"]
    connection.exec_driver_sql(f"CREATE TABLE answers ({', '.join(columns)}, PRIMARY KEY (id))")
    connection.exec_driver_sql("CREATE INDEX ix_answers_created_at ON answers (created_at)")


# The n-th leads from version n to version n + 1. The first is written for SQLite: no server held version 1.
_STEPS: Final[tuple[Callable[[sa.Connection], None], ...]] = (_from_1, _from_2)
