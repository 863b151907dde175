"""Questions to the store, all answered from one generation."""

from __future__ import annotations

import sqlalchemy as sa

from core.store import schema
from core.store.answers import Answers
from core.store.chunks import Chunks
from core.store.documents import Documents
from core.store.history import History
from core.store.orphans import Orphans
from core.store.raw_rows import RawRows
from core.store.stored_vectors import StoredVectors


class Reader(Documents, History, Chunks, StoredVectors, RawRows, Orphans, Answers):
    """Read access inside one transaction."""

    def generation(self) -> int:
        """A number that grows with every change of what is stored."""
        return int(self._meta("generation") or 0)

    def identity(self) -> str:
        """What tells this store from every other one, so that nothing is taken for its own that is not."""
        return self._meta("identity") or ""

    def embedding_model(self) -> str | None:
        """Fingerprint of the model that made the vectors; ``None`` while nothing is stored."""
        return self._meta("embedding_model")

    def collection_of_documents(self) -> dict[str, str]:
        """Collection name by document id."""
        return {row.document_id: row.collection for row in self.current_versions()}

    def count(self, table: str) -> int:
        """Rows of a table, for checks."""
        query = sa.select(sa.func.count()).select_from(schema.metadata.tables[table])
        return int(self._connection.execute(query).scalar_one())
