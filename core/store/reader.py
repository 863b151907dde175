"""Questions to the store, all answered from one generation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa

from core.chunk import Parent
from core.document import Block, BlockKind, Line, Notice
from core.errors import UnknownCollectionError, UnknownDocumentError
from core.protocols import Vectors
from core.span import Span
from core.store import schema
from core.store.records import ChunkRow, DocumentRow, StoredVersion

_MAX_VARIABLES = 500


class Reader:
    """Read access inside one transaction."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def generation(self) -> int:
        """A number that grows with every change of what is stored."""
        return int(self._meta("generation") or 0)

    def embedding_model(self) -> str | None:
        """Fingerprint of the model that made the vectors; ``None`` while nothing is stored."""
        return self._meta("embedding_model")

    def collections(self) -> tuple[str, ...]:
        """Names of all collections, in order of name."""
        query = sa.select(schema.collections.c.name).order_by(schema.collections.c.name)
        return tuple(self._connection.execute(query).scalars())

    def documents(self, collections: Sequence[str] | None = None) -> tuple[DocumentRow, ...]:
        """Stored documents by collection and name. Raises ``UnknownCollectionError``."""
        known = self.collections()
        for name in collections or ():
            if name not in known:
                raise UnknownCollectionError(name=name, known=", ".join(known) or "-")
        query = _documents_query()
        if collections is not None:
            query = query.where(schema.collections.c.name.in_(collections))
        return tuple(_document(row) for row in self._connection.execute(query))

    def document(self, name: str, collection: str | None = None) -> DocumentRow:
        """The document called ``name`` (or with that id). Raises ``UnknownDocumentError``."""
        found = self.find(name, collection)
        if found is None:
            raise UnknownDocumentError(name=name)
        return found

    def find(self, name: str, collection: str | None = None) -> DocumentRow | None:
        """The document called ``name`` (or with that id), or ``None``."""
        query = _documents_query().where(
            sa.or_(schema.documents.c.name == name, schema.documents.c.id == name)
        )
        if collection is not None:
            query = query.where(schema.collections.c.name == collection)
        row = self._connection.execute(query.limit(1)).first()
        return None if row is None else _document(row)

    def same_source(self, collection: str, source_sha256: str) -> tuple[str, ...]:
        """Names in ``collection`` whose current version has these bytes, in order of name."""
        d, v, c = schema.documents, schema.versions, schema.collections
        query = (
            sa.select(d.c.name)
            .join(v, v.c.id == d.c.version_id)
            .join(c, c.c.id == d.c.collection_id)
            .where(c.c.name == collection, v.c.source_sha256 == source_sha256)
            .order_by(d.c.name)
        )
        return tuple(self._connection.execute(query).scalars())

    def version(self, version_id: str) -> StoredVersion:
        """One version with its text. Raises ``UnknownDocumentError`` when it is gone."""
        v, d, c = schema.versions, schema.documents, schema.collections
        query = (
            sa.select(v, d.c.name, c.c.name.label("collection"))
            .join(d, d.c.id == v.c.document_id)
            .join(c, c.c.id == d.c.collection_id)
            .where(v.c.id == version_id)
        )
        row = self._connection.execute(query).first()
        if row is None:
            raise UnknownDocumentError(name=version_id)
        return StoredVersion(
            id=row.id,
            document_id=row.document_id,
            collection=row.collection,
            name=row.name,
            number=row.number,
            title=row.title,
            language=row.language,
            media_type=row.media_type,
            source_sha256=row.source_sha256,
            page_count=row.page_count,
            text=row.text,
        )

    def blocks(self, version_id: str) -> tuple[Block, ...]:
        b = schema.blocks
        query = sa.select(b).where(b.c.version_id == version_id).order_by(b.c.ordinal)
        return tuple(
            Block(
                kind=BlockKind(row.kind),
                level=row.level,
                span=Span(row.start, row.end),
                section_path=tuple(row.section_path),
            )
            for row in self._connection.execute(query)
        )

    def lines(self, version_id: str, span: Span | None = None) -> tuple[Line, ...]:
        """Printed lines in ascending order; with ``span`` only those that share characters with it."""
        table = schema.page_lines
        query = sa.select(table).where(table.c.version_id == version_id).order_by(table.c.ordinal)
        if span is not None:
            query = query.where(table.c.start < span.end, table.c.end > span.start)
        return tuple(
            Line(span=Span(r.start, r.end), page=r.page, x0=r.x0, y0=r.y0, x1=r.x1, y1=r.y1)
            for r in self._connection.execute(query)
        )

    def parents(self, version_id: str) -> tuple[Parent, ...]:
        p = schema.parents
        query = sa.select(p).where(p.c.version_id == version_id).order_by(p.c.ordinal)
        return tuple(_parent(row) for row in self._connection.execute(query))

    def parents_by_id(self, ids: Sequence[str]) -> dict[str, Parent]:
        """The parents that exist among ``ids``."""
        found: dict[str, Parent] = {}
        for part in _batches(ids):
            query = sa.select(schema.parents).where(schema.parents.c.id.in_(part))
            found.update((row.id, _parent(row)) for row in self._connection.execute(query))
        return found

    def children(self, parent_ids: Sequence[str]) -> dict[str, tuple[ChunkRow, ...]]:
        """The children of each of the parents, in order."""
        rows: dict[str, list[ChunkRow]] = {parent_id: [] for parent_id in parent_ids}
        for part in _batches(parent_ids):
            query = _chunks_query().where(schema.chunks.c.parent_id.in_(part))
            for row in self._connection.execute(query.order_by(schema.chunks.c.ordinal)):
                rows[row.parent_id].append(_chunk(row))
        return {parent_id: tuple(children) for parent_id, children in rows.items()}

    def chunks(self, ids: Sequence[str]) -> dict[str, ChunkRow]:
        """The chunks that exist among ``ids``, by id."""
        found: dict[str, ChunkRow] = {}
        for part in _batches(ids):
            query = _chunks_query().where(schema.chunks.c.id.in_(part))
            found.update((row.id, _chunk(row)) for row in self._connection.execute(query))
        return found

    def chunks_of(self, version_id: str) -> tuple[ChunkRow, ...]:
        """All children of one version, in order."""
        query = _chunks_query().where(schema.chunks.c.version_id == version_id)
        return tuple(_chunk(row) for row in self._connection.execute(query.order_by(schema.chunks.c.ordinal)))

    def all_chunks(self) -> Iterator[ChunkRow]:
        """Every child of every current version, ordered by document and position."""
        query = _chunks_query().order_by(schema.chunks.c.version_id, schema.chunks.c.ordinal)
        for row in self._connection.execute(query):
            yield _chunk(row)

    def collection_of_documents(self) -> dict[str, str]:
        """Collection name by document id."""
        d, c = schema.documents, schema.collections
        query = sa.select(d.c.id, c.c.name).join(c, c.c.id == d.c.collection_id)
        return {row.id: row.name for row in self._connection.execute(query)}

    def vectors(self, hashes: Iterable[str], model: str) -> dict[str, Vectors]:
        """Stored vectors, ``(dimension,) float32`` each, by hash; absent ones are left out."""
        table, found = schema.vectors, dict[str, Vectors]()
        for part in _batches(list(dict.fromkeys(hashes))):
            query = sa.select(table.c.embed_hash, table.c.data).where(
                table.c.model == model, table.c.embed_hash.in_(part)
            )
            for row in self._connection.execute(query):
                found[row.embed_hash] = np.frombuffer(row.data, dtype=np.float32)
        return found

    def count(self, table: str) -> int:
        """Rows of a table, for checks."""
        query = sa.select(sa.func.count()).select_from(schema.metadata.tables[table])
        return int(self._connection.execute(query).scalar_one())

    def source_hashes(self) -> frozenset[str]:
        """SHA-256 of every original that some version still needs."""
        return frozenset(self._connection.execute(sa.select(schema.versions.c.source_sha256)).scalars())

    def _meta(self, key: str) -> str | None:
        query = sa.select(schema.meta.c.value).where(schema.meta.c.key == key)
        value: str | None = self._connection.execute(query).scalar()
        return value


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _MAX_VARIABLES):
        yield values[start : start + _MAX_VARIABLES]


def _documents_query() -> sa.Select[Any]:
    d, v, c, k = schema.documents, schema.versions, schema.collections, schema.chunks
    count = sa.select(sa.func.count()).where(k.c.version_id == v.c.id).scalar_subquery()
    columns = [column for column in v.c if column.name not in {"id", "text", "document_id"}]
    return (
        sa.select(
            d.c.id,
            d.c.name,
            d.c.version_id,
            d.c.updated_at,
            *columns,
            c.c.name.label("collection"),
            count.label("chunk_count"),
        )
        .join(v, v.c.id == d.c.version_id)
        .join(c, c.c.id == d.c.collection_id)
        .order_by(c.c.name, d.c.name)
    )


def _document(row: sa.Row[Any]) -> DocumentRow:
    return DocumentRow(
        id=row.id,
        collection=row.collection,
        name=row.name,
        version_id=row.version_id,
        version_number=row.number,
        source_sha256=row.source_sha256,
        source_bytes=row.source_bytes,
        fingerprint=row.fingerprint,
        media_type=row.media_type,
        title=row.title,
        language=row.language,
        page_count=row.page_count,
        chunk_count=row.chunk_count,
        notices=tuple(
            Notice(code=code, details=tuple((key, value) for key, value in details))
            for code, details in row.notices
        ),
        updated_at=row.updated_at,
    )


def _parent(row: sa.Row[Any]) -> Parent:
    return Parent(
        id=row.id,
        ordinal=row.ordinal,
        span=Span(row.start, row.end),
        section_path=tuple(row.section_path),
        token_count=row.token_count,
    )


def _chunks_query() -> sa.Select[Any]:
    k, v = schema.chunks, schema.versions
    return sa.select(k, v.c.document_id).join(v, v.c.id == k.c.version_id)


def _chunk(row: sa.Row[Any]) -> ChunkRow:
    return ChunkRow(
        id=row.id,
        version_id=row.version_id,
        document_id=row.document_id,
        parent_id=row.parent_id,
        section_id=row.section_id,
        ordinal=row.ordinal,
        span=Span(row.start, row.end),
        section_path=tuple(row.section_path),
        kinds=tuple(row.kinds),
        reasons=tuple(row.reasons),
        token_count=row.token_count,
        embed_text=row.embed_text,
        embed_hash=row.embed_hash,
        previous_id=row.previous_id,
        next_id=row.next_id,
    )
