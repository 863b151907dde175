"""Questions about parents and their children, the chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

import sqlalchemy as sa

from core.chunk import Parent
from core.errors import StoreDamagedError
from core.span import Span
from core.store import schema
from core.store.records import ChunkRow, embed_hash_of
from core.store.rows import Rows, batches

# Versions whose chunks are held at the same time.
_VERSIONS: Final = 50
# Rows that are fetched together where all are looked at.
_STREAMED: Final = 1000


class Chunks(Rows):
    """Part of ``Reader``."""

    def parents(self, version_id: str) -> tuple[Parent, ...]:
        """All parents of one version, in order."""
        p = schema.parents
        return tuple(
            self._read(sa.select(p).where(p.c.version_id == version_id).order_by(p.c.ordinal), parent_of)
        )

    def parents_by_id(self, ids: Iterable[str]) -> dict[str, Parent]:
        """The parents that exist among ``ids``."""
        found: dict[str, Parent] = {}
        for part in batches(ids):
            query = sa.select(schema.parents).where(schema.parents.c.id.in_(part))
            found.update((parent.id, parent) for parent in self._read(query, parent_of))
        return found

    def children(self, parent_ids: Sequence[str]) -> dict[str, tuple[ChunkRow, ...]]:
        """The children of each of the parents, in order."""
        found: dict[str, tuple[ChunkRow, ...]] = {}
        for part in batches(parent_ids):
            query = _chunks_query().where(schema.chunks.c.parent_id.in_(part))
            groups = self._grouped(query, part, attrgetter("parent_id"))
            found.update((parent_id, tuple(children)) for parent_id, children in groups.items())
        return found

    def chunks(self, ids: Iterable[str]) -> dict[str, ChunkRow]:
        """The chunks that exist among ``ids``, by id."""
        found: dict[str, ChunkRow] = {}
        for part in batches(ids):
            query = _chunks_query().where(schema.chunks.c.id.in_(part))
            found.update((chunk.id, chunk) for chunk in self._read(query, chunk_of))
        return found

    def chunks_by_hash(self, hashes: Iterable[str]) -> dict[str, ChunkRow]:
        """A chunk for each hash of an embedded text that exists among ``hashes``."""
        found: dict[str, ChunkRow] = {}
        for part in batches(hashes):
            query = _chunks_query().where(schema.chunks.c.embed_hash.in_(part))
            found.update((chunk.embed_hash, chunk) for chunk in self._read(query, chunk_of))
        return found

    def chunks_of(self, version_id: str) -> tuple[ChunkRow, ...]:
        """All children of one version, in order."""
        return tuple(self.chunks_of_versions([version_id]))

    def chunks_of_versions(self, version_ids: Iterable[str]) -> Iterator[ChunkRow]:
        """All children of several versions: version by version in the given order, each in order."""
        for part in batches(version_ids, _VERSIONS):
            query = _chunks_query().where(schema.chunks.c.version_id.in_(part))
            of_version = self._grouped(query, part, attrgetter("version_id"))
            for version_id in part:
                yield from of_version[version_id]

    def all_chunks(self) -> Iterator[ChunkRow]:
        """Every child of every current version, ordered by document and position; few of them in memory."""
        query = _chunks_query().order_by(schema.chunks.c.version_id, schema.chunks.c.ordinal)
        return self._read(query.execution_options(yield_per=_STREAMED), chunk_of)

    def _grouped(
        self, query: sa.Select[Any], keys: Sequence[str], key_of: Callable[[sa.Row[Any]], str]
    ) -> dict[str, list[ChunkRow]]:
        """The chunks of the query by key, each group in order of position."""
        groups: dict[str, list[ChunkRow]] = {key: [] for key in keys}
        ordered = query.order_by(schema.chunks.c.ordinal)
        for group, chunk in self._read(ordered, lambda row: (groups[key_of(row)], chunk_of(row))):
            group.append(chunk)
        return groups


def parent_of(row: sa.Row[Any]) -> Parent:
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


def chunk_of(row: sa.Row[Any]) -> ChunkRow:
    if embed_hash_of(row.embed_text) != row.embed_hash:
        raise StoreDamagedError(reason=f"the text of chunk {row.id} is not what was stored")
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
        language=row.language,
        dates=tuple(row.dates),
    )
