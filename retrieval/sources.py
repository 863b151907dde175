"""The documents behind the hits of one search, read when first needed and once."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer import Passage
from core.chunk import Parent
from core.document import Block, Line
from core.span import Span
from core.store import ChunkRow, Reader, StoredVersion
from ingest.embedding import packed
from retrieval.evidence import Embedded, Evidence


class Sources:
    """Answers from one reader, so from one generation."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._versions: dict[str, StoredVersion] = {}
        self._children: dict[str, tuple[ChunkRow, ...]] = {}

    def version(self, version_id: str) -> StoredVersion:
        if version_id not in self._versions:
            self._versions[version_id] = self._reader.version(version_id)
        return self._versions[version_id]

    def text(self, version_id: str) -> str:
        return self.version(version_id).text

    def lines(self, version_id: str, span: Span) -> tuple[Line, ...]:
        """The printed lines that share characters with ``span``; none in formats without pages."""
        return self._reader.lines(version_id, span) if self.version(version_id).page_count else ()

    def parents(self, parent_ids: list[str]) -> dict[str, Parent]:
        return self._reader.parents_by_id(parent_ids)

    def children(self, parent_ids: list[str]) -> dict[str, tuple[ChunkRow, ...]]:
        """The children of each parent, in order."""
        if missing := [parent_id for parent_id in parent_ids if parent_id not in self._children]:
            self._children.update(self._reader.children(missing))
        return {parent_id: self._children[parent_id] for parent_id in parent_ids}

    def evidence(self, passages: Sequence[Passage], model: str = "") -> Evidence:
        """The passages with what an answerer needs of their documents: blocks and lines around them alone.

        ``model`` is the fingerprint of the embedding model whose vectors of sentences are wanted.
        """
        blocks: dict[str, dict[Span, Block]] = {}
        lines: dict[str, set[Line]] = {}
        for passage in passages:
            found = self._reader.blocks(passage.version_id, passage.span)
            blocks.setdefault(passage.version_id, {}).update({block.span: block for block in found})
            lines.setdefault(passage.version_id, set()).update(self.lines(passage.version_id, passage.span))
        return Evidence(
            passages=tuple(passages),
            texts={version_id: self.text(version_id) for version_id in blocks},
            blocks={
                version_id: tuple(sorted(found.values(), key=lambda block: block.span.start))
                for version_id, found in blocks.items()
            },
            lines={
                version_id: tuple(sorted(found, key=lambda line: line.span.start))
                for version_id, found in lines.items()
            },
            embedded=self._embedded(passages, model),
        )

    def _embedded(self, passages: Sequence[Passage], model: str) -> dict[str, tuple[Embedded, ...]]:
        """The vectors of the sentences of the chunks that stand in the passages."""
        chunks = self._chunks_in(passages)
        stored = self._reader.sentence_vectors((chunk.embed_hash for chunk in chunks), model)
        # A chunk of one sentence has that one's vector for its own.
        single = self._reader.vectors((c.embed_hash for c in chunks if c.embed_hash not in stored), model)
        found: dict[str, list[Embedded]] = {}
        for chunk in chunks:
            sentences = stored.get(chunk.embed_hash)
            if sentences is None and chunk.embed_hash in single:
                sentences = packed(chunk.span, [chunk.span], [single[chunk.embed_hash]])
            if sentences is not None:
                embedded = Embedded(start=chunk.span.start, sentences=sentences)
                found.setdefault(chunk.version_id, []).append(embedded)
        return {version_id: tuple(embedded) for version_id, embedded in found.items()}

    def _chunks_in(self, passages: Sequence[Passage]) -> list[ChunkRow]:
        first = self._reader.chunks([passage.chunk_ids[0] for passage in passages])
        children = self.children(list(dict.fromkeys(chunk.parent_id for chunk in first.values())))
        places = [(passage.version_id, passage.span) for passage in passages]
        return [
            chunk
            for found in children.values()
            for chunk in found
            if any(chunk.version_id == version and chunk.span.overlaps(span) for version, span in places)
        ]
