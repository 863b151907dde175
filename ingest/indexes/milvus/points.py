"""The rows of document versions for the server, made from the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from core.errors import StoreDamagedError
from core.hashing import stable_id
from core.language import language_of
from core.protocols import Vectors
from core.store import ChunkRow, Reader
from core.vectors import normalised
from ingest.indexes.analyzer import analyze
from ingest.indexes.milvus.layout import words_text
from ingest.indexes.milvus.server import Row

_VERSIONS_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Rows of the collections ``chunks`` and ``parents``, and the languages of the chunks."""

    chunks: Sequence[Row]
    parents: Sequence[Row]
    languages: frozenset[str]


def points_of(reader: Reader, keys: Mapping[str, str], model: str, seq: int) -> Iterator[Points]:
    """All rows of the versions ``keys`` (key by version id), some versions at a time.

    Raises ``StoreDamagedError`` when a chunk has no vector of ``model``.
    """
    versions = iter(keys)
    while part := tuple(islice(versions, _VERSIONS_AT_ONCE)):
        chunks = list(reader.chunks_of_versions(part))
        matrix = _matrix(reader, chunks, model)
        yield Points(
            chunks=[
                _chunk(chunk, vector, keys[chunk.version_id], seq)
                for chunk, vector in zip(chunks, matrix, strict=True)
            ],
            parents=list(_parents(chunks, matrix, keys, seq)),
            languages=frozenset(map(_language, chunks)),
        )


def _matrix(reader: Reader, chunks: Sequence[ChunkRow], model: str) -> list[Vectors]:
    vectors = reader.vectors((chunk.embed_hash for chunk in chunks), model)
    missing = sum(chunk.embed_hash not in vectors for chunk in chunks)
    if missing:
        raise StoreDamagedError(reason=f"{missing} chunks have no vector of {model}")
    return [vectors[chunk.embed_hash] for chunk in chunks]


def _chunk(chunk: ChunkRow, vector: Vectors, key: str, seq: int) -> Row:
    return _row(key, chunk.id, _language(chunk), seq, vector) | {
        "parent": chunk.parent_id,
        "words": words_text(analyze(chunk.embed_text)),
    }


def _parents(
    chunks: Sequence[ChunkRow], matrix: Sequence[Vectors], keys: Mapping[str, str], seq: int
) -> Iterator[Row]:
    """A row for each parent and language of its chunks; its vector is the normalised mean of all of them."""
    children: dict[str, list[int]] = {}
    for place, chunk in enumerate(chunks):
        children.setdefault(chunk.parent_id, []).append(place)
    for parent_id, places in children.items():
        vector = normalised(np.sum([matrix[place] for place in places], axis=0)[None])[0]
        for language in {_language(chunks[place]) for place in places}:
            yield _row(keys[chunks[places[0]].version_id], parent_id, language, seq, vector)


def _row(key: str, item: str, language: str, seq: int, vector: Vectors) -> dict[str, object]:
    # The primary key is a hash, so that a range of keys is a fair sample of the rows.
    row_id = stable_id(key, item, language)
    return {"id": row_id, "item": item, "version": key, "language": language, "seq": seq, "dense": vector}


def _language(chunk: ChunkRow) -> str:
    return chunk.language or language_of(chunk.embed_text)
