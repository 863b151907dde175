"""Children with neighbours inside their section, and parents over runs of children."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from core.chunk import Chunk, Parent
from core.hashing import stable_id
from core.settings import ChunkingSettings
from core.span import Span
from ingest.sections import Section
from ingest.splitters.piece import Piece


def build(
    version_id: str,
    sections: Sequence[Section],
    pieces: Sequence[Sequence[Piece]],
    settings: ChunkingSettings,
) -> tuple[tuple[Chunk, ...], tuple[Parent, ...]]:
    """The children and the parents of one document version, both in order of position.

    Ids depend on the version and the span alone.
    """
    chunks: list[Chunk] = []
    parents: list[Parent] = []
    for section, section_pieces in zip(sections, pieces, strict=True):
        for run in _runs(section_pieces, section, settings):
            span = Span(run[0].span.start, max(piece.span.end for piece in run))
            parent = Parent(
                id=stable_id("parent", version_id, span.start, span.end),
                ordinal=len(parents),
                span=span,
                section_path=section.path,
                token_count=section.tokens.count([span.of(section.document.text)])[0],
            )
            parents.append(parent)
            chunks.extend(_children(version_id, section, run, parent.id, len(chunks)))
    return _linked(chunks), tuple(parents)


def _runs(pieces: Sequence[Piece], section: Section, settings: ChunkingSettings) -> list[list[Piece]]:
    """Neighbouring pieces in runs of about equal size, near the soft size of a parent."""
    if not settings.parents:
        return [[piece] for piece in pieces]
    header = section.tokens.count([section.header])[0]
    # One more for what stands between two pieces, so that no parent is larger than estimated.
    sizes = [piece.size - header + 1 for piece in pieces]
    total = sum(sizes)
    target = total / max(round(total / settings.parent_soft_tokens), 1)
    runs: list[list[Piece]] = []
    filled = 0
    for piece, size in zip(pieces, sizes, strict=True):
        full = filled + size > settings.parent_hard_tokens or filled + size / 2 > target
        if not runs or full:
            runs.append([])
            filled = 0
        runs[-1].append(piece)
        filled += size
    return runs


def _children(
    version_id: str, section: Section, run: Sequence[Piece], parent_id: str, first_ordinal: int
) -> list[Chunk]:
    section_id = stable_id("section", version_id, section.span.start)
    return [
        Chunk(
            id=stable_id("chunk", version_id, piece.span.start, piece.span.end),
            parent_id=parent_id,
            section_id=section_id,
            ordinal=first_ordinal + offset,
            span=piece.span,
            section_path=section.path,
            kinds=_kinds(section, piece.span),
            embed_text=section.embed_text(piece.span),
            token_count=piece.size,
            previous_id=None,
            next_id=None,
            reasons=piece.reasons,
        )
        for offset, piece in enumerate(run)
    ]


def _kinds(section: Section, span: Span) -> tuple[str, ...]:
    """The kinds of the blocks that share characters with ``span``, each once, in order."""
    blocks = section.blocks
    first = bisect_right(blocks, span.start, key=lambda block: block.span.end)
    last = bisect_left(blocks, span.end, key=lambda block: block.span.start)
    return tuple(dict.fromkeys(block.kind.value for block in blocks[first:last]))


def _linked(chunks: list[Chunk]) -> tuple[Chunk, ...]:
    """The chunks with their neighbours inside the section filled in."""
    linked: list[Chunk] = []
    for index, chunk in enumerate(chunks):
        before = chunks[index - 1] if index else None
        after = chunks[index + 1] if index + 1 < len(chunks) else None
        linked.append(
            replace(
                chunk,
                previous_id=before.id if before and before.section_id == chunk.section_id else None,
                next_id=after.id if after and after.section_id == chunk.section_id else None,
            )
        )
    return tuple(linked)
