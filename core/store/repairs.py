"""Changes that mend a store: what is broken is dropped, so that it can be made anew."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from core.store import schema
from core.store.orphans import orphan_rows
from core.store.rows import batches


class Repairs:
    """Part of ``Writer``."""

    _connection: sa.Connection
    _changed: bool

    def drop_vectors(self, hashes: Sequence[str]) -> None:
        """Forget the vectors of texts, to be made anew."""
        for part in batches(hashes):
            for table in (schema.vectors, schema.sentence_vectors):
                self._connection.execute(sa.delete(table).where(table.c.embed_hash.in_(part)))

    def drop_orphans(self) -> dict[str, int]:
        """Delete the rows that belong to nothing; returns how many of which table.

        A document whose current version is not the newest one gets that; what it holds beside its text is lost.
        """
        dropped: dict[str, int] = {}
        self._point_to_newest()
        for table, condition in orphan_rows():
            if count := self._connection.execute(sa.delete(table).where(condition)).rowcount:
                dropped[table.name] = count
        self._changed = True
        return dropped

    def _point_to_newest(self) -> None:
        d, v, of_same = schema.documents, schema.versions, schema.versions.alias()
        newest = sa.select(sa.func.max(of_same.c.number)).where(of_same.c.document_id == d.c.id)
        current = schema.versions.alias()
        is_newest = sa.exists().where(
            current.c.id == d.c.version_id, current.c.number == newest.correlate(d).scalar_subquery()
        )
        query = (
            sa.select(d.c.id, v.c.id, v.c.number)
            .join(v, v.c.document_id == d.c.id)
            .where(v.c.number == newest.scalar_subquery(), ~is_newest.correlate(d))
        )
        for document_id, version_id, number in self._connection.execute(query).all():
            values = {"version_id": version_id, "version_number": number}
            self._connection.execute(sa.update(d).where(d.c.id == document_id).values(values))

    def require_reading(self, version_id: str) -> None:
        """Let the next adding of the same bytes read them again, whatever the settings."""
        v = schema.versions
        self._connection.execute(sa.update(v).where(v.c.id == version_id).values(fingerprint=""))

    def drop_version(self, version_id: str) -> None:
        """Forget an earlier version, which is not the current one of any document."""
        v, b, d = schema.versions, schema.blocks, schema.documents
        is_current = sa.exists().where(d.c.version_id == version_id)
        for table, column in ((b, b.c.version_id), (v, v.c.id)):
            self._connection.execute(sa.delete(table).where(column == version_id, ~is_current))
