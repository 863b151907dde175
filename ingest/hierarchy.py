"""Children with neighbours inside their section, and parents over runs of children."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from core.chunk import Chunk, Parent
from core.hashing import stable_id
from core.settings import ChunkingSettings
from core.span import Span
from ingest.dates import FoundDate, dates
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
    named = dates(sections[0].document.text) if sections else ()
    for section, section_pieces in zip(sections, pieces, strict=True):
        parent_ids: list[str] = []
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
            parent_ids.extend([parent.id] * len(run))
        chunks.extend(_children(version_id, section, section_pieces, parent_ids, len(chunks), named))
    return tuple(chunks), tuple(parents)


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
    version_id: str,
    section: Section,
    pieces: Sequence[Piece],
    parent_ids: Sequence[str],
    first_ordinal: int,
    named: Sequence[FoundDate],
) -> list[Chunk]:
    """The chunks of one section, each with its neighbours in it; ``named`` are the document's dates."""
    section_id = stable_id("section", version_id, section.span.start)
    ids = [stable_id("chunk", version_id, piece.span.start, piece.span.end) for piece in pieces]
    return [
        Chunk(
            id=own_id,
            parent_id=parent_id,
            section_id=section_id,
            ordinal=first_ordinal + place,
            span=piece.span,
            section_path=section.path,
            kinds=_kinds(section, piece.span),
            embed_text=section.embed_text(piece.span),
            token_count=piece.size,
            previous_id=ids[place - 1] if place else None,
            next_id=ids[place + 1] if place + 1 < len(ids) else None,
            reasons=piece.reasons,
            dates=_dates(named, piece.span),
        )
        for place, (own_id, parent_id, piece) in enumerate(zip(ids, parent_ids, pieces, strict=True))
    ]


def _kinds(section: Section, span: Span) -> tuple[str, ...]:
    """The kinds of the blocks that share characters with ``span``, each once, in order."""
    blocks = section.blocks
    first = bisect_right(blocks, span.start, key=lambda block: block.span.end)
    last = bisect_left(blocks, span.end, key=lambda block: block.span.start)
    return tuple(dict.fromkeys(block.kind.value for block in blocks[first:last]))


def _dates(named: Sequence[FoundDate], span: Span) -> tuple[str, ...]:
    """The dates whose words lie whole in ``span``, each once, in order."""
    first = bisect_left(named, span.start, key=lambda date: date.span.start)
    last = bisect_right(named, span.end, key=lambda date: date.span.end)
    return tuple(dict.fromkeys(date.iso for date in named[first:last]))
