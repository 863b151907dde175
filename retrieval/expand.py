"""Passages grow from their cores inside the section, to the parent or by neighbours, within the budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.chunk import Parent
from core.protocols import Tokens
from core.span import Span
from core.store import ChunkRow
from retrieval.select import Core


def expand(
    cores: Sequence[Core],
    parents: Mapping[str, Parent],
    siblings: Mapping[str, Sequence[ChunkRow]],
    text_of: Callable[[str], str],
    tokens: Tokens,
    *,
    max_tokens: int,
) -> list[Core]:
    """The cores with their spans grown, in the same order; all together within ``max_tokens``.

    In order of rank, a core takes its whole parent when that still fits, else its neighbours, one at a time.
    ``siblings`` are a parent's children in order.
    Source: parent/child retrieval and neighbour expansion of methods.md; growth never leaves the section.
    """
    left = max_tokens - sum(core.tokens for core in cores)
    grown: list[Core] = []
    for core in cores:
        text = text_of(core.chunk.version_id)
        best = core
        for span in _wishes(core, parents[core.chunk.parent_id], siblings[core.chunk.parent_id]):
            size = tokens.count([span.of(text)])[0]
            if size - core.tokens > left:
                break
            best = replace(core, span=span, tokens=size)
        left -= best.tokens - core.tokens
        grown.append(best)
    return _without_overlap(grown)


def _wishes(core: Core, parent: Parent, siblings: Sequence[ChunkRow]) -> list[Span]:
    """Spans the core would like to have, each larger than the one before."""
    if core.is_cut:
        return []
    inside = [at for at, sibling in enumerate(siblings) if core.span.overlaps(sibling.span)]
    wishes: list[Span] = []
    around = core.span
    for distance in range(1, len(siblings)):
        for at in (inside[-1] + distance, inside[0] - distance):
            if 0 <= at < len(siblings):
                around = around.hull(siblings[at].span)
                wishes.append(around)
    whole = core.span.hull(parent.span)
    return [*wishes, *([whole] if len(whole) > len(around) else [])]


def _without_overlap(cores: Sequence[Core]) -> list[Core]:
    """A later passage gives up what an earlier one already shows; what stands whole in it becomes part of it."""
    kept: list[Core] = []
    for core in cores:
        span: Span | None = core.span
        for at, earlier in enumerate(kept):
            if span is None or earlier.chunk.version_id != core.chunk.version_id:
                continue
            if not earlier.span.overlaps(span):
                continue
            if earlier.span.contains(span):
                kept[at] = replace(earlier, others=(*earlier.others, core.chunk, *core.others))
                span = None
            elif span.start < earlier.span.start:
                span = Span(span.start, earlier.span.start)
            else:
                span = Span(earlier.span.end, span.end)
        if span is not None:
            kept.append(replace(core, span=span))
    return kept
