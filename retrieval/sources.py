"""The documents behind the hits of one search, read when first needed and once."""

from __future__ import annotations

from core.chunk import Parent
from core.document import Block, Line
from core.store import ChunkRow, Reader, StoredVersion


class Sources:
    """Answers from one reader, so from one generation."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._versions: dict[str, StoredVersion] = {}
        self._lines: dict[str, tuple[Line, ...]] = {}

    def version(self, version_id: str) -> StoredVersion:
        if version_id not in self._versions:
            self._versions[version_id] = self._reader.version(version_id)
        return self._versions[version_id]

    def text(self, version_id: str) -> str:
        return self.version(version_id).text

    def lines(self, version_id: str) -> tuple[Line, ...]:
        if version_id not in self._lines:
            self._lines[version_id] = self._reader.lines(version_id)
        return self._lines[version_id]

    def blocks(self, version_id: str) -> tuple[Block, ...]:
        return self._reader.blocks(version_id)

    def parents(self, parent_ids: list[str]) -> dict[str, Parent]:
        return self._reader.parents_by_id(parent_ids)

    def children(self, parent_ids: list[str]) -> dict[str, tuple[ChunkRow, ...]]:
        """The children of each parent, in order."""
        return self._reader.children(parent_ids)
