"""Changes of the store, all inside one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from core.errors import ModelMismatchError
from core.hashing import sha256, stable_id
from core.protocols import Vectors
from core.store import schema
from core.store.reader import Reader
from core.store.records import PreparedDocument


class Writer:
    """Write access; ``Store.write`` commits what it did."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self.reader = Reader(connection)
        self._changed = False

    def put(self, prepared: PreparedDocument) -> int:
        """Store a document, replacing the version of the same name in the same collection.

        Returns the version's number, from 1.

        Raises ``ModelMismatchError`` when the store was embedded with another model.
        """
        self._claim_model(prepared.model)
        collection_id = self.ensure_collection(prepared.collection)
        document_id = document_id_of(prepared.collection, prepared.name)
        number = self._retire(document_id) + 1
        self._insert_version(prepared, document_id, number)
        self._insert_document(prepared, document_id, collection_id, number)
        self._insert_structure(prepared)
        self.put_vectors(prepared.vectors, prepared.model)
        self._changed = True
        return number

    def ensure_collection(self, name: str) -> str:
        """The id of the collection ``name``, which is made when it is new."""
        collection_id = stable_id("collection", name)
        row = {"id": collection_id, "name": name, "created_at": _now()}
        self._connection.execute(sa.insert(schema.collections).prefix_with("OR IGNORE"), row)
        return collection_id

    def remove(self, document_ids: Sequence[str]) -> frozenset[str]:
        """Delete documents with all their versions; returns hashes of originals nobody needs any more."""
        if not document_ids:
            return frozenset()
        v = schema.versions
        query = sa.select(v.c.source_sha256).where(v.c.document_id.in_(document_ids))
        sources = frozenset(self._connection.execute(query).scalars())
        for document_id in document_ids:
            self._drop_structure(document_id)
        self._connection.execute(sa.delete(schema.documents).where(schema.documents.c.id.in_(document_ids)))
        self._connection.execute(sa.delete(v).where(v.c.document_id.in_(document_ids)))
        self._drop_orphan_vectors()
        self._changed = True
        return sources - self.reader.source_hashes()

    def drop_empty_collections(self, prefix: str) -> None:
        """Forget collections of that name prefix that hold no document."""
        c, d = schema.collections, schema.documents
        self._connection.execute(
            sa.delete(c).where(c.c.name.startswith(prefix), c.c.id.not_in(sa.select(d.c.collection_id)))
        )

    def put_vectors(self, vectors: Mapping[str, Vectors], model: str) -> None:
        """Store vectors by hash of the embedded text; those already there stay."""
        rows = [
            {"embed_hash": key, "model": model, "data": vector.astype("float32").tobytes()}
            for key, vector in vectors.items()
        ]
        if rows:
            self._connection.execute(sa.insert(schema.vectors).prefix_with("OR IGNORE"), rows)

    def change_model(self, model: str) -> None:
        """Declare ``model`` the store's embedding model and drop the vectors of all others."""
        self._set_meta("embedding_model", model)
        self._connection.execute(sa.delete(schema.vectors).where(schema.vectors.c.model != model))
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

    def _retire(self, document_id: str) -> int:
        """Remove the current version's structure; its text stays as history. Returns its number."""
        d = schema.documents
        query = sa.select(d.c.version_number).where(d.c.id == document_id)
        number = self._connection.execute(query).scalar()
        if number is not None:
            self._drop_structure(document_id)
        return int(number or 0)

    def _drop_structure(self, document_id: str) -> None:
        v = schema.versions
        ids = sa.select(v.c.id).where(v.c.document_id == document_id)
        for table in (schema.blocks, schema.page_lines, schema.parents, schema.chunks):
            self._connection.execute(sa.delete(table).where(table.c.version_id.in_(ids)))

    def _drop_orphan_vectors(self) -> None:
        used = sa.select(schema.chunks.c.embed_hash)
        self._connection.execute(sa.delete(schema.vectors).where(schema.vectors.c.embed_hash.not_in(used)))

    def _insert_version(self, prepared: PreparedDocument, document_id: str, number: int) -> None:
        document = prepared.document
        notices = [[notice.code, [list(pair) for pair in notice.details]] for notice in document.notices]
        row = {
            "id": prepared.version_id,
            "document_id": document_id,
            "number": number,
            "source_sha256": prepared.source_sha256,
            "source_bytes": prepared.source_bytes,
            "fingerprint": prepared.fingerprint,
            "media_type": document.media_type,
            "title": document.title,
            "language": document.language,
            "page_count": document.page_count,
            "notices": notices,
            "text": document.text,
            "created_at": _now(),
        }
        # A document that goes back to earlier bytes has its earlier version id: it becomes the newest.
        self._connection.execute(
            sa.delete(schema.versions).where(schema.versions.c.id == prepared.version_id)
        )
        self._connection.execute(sa.insert(schema.versions), row)

    def _insert_document(
        self, prepared: PreparedDocument, document_id: str, collection_id: str, number: int
    ) -> None:
        d = schema.documents
        values = {"version_id": prepared.version_id, "version_number": number, "updated_at": _now()}
        if number > 1:
            self._connection.execute(sa.update(d).where(d.c.id == document_id).values(values))
        else:
            row = {"id": document_id, "collection_id": collection_id, "name": prepared.name}
            self._connection.execute(sa.insert(d), row | values | {"created_at": _now()})

    def _insert_structure(self, prepared: PreparedDocument) -> None:
        version = {"version_id": prepared.version_id}
        block_rows: list[dict[str, object]] = [
            version
            | {
                "ordinal": ordinal,
                "kind": block.kind.value,
                "level": block.level,
                "start": block.span.start,
                "end": block.span.end,
                "section_path": list(block.section_path),
            }
            for ordinal, block in enumerate(prepared.document.blocks)
        ]
        line_rows: list[dict[str, object]] = [
            version
            | {"ordinal": ordinal, "start": line.span.start, "end": line.span.end, "page": line.page}
            | {"x0": line.x0, "y0": line.y0, "x1": line.x1, "y1": line.y1}
            for ordinal, line in enumerate(prepared.document.lines)
        ]
        parent_rows = [
            version
            | {
                "id": parent.id,
                "ordinal": parent.ordinal,
                "start": parent.span.start,
                "end": parent.span.end,
                "section_path": list(parent.section_path),
                "token_count": parent.token_count,
            }
            for parent in prepared.parents
        ]
        self._insert_rows(schema.blocks, block_rows)
        self._insert_rows(schema.page_lines, line_rows)
        self._insert_rows(schema.parents, parent_rows)
        self._insert_rows(schema.chunks, _chunk_rows(prepared))

    def _insert_rows(self, table: sa.Table, rows: list[dict[str, object]]) -> None:
        if rows:
            self._connection.execute(sa.insert(table), rows)

    def _set_meta(self, key: str, value: str) -> None:
        row = {"key": key, "value": value}
        self._connection.execute(sa.insert(schema.meta).prefix_with("OR REPLACE"), row)


def document_id_of(collection: str, name: str) -> str:
    """The id of a document: it depends on its collection and name alone."""
    return stable_id("document", collection, name)


def embed_hash_of(embed_text: str) -> str:
    """The key under which the vector of ``embed_text`` is stored."""
    return sha256(embed_text.encode("utf-8", "surrogatepass"))[:32]


def _chunk_rows(prepared: PreparedDocument) -> list[dict[str, object]]:
    return [
        {
            "id": chunk.id,
            "version_id": prepared.version_id,
            "parent_id": chunk.parent_id,
            "section_id": chunk.section_id,
            "ordinal": chunk.ordinal,
            "start": chunk.span.start,
            "end": chunk.span.end,
            "section_path": list(chunk.section_path),
            "kinds": list(chunk.kinds),
            "reasons": list(chunk.reasons),
            "token_count": chunk.token_count,
            "embed_text": chunk.embed_text,
            "embed_hash": embed_hash_of(chunk.embed_text),
            "previous_id": chunk.previous_id,
            "next_id": chunk.next_id,
        }
        for chunk in prepared.chunks
    ]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
