"""The documents behind the hits of one search, read when first needed and once."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer import Passage
from core.chunk import Parent
from core.document import Block, Line
from core.span import Span
from core.store import ChunkRow, Reader, StoredVersion
from retrieval.evidence import Evidence


class Sources:
    """Answers from one reader, so from one generation."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._versions: dict[str, StoredVersion] = {}

    def version(self, version_id: str) -> StoredVersion:
        if version_id not in self._versions:
            self._versions[version_id] = self._reader.version(version_id)
        return self._versions[version_id]

    def text(self, version_id: str) -> str:
        return self.version(version_id).text

    def lines(self, version_id: str, span: Span) -> tuple[Line, ...]:
        """The printed lines that share characters with ``span``."""
        return self._reader.lines(version_id, span)

    def parents(self, parent_ids: list[str]) -> dict[str, Parent]:
        return self._reader.parents_by_id(parent_ids)

    def children(self, parent_ids: list[str]) -> dict[str, tuple[ChunkRow, ...]]:
        """The children of each parent, in order."""
        return self._reader.children(parent_ids)

    def evidence(self, passages: Sequence[Passage]) -> Evidence:
        """The passages with what an answerer needs of their documents: blocks and lines around them alone."""
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
        )
