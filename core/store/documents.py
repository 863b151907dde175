"""Questions about documents: their rows, their text, and what stands where in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from core.document import Block, BlockKind, Line, Notice
from core.errors import AmbiguousDocumentError, StoreDamagedError, UnknownDocumentError
from core.scope import Scope, Visibility, is_ephemeral
from core.span import Span
from core.store import schema
from core.store.access import Access
from core.store.records import DocumentRow, NamedVersion, StoredVersion, text_hash_of


class Documents(Access):
    """Part of ``Reader``."""

    def documents(self, collections: Sequence[str] | None = None) -> tuple[DocumentRow, ...]:
        """Stored documents by collection and name. Raises ``UnknownCollectionError``."""
        query = _documents_query()
        if collections is not None:
            self.require_collections(tuple(collections))
            query = query.where(schema.collections.c.name.in_(collections))
        return tuple(self._read(query, _document))

    def visible_documents(self, scope: Scope) -> tuple[DocumentRow, ...]:
        """The documents that ``scope`` may see, by collection and name. Raises ``UnknownCollectionError``."""
        visible = self.visible_versions(scope)
        return tuple(row for row in self.documents() if visible is None or row.version_id in visible)

    def document(self, name: str, collection: str | None = None) -> DocumentRow:
        """The document called ``name`` (or with that id); one of a single chat only where no other has the name.

        Raises ``UnknownDocumentError``, and ``AmbiguousDocumentError`` when several collections hold one.
        """
        found = tuple(self._read(_named(name, collection), _document))
        rows = [row for row in found if not is_ephemeral(row.collection)] or list(found)
        if not rows:
            raise UnknownDocumentError(name=name)
        if len(rows) > 1:
            raise AmbiguousDocumentError(name=name, collections=", ".join(row.collection for row in rows))
        return rows[0]

    def find(self, name: str, collection: str | None = None) -> DocumentRow | None:
        """The first document called ``name`` (or with that id), or ``None``."""
        return self._first(_named(name, collection), _document)

    def document_by_id(self, document_id: str) -> DocumentRow | None:
        """The document of that id, whatever others are called."""
        return self._first(_documents_query().where(schema.documents.c.id == document_id), _document)

    def same_source(self, collection: str, source_sha256: str) -> tuple[DocumentRow, ...]:
        """The documents in ``collection`` whose current version has these bytes, in order of name."""
        query = _documents_query().where(
            schema.collections.c.name == collection, schema.versions.c.source_sha256 == source_sha256
        )
        return tuple(self._read(query, _document))

    def version(self, version_id: str, scope: Scope | None = None) -> StoredVersion:
        """One version with its text; for ``scope`` only what that may see (the check of every page shown).

        Raises ``UnknownDocumentError`` when it is gone or hidden, ``StoreDamagedError`` when its text is
        not what was stored.
        """
        v, d, c = schema.versions, schema.documents, schema.collections
        query = (
            sa.select(v, d.c.name, c.c.name.label("collection"))
            .join(d, d.c.id == v.c.document_id)
            .join(c, c.c.id == d.c.collection_id)
            .where(v.c.id == version_id)
        )
        hidden = scope is not None and not self.can_see(version_id, scope)
        found = None if hidden else self._first(query, _version)
        if found is None:
            raise UnknownDocumentError(name=version_id)
        return found

    def blocks(self, version_id: str, span: Span | None = None) -> tuple[Block, ...]:
        """Blocks in ascending order; with ``span`` only those that share characters with it."""
        b = schema.blocks
        query = sa.select(b).where(b.c.version_id == version_id).order_by(b.c.ordinal)
        if span is not None:
            query = query.where(b.c.start < span.end, b.c.end > span.start)
        return tuple(self._read(query, block_of))

    def document_names(self) -> tuple[NamedVersion, ...]:
        """The current version of every document with its names, ordered by version id."""
        d, v = schema.documents, schema.versions
        query = (
            sa.select(d.c.version_id, d.c.id, d.c.name, v.c.title)
            .join(v, v.c.id == d.c.version_id)
            .order_by(d.c.version_id)
        )
        return tuple(self._read(query, _named_version))

    def lines(self, version_id: str, span: Span | None = None) -> tuple[Line, ...]:
        """Printed lines in ascending order; with ``span`` only those that share characters with it."""
        table = schema.page_lines
        query = sa.select(table).where(table.c.version_id == version_id).order_by(table.c.ordinal)
        if span is not None:
            query = query.where(table.c.start < span.end, table.c.end > span.start)
        return tuple(self._read(query, line_of))

    def source_hashes(self) -> frozenset[str]:
        """SHA-256 of every original that some version still needs."""
        return frozenset(self._connection.execute(sa.select(schema.versions.c.source_sha256)).scalars())


def _documents_query() -> sa.Select[Any]:
    d, v, c, k = schema.documents, schema.versions, schema.collections, schema.chunks
    count = sa.select(sa.func.count()).where(k.c.version_id == v.c.id).scalar_subquery()
    columns = [column for column in v.c if column.name not in {"id", "text", "text_sha256", "document_id"}]
    return (
        sa.select(
            d.c.id,
            d.c.name,
            d.c.version_id,
            d.c.updated_at,
            d.c.owner,
            d.c.visibility,
            *columns,
            c.c.name.label("collection"),
            count.label("chunk_count"),
        )
        .join(v, v.c.id == d.c.version_id)
        .join(c, c.c.id == d.c.collection_id)
        .order_by(c.c.name, d.c.name)
    )


def _named(name: str, collection: str | None) -> sa.Select[Any]:
    query = _documents_query().where(sa.or_(schema.documents.c.name == name, schema.documents.c.id == name))
    return query if collection is None else query.where(schema.collections.c.name == collection)


def _document(row: sa.Row[Any]) -> DocumentRow:
    return DocumentRow(
        id=row.id,
        collection=row.collection,
        name=row.name,
        owner=row.owner,
        visibility=Visibility(row.visibility),
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


def _named_version(row: sa.Row[Any]) -> NamedVersion:
    return NamedVersion(version_id=row.version_id, document_id=row.id, name=row.name, title=row.title)


def _version(row: sa.Row[Any]) -> StoredVersion:
    if text_hash_of(row.text) != row.text_sha256:
        raise StoreDamagedError(reason=f"the text of {row.name} is not what was stored")
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


def block_of(row: sa.Row[Any]) -> Block:
    return Block(
        kind=BlockKind(row.kind),
        level=row.level,
        span=Span(row.start, row.end),
        section_path=tuple(row.section_path),
    )


def line_of(row: sa.Row[Any]) -> Line:
    return Line(span=Span(row.start, row.end), page=row.page, x0=row.x0, y0=row.y0, x1=row.x1, y1=row.y1)
