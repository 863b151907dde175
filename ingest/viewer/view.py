"""All that is shown of one stored document."""

from __future__ import annotations

from dataclasses import dataclass

from core.chunk import Parent
from core.document import Block, Line
from core.store import ChunkRow, DocumentRow, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document's current version; ``chunks`` and ``parents`` are empty unless they are to be shown."""

    row: DocumentRow
    text: str
    blocks: tuple[Block, ...]
    lines: tuple[Line, ...]
    chunks: tuple[ChunkRow, ...] = ()
    parents: tuple[Parent, ...] = ()

    @property
    def page_count(self) -> int:
        """Pages with places on them; 0 for formats without."""
        return max(self.row.page_count, max((line.page for line in self.lines), default=0))


def load_view(reader: Reader, row: DocumentRow, *, with_chunks: bool) -> DocumentView:
    """What the store holds of ``row``. Raises ``UnknownDocumentError`` when it is gone."""
    key = row.version_id
    return DocumentView(
        row=row,
        text=reader.version(key).text,
        blocks=reader.blocks(key),
        lines=reader.lines(key),
        chunks=reader.chunks_of(key) if with_chunks else (),
        parents=reader.parents(key) if with_chunks else (),
    )
