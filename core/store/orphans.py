"""Rows that belong to nothing: what a whole store never has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from core.store import schema
from core.store.rows import Rows

Condition = sa.ColumnElement[bool]


class Orphans(Rows):
    """Part of ``Reader``."""

    def orphans(self) -> dict[str, int]:
        """How many rows of which table belong to nothing; tables without any are left out."""
        counts = {
            table.name: self._connection.execute(
                sa.select(sa.func.count()).select_from(table).where(condition)
            ).scalar_one()
            for table, condition in orphan_rows()
        }
        return {name: count for name, count in counts.items() if count}


def orphan_rows() -> Iterator[tuple[sa.Table, Condition]]:
    """Each table with the condition of its orphans, what others hang on first."""
    d, v, k = schema.documents, schema.versions, schema.chunks
    yield d, _without(d.c.version_id, v.c.id) | _without(d.c.collection_id, schema.collections.c.id)
    yield v, _without(v.c.document_id, d.c.id)
    # Blocks stay with earlier versions, everything else belongs to current ones.
    yield schema.blocks, _without(schema.blocks.c.version_id, v.c.id)
    for table in (schema.page_lines, schema.parents, k):
        yield table, _without(table.c.version_id, d.c.version_id)
    for table in (schema.vectors, schema.sentence_vectors):
        yield table, _without(table.c.embed_hash, k.c.embed_hash)


def _without(column: sa.Column[Any], other: sa.Column[Any]) -> Condition:
    """The rows whose ``column`` names nothing in ``other``."""
    return ~sa.exists(sa.select(1).where(other == column).correlate(column.table))
