"""Rows of the tables as plain values: what is taken out of one store to be put into another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

import sqlalchemy as sa

from core.chunk import Parent
from core.document import Block, Line
from core.store import schema
from core.store.chunks import chunk_of, parent_of
from core.store.documents import block_of, line_of
from core.store.records import ChunkRow
from core.store.rows import Record, Rows
from core.store.upsert import RowValues as RowValues

Check = Callable[[object], bool]

# The tables whose rows belong to one version of a document.
VERSION_TABLES: Final = ("blocks", "page_lines", "parents", "chunks")


class RawRows(Rows):
    """Part of ``Reader``."""

    def raw_document(self, document_id: str) -> RowValues:
        """The row of ``documents``."""
        table = schema.documents
        found = self._connection.execute(sa.select(table).where(table.c.id == document_id)).one()
        return dict(found._mapping)

    def raw_version(self, version_id: str) -> dict[str, list[RowValues]]:
        """The rows of one version by table; ``versions`` holds one."""
        v = schema.versions
        found = {"versions": self._raw(sa.select(v).where(v.c.id == version_id))}
        for name in VERSION_TABLES:
            table = schema.metadata.tables[name]
            query = sa.select(table).where(table.c.version_id == version_id).order_by(table.c.ordinal)
            found[name] = self._raw(query)
        return found

    def _raw(self, query: sa.Select[Any]) -> list[RowValues]:
        return list(self._read(query, lambda row: dict(row._mapping)))


def checked_rows(table: str, rows: object) -> list[RowValues]:
    """``rows`` as they may be stored. Raises ``ValueError`` where a column is missing, unknown or of another type.

    JSON columns are lists of whatever JSON knows; what they mean is for the caller to check.
    """
    if not isinstance(rows, list):
        raise ValueError(f"{table}: expected a list of rows")
    columns = {column.name: _check_of(column) for column in schema.metadata.tables[table].c}
    for row in rows:
        if not isinstance(row, dict) or row.keys() != columns.keys():
            raise ValueError(f"{table}: expected the columns {', '.join(columns)}")
        for name, value in row.items():
            if not columns[name](value):
                raise ValueError(f"{table}.{name}: {str(value)[:60]!r} cannot be stored")
    return rows


def records_of(
    rows: Mapping[str, Sequence[RowValues]], document_id: str
) -> tuple[tuple[Block, ...], tuple[Line, ...], tuple[Parent, ...], tuple[ChunkRow, ...]]:
    """The blocks, lines, parents and chunks of one version, in the order of the rows.

    Raises ``ValueError`` for a span that is none and ``StoreDamagedError`` for a text of another hash.
    """

    def made(table: str, make: Callable[[Any], Record]) -> tuple[Record, ...]:
        return tuple(make(SimpleNamespace(**row, document_id=document_id)) for row in rows[table])

    return (
        made("blocks", block_of),
        made("page_lines", line_of),
        made("parents", parent_of),
        made("chunks", chunk_of),
    )


def strings(value: object) -> bool:
    """Whether ``value`` is a list of texts that can be stored."""
    return isinstance(value, list) and all(_is_text(item) for item in value)


def _check_of(column: sa.Column[Any]) -> Check:
    check = next(check for kind, check in _CHECKS.items() if isinstance(column.type, kind))
    return (lambda value: value is None or check(value)) if column.nullable else check


def _is_text(value: object) -> bool:
    """No database stores halves of surrogate pairs."""
    return isinstance(value, str) and (
        value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)
    )


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**31


def _is_large_number(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_finite(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


def _is_json(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(item) or _is_json(item) for item in value)


_CHECKS: Final[Mapping[type[Any], Check]] = {
    sa.Float: _is_finite, sa.BigInteger: _is_large_number, sa.Integer: _is_number,
    sa.JSON: _is_json, schema.Text: _is_text,
}  # fmt: skip
