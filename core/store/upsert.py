"""Inserts that meet a row of the same key, said alike for every database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

RowValues = Mapping[str, object]
# One statement for that many rows at most: what a connection buffers stays small.
_ROWS = 1000


def insert_new(connection: sa.Connection, table: sa.Table, rows: Sequence[RowValues]) -> None:
    """Insert the rows; where the key is taken already, the stored row stays."""
    _insert(connection, _statement(connection, table).on_conflict_do_nothing(), rows)


def insert_or_replace(connection: sa.Connection, table: sa.Table, rows: Sequence[RowValues]) -> None:
    """Insert the rows; where the key is taken already, its other values are replaced."""
    statement = _statement(connection, table)
    keys = [column.name for column in table.primary_key]
    values = {column.name: statement.excluded[column.name] for column in table.c if column.name not in keys}
    _insert(connection, statement.on_conflict_do_update(index_elements=keys, set_=values), rows)


def insert(connection: sa.Connection, table: sa.Table, rows: Sequence[RowValues]) -> None:
    """Insert the rows, which must be new."""
    _insert(connection, sa.insert(table), rows)


def _statement(connection: sa.Connection, table: sa.Table) -> Any:
    """Both databases have the same clause, in dialects of their own."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)


def _insert(connection: sa.Connection, statement: sa.Insert, rows: Sequence[RowValues]) -> None:
    for start in range(0, len(rows), _ROWS):
        connection.execute(statement, [dict(row) for row in rows[start : start + _ROWS]])
