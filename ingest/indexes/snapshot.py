"""Both indexes over all chunks of one generation of the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import ModelMismatchError, StoreDamagedError
from core.language import language_of
from core.protocols import LexicalIndex, Mask, Vectors
from core.registry import resolve
from core.store import ChunkRow, Reader
from core.vectors import normalised
from ingest.indexes.analyzer import analyze
from ingest.indexes.dense import DenseIndex

LEXICAL = "bm25plus"


@dataclass(frozen=True, kw_only=True)
class IndexSnapshot:
    """Row ``i`` of ``children`` and of ``lexical`` is the chunk ``chunk_ids[i]``.

    Row ``j`` of ``parents`` is the normalised mean of the vectors of its children, whose parent row is
    ``parent_rows[i]``. ``words[i]`` are the search tokens of chunk i, ``languages[i]`` what it is written in.
    """

    generation: int
    model: str
    chunk_ids: tuple[str, ...]
    document_ids: tuple[str, ...]
    collections: tuple[str, ...]
    embed_hashes: tuple[str, ...]
    parent_rows: tuple[int, ...]
    words: tuple[tuple[str, ...], ...]
    languages: tuple[str, ...]
    children: DenseIndex
    parents: DenseIndex
    lexical: LexicalIndex

    def __len__(self) -> int:
        return len(self.chunk_ids)

    def allowed(
        self, collections: Collection[str] | None = None, documents: Collection[str] | None = None
    ) -> Mask | None:
        """Which rows a search may see; ``None`` means all. Applied before search, not after."""
        if collections is None and documents is None:
            return None
        return np.array(
            [
                (collections is None or collection in collections)
                and (documents is None or document in documents)
                for collection, document in zip(self.collections, self.document_ids, strict=True)
            ],
            dtype=np.bool_,
        )

    def allowed_parents(self, allowed: Mask | None) -> Mask | None:
        """The parents that have an allowed child."""
        return None if allowed is None else self._with_child(allowed)

    def _with_child(self, children: Mask) -> Mask:
        mask = np.zeros(len(self.parents), dtype=np.bool_)
        mask[np.asarray(self.parent_rows, dtype=np.int64)[children]] = True
        return mask

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Rows by chunk id."""
        return {chunk_id: row for row, chunk_id in enumerate(self.chunk_ids)}

    @cached_property
    def children_by_language(self) -> dict[str, Mask]:
        """Which children are in which language."""
        languages = np.array(self.languages, dtype=object)
        return {name: np.asarray(languages == name, dtype=np.bool_) for name in sorted(set(self.languages))}

    @cached_property
    def mean_by_language(self) -> dict[str, Vectors]:
        """The mean vector ``(dimension,)`` of the children in each language."""
        return {
            name: self.children.mean(np.flatnonzero(mask)) for name, mask in self.children_by_language.items()
        }

    @cached_property
    def parents_by_language(self) -> dict[str, Mask]:
        """Which parents have a child in which language."""
        return {name: self._with_child(mask) for name, mask in self.children_by_language.items()}

    def document_frequency(self, word: str) -> int:
        """How many chunks hold the word."""
        return self._frequencies.get(word, 0)

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for words in self.words for word in set(words))

    @cached_property
    def children_of_parent(self) -> dict[int, tuple[int, ...]]:
        """Child rows by parent row."""
        rows: dict[int, list[int]] = {}
        for child, parent in enumerate(self.parent_rows):
            rows.setdefault(parent, []).append(child)
        return {parent: tuple(children) for parent, children in rows.items()}


def build(reader: Reader, model: str, dimension: int, previous: IndexSnapshot | None = None) -> IndexSnapshot:
    """The indexes of the reader's generation; tokens of unchanged chunks come from ``previous``.

    Raises ``ModelMismatchError`` when the store was embedded with another model and
    ``StoreDamagedError`` when a chunk has no vector.
    """
    stored = reader.embedding_model()
    chunks = list(reader.all_chunks())
    if chunks and stored != model:
        raise ModelMismatchError(stored=stored, current=model)
    collections = reader.collection_of_documents()
    matrix = _matrix(reader, chunks, model, dimension)
    parent_rows = _parent_rows(chunks)
    words = _words(chunks, previous)
    return assemble(
        generation=reader.generation(),
        model=model,
        chunk_ids=tuple(chunk.id for chunk in chunks),
        document_ids=tuple(chunk.document_id for chunk in chunks),
        collections=tuple(collections[chunk.document_id] for chunk in chunks),
        embed_hashes=tuple(chunk.embed_hash for chunk in chunks),
        parent_rows=parent_rows,
        words=words,
        languages=tuple(language_of(chunk.embed_text) for chunk in chunks),
        children=DenseIndex.build(matrix),
        parents=DenseIndex.build(_parent_vectors(matrix, parent_rows)),
    )


def assemble(
    *, make_lexical: Callable[[Sequence[Sequence[str]]], LexicalIndex] | None = None, **parts: object
) -> IndexSnapshot:
    """A snapshot from its stored parts; the lexical index is made from the words."""
    make = make_lexical or resolve("lexical index", LEXICAL)
    return IndexSnapshot(lexical=make(parts["words"]), **parts)  # type: ignore[arg-type]


def _matrix(reader: Reader, chunks: Sequence[ChunkRow], model: str, dimension: int) -> Vectors:
    vectors = reader.vectors((chunk.embed_hash for chunk in chunks), model)
    missing = sum(chunk.embed_hash not in vectors for chunk in chunks)
    if missing:
        raise StoreDamagedError(reason=f"{missing} chunks have no vector of {model}")
    if not chunks:
        return np.zeros((0, dimension), dtype=np.float32)
    return np.stack([vectors[chunk.embed_hash] for chunk in chunks])


def _parent_rows(chunks: Sequence[ChunkRow]) -> tuple[int, ...]:
    rows: dict[str, int] = {}
    return tuple(rows.setdefault(chunk.parent_id, len(rows)) for chunk in chunks)


def _parent_vectors(matrix: Vectors, parent_rows: Sequence[int]) -> Vectors:
    parents = np.zeros((max(parent_rows, default=-1) + 1, matrix.shape[1]), dtype=np.float32)
    np.add.at(parents, np.asarray(parent_rows, dtype=np.int64), matrix)
    return normalised(parents)


def _words(chunks: Sequence[ChunkRow], previous: IndexSnapshot | None) -> tuple[tuple[str, ...], ...]:
    known = dict(zip(previous.embed_hashes, previous.words, strict=True)) if previous else {}
    return tuple(known.get(chunk.embed_hash) or tuple(analyze(chunk.embed_text)) for chunk in chunks)
