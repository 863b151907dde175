"""Questions about vectors, which are stored by the hash of the text that was embedded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import sqlalchemy as sa

from core.protocols import Vectors
from core.store import schema
from core.store.records import SentenceVectors
from core.store.rows import Rows, batches


class StoredVectors(Rows):
    """Part of ``Reader``."""

    def vectors(self, hashes: Iterable[str], model: str) -> dict[str, Vectors]:
        """Stored vectors, ``(dimension,) float32`` each, by hash; absent ones are left out."""
        table, found = schema.vectors, dict[str, Vectors]()
        for part in batches(hashes):
            query = sa.select(table.c.embed_hash, table.c.data).where(
                table.c.model == model, table.c.embed_hash.in_(part)
            )
            found.update(self._read(query, _vector))
        return found

    def raw_vectors(self, table: str, model: str) -> Iterator[tuple[str, tuple[bytes, ...]]]:
        """Hash and stored bytes of every row of ``vectors`` (data) or ``sentence_vectors`` (spans, scales, data)."""
        rows = schema.metadata.tables[table]
        query = sa.select(rows).where(rows.c.model == model).execution_options(yield_per=1000)
        yield from self._read(query, lambda row: (row.embed_hash, tuple(row)[2:]))

    def chunk_lengths(self) -> dict[str, int]:
        """The characters of the shortest chunk of each embedded text, by its hash."""
        k = schema.chunks
        query = sa.select(k.c.embed_hash, sa.func.min(k.c.end - k.c.start).label("length"))
        return dict(self._read(query.group_by(k.c.embed_hash), lambda row: (row.embed_hash, row.length)))

    def embedded_texts(self) -> int:
        """How many different texts of chunks there are."""
        query = sa.select(sa.func.count(schema.chunks.c.embed_hash.distinct()))
        return int(self._connection.execute(query).scalar_one())

    def unembedded(self, model: str) -> dict[str, int]:
        """The hash of every embedded text that has no vector of ``model``, the shortest first, with its tokens."""
        k, v = schema.chunks, schema.vectors
        made = sa.exists().where(v.c.embed_hash == k.c.embed_hash, v.c.model == model)
        query = sa.select(k.c.embed_hash, sa.func.max(k.c.token_count).label("tokens")).where(~made)
        query = query.group_by(k.c.embed_hash).order_by("tokens", k.c.embed_hash)
        return dict(self._read(query, lambda row: (row.embed_hash, row.tokens)))

    def sentence_vectors(self, hashes: Iterable[str], model: str) -> dict[str, SentenceVectors]:
        """The vectors of the sentences of chunks, by hash; chunks that have none are left out."""
        table, found = schema.sentence_vectors, dict[str, SentenceVectors]()
        for part in batches(hashes):
            query = sa.select(table).where(table.c.model == model, table.c.embed_hash.in_(part))
            found.update(self._read(query, _sentences))
        return found


def _vector(row: sa.Row[Any]) -> tuple[str, Vectors]:
    return row.embed_hash, np.frombuffer(row.data, dtype=np.float32)


def _sentences(row: sa.Row[Any]) -> tuple[str, SentenceVectors]:
    scales = np.frombuffer(row.scales, dtype=np.float32)
    return row.embed_hash, SentenceVectors(
        spans=np.frombuffer(row.spans, dtype=np.int32).reshape(len(scales), 2),
        scales=scales,
        data=np.frombuffer(row.data, dtype=np.int8).reshape(len(scales), -1),
    )
