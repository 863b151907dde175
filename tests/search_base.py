"""A store with made-up vectors for tests of indexes, and what a slow search in it finds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.chunk import Chunk, Parent
from core.document import Block, BlockKind, Document
from core.hashing import sha256, stable_id
from core.language import language_of
from core.protocols import Vectors
from core.settings import Settings
from core.span import Span
from core.store import PreparedDocument, Reader, Store
from core.store.records import embed_hash_of
from ingest.calibration import Aim
from ingest.indexes.analyzer import analyze

MODEL = "made-up-1/8/l2"
DIMENSION = 8


class MadeUpEmbedder:
    """Vectors that depend on the text alone and mean nothing."""

    fingerprint = MODEL
    dimension = DIMENSION
    max_tokens = 512

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([vector_of(text) for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self.passages(texts)


class SearchBase:
    """Documents whose chunks are given one by one; two chunks in a row share a parent."""

    def __init__(self, home: Path, **index: object) -> None:
        self.settings = Settings(home=home, index=index)  # type: ignore[arg-type]
        self.store = Store(home)

    def put(self, name: str, *texts: str, collection: str = "default") -> str:
        """Stores or replaces the document; returns the version's id."""
        prepared = _prepared(name, texts, collection)
        with self.store.write() as writer:
            writer.put(prepared)
        return prepared.version_id

    def remove(self, *names: str) -> None:
        with self.store.write() as writer:
            writer.remove([writer.reader.document(name).id for name in names])


def vector_of(text: str) -> Vectors:
    """``(DIMENSION,) float32`` of length 1."""
    rng = np.random.default_rng(int(sha256(text.encode())[:8], 16))
    vector = rng.standard_normal(DIMENSION).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A chunk as a slow search sees it."""

    chunk_id: str
    parent_id: str
    language: str
    vector: Vectors
    words: frozenset[str]

    def score(self, aims: Mapping[str, Aim]) -> float:
        aim = aims[self.language]
        return float(self.vector @ aim.vector) - aim.offset


def seen(reader: Reader, allowed: Collection[str] | None = None) -> tuple[Seen, ...]:
    """Every chunk that may be seen."""
    chunks = [chunk for chunk in reader.all_chunks() if allowed is None or chunk.version_id in allowed]
    vectors = reader.vectors((chunk.embed_hash for chunk in chunks), MODEL)
    return tuple(
        Seen(
            chunk_id=chunk.id,
            parent_id=chunk.parent_id,
            language=chunk.language,
            vector=vectors[chunk.embed_hash],
            words=frozenset(analyze(chunk.embed_text)),
        )
        for chunk in chunks
    )


def slow_parents(chunks: Sequence[Seen], aims: Mapping[str, Aim]) -> list[str]:
    """Ids of the best child of each parent, nearest parents first. A parent counts in its best language."""
    families: dict[str, list[Seen]] = {}
    for chunk in chunks:
        families.setdefault(chunk.parent_id, []).append(chunk)
    found = []
    for family in families.values():
        mean = np.sum([child.vector for child in family], axis=0)
        mean = mean / np.linalg.norm(mean)
        score, vector = max(
            (
                (float(mean @ aims[name].vector) - aims[name].offset, aims[name].vector)
                for name in {c.language for c in family}
            ),
            key=lambda pair: pair[0],
        )
        best = max(family, key=lambda child: float(child.vector @ vector))
        found.append((score, best.chunk_id))
    return [chunk_id for _, chunk_id in sorted(found, key=lambda pair: -pair[0])]


def _prepared(name: str, texts: Sequence[str], collection: str) -> PreparedDocument:
    text = "\n".join(texts)
    version_id = stable_id("version", collection, name, text)
    starts = [sum(len(other) + 1 for other in texts[:i]) for i in range(len(texts))]
    spans = [Span(start, start + len(part)) for start, part in zip(starts, texts, strict=True)]
    chunks = tuple(_chunk(version_id, i, spans[i], part) for i, part in enumerate(texts))
    parents = tuple(
        Parent(
            id=f"{version_id}-{i}", ordinal=i, span=Span(spans[2 * i].start, spans[2 * i].end),
            section_path=(), token_count=1,
        )
        for i in range((len(texts) + 1) // 2)
    )  # fmt: skip
    blocks = tuple(Block(kind=BlockKind.PARAGRAPH, span=span) for span in spans)
    return PreparedDocument(
        collection=collection,
        name=name,
        source_sha256=sha256(text.encode()),
        source_bytes=len(text),
        fingerprint="made-up",
        version_id=version_id,
        document=Document(
            text=text, title=name, language=language_of(text), media_type="text/plain", blocks=blocks
        ),
        chunks=chunks,
        parents=parents,
        model=MODEL,
        vectors={embed_hash_of(part): vector_of(part) for part in texts},
    )


def _chunk(version_id: str, ordinal: int, span: Span, text: str) -> Chunk:
    return Chunk(
        id=stable_id("chunk", version_id, ordinal),
        parent_id=f"{version_id}-{ordinal // 2}",
        section_id=version_id,
        ordinal=ordinal,
        span=span,
        section_path=(),
        kinds=("paragraph",),
        embed_text=text,
        token_count=len(text),
        previous_id=None,
        next_id=None,
    )
