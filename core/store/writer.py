"""Changes of the store, all inside one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa

from core.errors import DocumentOwnedError, ModelMismatchError
from core.hashing import stable_id
from core.protocols import Vectors
from core.scope import Visibility
from core.store import prepared_rows, schema, upsert
from core.store.reader import Reader
from core.store.records import PreparedDocument, SentenceVectors
from core.store.records import embed_hash_of as embed_hash_of
from core.store.repairs import Repairs
from core.store.rows import batches

# What only current versions have; blocks stay with the text of earlier ones, which says where a change is.
_CURRENT_ONLY: Final = (schema.page_lines, schema.parents, schema.chunks)


class Writer(Repairs):
    """Write access; ``Store.write`` commits what it did."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self.reader = Reader(connection)
        self._changed = False

    def put(self, prepared: PreparedDocument) -> int:
        """Store a document, replacing the version of the same name in the same collection.

        Returns the version's number, from 1.

        Raises ``ModelMismatchError`` when the store was embedded with another model and
        ``DocumentOwnedError`` when the document of that name belongs to another user.
        """
        self._claim_model(prepared.model)
        collection_id = self.ensure_collection(prepared.collection)
        document_id = document_id_of(prepared.collection, prepared.name)
        number, retired = self._retire(document_id, prepared)
        self._insert_version(prepared, document_id, number + 1)
        self._insert_document(prepared, document_id, collection_id, number + 1)
        self._insert_structure(prepared)
        self.put_vectors(prepared.vectors, prepared.model)
        self.put_sentence_vectors(prepared.sentence_vectors, prepared.model)
        self._drop_unused_vectors(retired)
        self._changed = True
        return number + 1

    def restore(self, rows: Mapping[str, Sequence[upsert.RowValues]], model: str | None) -> None:
        """Store rows by table as another store had them; their vectors are put apart.

        Raises ``ModelMismatchError`` when the store was embedded with another model.
        """
        if model is not None:
            self._claim_model(model)
        for table, values in rows.items():
            upsert.insert(self._connection, schema.metadata.tables[table], values)
        self._changed = True

    def ensure_collection(self, name: str) -> str:
        """The id of the collection ``name``, which is made when it is new."""
        collection_id = stable_id("collection", name)
        row = {"id": collection_id, "name": name, "created_at": _now(), "members": []}
        upsert.insert_new(self._connection, schema.collections, [row])
        return collection_id

    def set_members(self, collection: str, members: Sequence[str]) -> None:
        """Say who may open a collection; nobody named means everyone. Raises ``UnknownCollectionError``."""
        self.reader.require_collections((collection,))
        c = schema.collections
        values = {"members": list(dict.fromkeys(members))}
        self._connection.execute(sa.update(c).where(c.c.name == collection).values(values))
        self._changed = True

    def share(
        self, document_id: str, *, owner: str | None = None, visibility: Visibility | None = None
    ) -> None:
        """Change whose a document is, or who sees it; ``None`` leaves that as it is."""
        values = _access(owner, visibility)
        if values:
            d = schema.documents
            self._connection.execute(sa.update(d).where(d.c.id == document_id).values(values))
            self._changed = True

    def remove(self, document_ids: Sequence[str]) -> frozenset[str]:
        """Delete documents with all their versions; returns hashes of originals nobody needs any more."""
        if not document_ids:
            return frozenset()
        d, v = schema.documents, schema.versions
        sources: set[str] = set()
        hashes: set[str] = set()
        for part in batches(document_ids):
            query = sa.select(v.c.source_sha256).where(v.c.document_id.in_(part))
            sources.update(self._connection.execute(query).scalars())
            hashes |= self._drop_structure(part)
            self._connection.execute(sa.delete(d).where(d.c.id.in_(part)))
            self._connection.execute(sa.delete(v).where(v.c.document_id.in_(part)))
        self._drop_unused_vectors(hashes)
        self._changed = True
        return frozenset(sources - self.reader.source_hashes())

    def remove_collection(self, name: str) -> frozenset[str]:
        """Delete a collection with its documents; returns as ``remove``. Raises ``UnknownCollectionError``."""
        orphans = self.remove([row.id for row in self.reader.documents([name])])
        self._connection.execute(sa.delete(schema.collections).where(schema.collections.c.name == name))
        self._changed = True
        return orphans

    def drop_empty_collections(self, prefix: str) -> None:
        """Forget collections of that name prefix that hold no document."""
        c, d = schema.collections, schema.documents
        named = sa.func.substr(c.c.name, 1, len(prefix)) == prefix
        self._connection.execute(sa.delete(c).where(named, c.c.id.not_in(sa.select(d.c.collection_id))))

    def put_vectors(self, vectors: Mapping[str, Vectors], model: str) -> None:
        """Store vectors by hash of the embedded text; those already there stay."""
        rows = [prepared_rows.vector_row(key, model, vector) for key, vector in vectors.items()]
        upsert.insert_new(self._connection, schema.vectors, rows)

    def put_sentence_vectors(self, sentences: Mapping[str, SentenceVectors], model: str) -> None:
        """Store the vectors of chunks' sentences by hash of the embedded text; those already there stay."""
        rows = [prepared_rows.sentence_row(key, model, value) for key, value in sentences.items()]
        upsert.insert_new(self._connection, schema.sentence_vectors, rows)

    def change_model(self, model: str) -> None:
        """Declare ``model`` the store's embedding model and drop the vectors of all others."""
        self._set_meta("embedding_model", model)
        for table in (schema.vectors, schema.sentence_vectors):
            self._connection.execute(sa.delete(table).where(table.c.model != model))
        self._changed = True

    def touch(self) -> None:
        """Start a new generation although nothing else changes (forces a rebuild of the indexes)."""
        self._changed = True

    def finish(self) -> None:
        """Count the generation up if anything changed; called once before the commit."""
        if self._changed:
            self._set_meta("generation", str(self.reader.generation() + 1))

    def _claim_model(self, model: str) -> None:
        stored = self.reader.embedding_model()
        if stored is None or self.reader.count("documents") == 0:
            self.change_model(model)
        elif stored != model:
            raise ModelMismatchError(stored=stored, current=model)

    def _retire(self, document_id: str, successor: PreparedDocument) -> tuple[int, set[str]]:
        """Remove the current version's structure; its text stays as history.

        Returns its number, 0 without one, and the hashes of what it had embedded.
        """
        d = schema.documents
        query = sa.select(d.c.version_number, d.c.owner).where(d.c.id == document_id)
        current = self._connection.execute(query).first()
        if current is None:
            return 0, set()
        if not may_replace(successor.owner, current.owner):
            raise DocumentOwnedError(name=successor.name)
        return int(current.version_number), self._drop_structure([document_id], _CURRENT_ONLY)

    def _drop_structure(
        self, document_ids: Sequence[str], tables: Sequence[sa.Table] = (schema.blocks, *_CURRENT_ONLY)
    ) -> set[str]:
        """Delete blocks, lines, parents and chunks; returns the hashes of what was embedded."""
        v, k = schema.versions, schema.chunks
        ids = sa.select(v.c.id).where(v.c.document_id.in_(document_ids))
        hashes = set(
            self._connection.execute(sa.select(k.c.embed_hash).where(k.c.version_id.in_(ids))).scalars()
        )
        for table in tables:
            self._connection.execute(sa.delete(table).where(table.c.version_id.in_(ids)))
        return hashes

    def _drop_unused_vectors(self, hashes: set[str]) -> None:
        """Of these hashes, forget those that no chunk has any more."""
        k = schema.chunks
        for part in batches(sorted(hashes)):
            used = sa.select(k.c.embed_hash).where(k.c.embed_hash.in_(part))
            unused = set(part) - set(self._connection.execute(used).scalars())
            for table in (schema.vectors, schema.sentence_vectors):
                self._connection.execute(sa.delete(table).where(table.c.embed_hash.in_(sorted(unused))))

    def _insert_version(self, prepared: PreparedDocument, document_id: str, number: int) -> None:
        v = schema.versions
        self._set_aside(prepared.version_id)
        upsert.insert(self._connection, v, [prepared_rows.version_row(prepared, document_id, number, _now())])

    def _set_aside(self, version_id: str) -> None:
        """A document that goes back to earlier bytes has its earlier version id again: what bore that id
        until now stays as history under one of its own."""
        v, b = schema.versions, schema.blocks
        number = self._connection.execute(sa.select(v.c.number).where(v.c.id == version_id)).scalar()
        if number is not None:
            aside = stable_id("version", version_id, number)
            self._connection.execute(sa.update(v).where(v.c.id == version_id).values(id=aside))
            self._connection.execute(
                sa.update(b).where(b.c.version_id == version_id).values(version_id=aside)
            )

    def _insert_document(
        self, prepared: PreparedDocument, document_id: str, collection_id: str, number: int
    ) -> None:
        d = schema.documents
        values: dict[str, object] = {
            "version_id": prepared.version_id,
            "version_number": number,
            "updated_at": _now(),
            **_access(prepared.owner, prepared.visibility),
        }
        if number > 1:
            self._connection.execute(sa.update(d).where(d.c.id == document_id).values(values))
        else:
            row = {"id": document_id, "collection_id": collection_id, "name": prepared.name}
            upsert.insert(self._connection, d, [row | values | {"created_at": _now()}])

    def _insert_structure(self, prepared: PreparedDocument) -> None:
        for table, rows in (
            (schema.blocks, prepared_rows.block_rows(prepared)),
            (schema.page_lines, prepared_rows.line_rows(prepared)),
            (schema.parents, prepared_rows.parent_rows(prepared)),
            (schema.chunks, prepared_rows.chunk_rows(prepared)),
        ):
            upsert.insert(self._connection, table, rows)

    def _set_meta(self, key: str, value: str) -> None:
        upsert.insert_or_replace(self._connection, schema.meta, [{"key": key, "value": value}])


def document_id_of(collection: str, name: str) -> str:
    """The id of a document: it depends on its collection and name alone."""
    return stable_id("document", collection, name)


def may_replace(user: str | None, owner: str) -> bool:
    """Whether ``user`` may put a new version in place of a document of ``owner``; the operator always may."""
    return user is None or owner in ("", user)


def _access(owner: str | None, visibility: Visibility | None) -> dict[str, object]:
    """The columns that say who may see a document, of what is not ``None``."""
    values: dict[str, object] = {} if owner is None else {"owner": owner}
    return values if visibility is None else values | {"visibility": visibility.value}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
