"""A stored document cut anew by a strategy, to be compared; nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass

from core.chunk import Chunk, Parent
from core.document import Document
from core.registry import resolve
from ingest import hierarchy
from ingest.focus import make_focus
from ingest.prepare import make_splitter
from ingest.sections import sections_of
from ingest.viewer.view import DocumentView
from ingest.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What a strategy makes of a document, in order of position."""

    strategy: str
    chunks: tuple[Chunk, ...]
    parents: tuple[Parent, ...]

    @property
    def borders(self) -> tuple[int, ...]:
        """Where a chunk starts, the first one apart; ascending."""
        return tuple(chunk.span.start for chunk in self.chunks[1:])


def strategies_of(written: str, configured: str) -> tuple[str, str]:
    """The two that ``written`` names: "recursive,clause", or one that is compared with the ``configured``."""
    first, comma, second = (part.strip() for part in written.replace("，", ",").partition(","))
    return (first, second) if comma else (configured, first)


def cut_anew(workspace: Workspace, view: DocumentView, strategy: str) -> Cut:
    """The stored text and structure of ``view`` as the present settings and ``strategy`` cut it.

    Raises ``UnknownNameError`` and what making the embedding model or the chat model raises.
    """
    # An unknown name is told before the model is loaded, which happens once for all strategies.
    resolve("splitter", strategy)
    other = workspace.cutting_by(strategy)
    chunking = other.settings.chunking
    document = Document(
        text=view.text,
        title=view.row.title,
        language=view.row.language,
        media_type=view.row.media_type,
        blocks=view.blocks,
        lines=view.lines,
        page_count=view.row.page_count,
    )
    sections = sections_of(document, chunking, other.embedder, view.row.name)
    sections = make_focus(other.settings).given(sections)
    pieces = make_splitter(other).split(sections)
    chunks, parents = hierarchy.build(view.row.version_id, sections, pieces, chunking)
    return Cut(strategy=strategy, chunks=chunks, parents=parents)
