"""Questions about the versions of a document, current and earlier ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from core.errors import UnknownVersionError
from core.store import schema
from core.store.records import DocumentRow
from core.store.rows import Rows, batches


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """One version of a document; ``created_at`` is ISO 8601 in UTC, when it was stored."""

    id: str
    number: int
    created_at: str
    source_sha256: str
    source_bytes: int
    fingerprint: str
    media_type: str
    title: str
    is_current: bool


class History(Rows):
    """Part of ``Reader``."""

    def versions(self, document: DocumentRow) -> tuple[VersionRow, ...]:
        """All versions of a document, the oldest first; the last one is current."""
        v = schema.versions
        names = [name for name in VersionRow.__dataclass_fields__ if name != "is_current"]
        query = sa.select(*(v.c[name] for name in names)).where(v.c.document_id == document.id)

        def made(row: sa.Row[Any]) -> VersionRow:
            return VersionRow(is_current=row.id == document.version_id, **row._mapping)

        return tuple(self._read(query.order_by(v.c.number), made))

    def version_of(self, document: DocumentRow, number: int | None = None) -> VersionRow:
        """The version of that number, the current one by default. Raises ``UnknownVersionError``."""
        versions = self.versions(document)
        wanted = document.version_number if number is None else number
        for row in versions:
            if row.number == wanted:
                return row
        known = ", ".join(str(row.number) for row in versions)
        raise UnknownVersionError(name=document.name, number=wanted, known=known)

    def other_versions(self, version_id: str) -> tuple[str, ...]:
        """Ids of the other versions of the document of ``version_id``, the newest first."""
        v = schema.versions
        own = sa.select(v.c.document_id).where(v.c.id == version_id).scalar_subquery()
        query = sa.select(v.c.id).where(v.c.document_id == own, v.c.id != version_id)
        return tuple(self._connection.execute(query.order_by(v.c.number.desc())).scalars())

    def documents_of_versions(self, ids: Iterable[str]) -> frozenset[str]:
        """Ids of the documents that have a version of those ids."""
        v = schema.versions
        found: set[str] = set()
        for part in batches(ids):
            query = sa.select(v.c.document_id).where(v.c.id.in_(part))
            found.update(self._connection.execute(query).scalars())
        return frozenset(found)
