"""Passages grow from their cores inside the section: to the parent, or by neighbours, within the budget."""

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

    In order of rank, a core takes its whole parent when that still fits, else the other hits of the
    parent and then its neighbours, one at a time. ``siblings`` are a parent's children in order.
    Source: parent/child retrieval and neighbour expansion of methods.md; growth never leaves the section.
    """
    left = max_tokens - sum(core.tokens for core in cores)
    grown: list[Core] = []
    for core in cores:
        text = text_of(core.chunk.version_id)
        parent = parents[core.chunk.parent_id]
        best = core
        for span in _wishes(core, parent, siblings[core.chunk.parent_id]):
            size = tokens.count([span.of(text)])[0]
            if size - core.tokens <= left and len(span) > len(best.span):
                best = replace(core, span=span, tokens=size)
        left -= best.tokens - core.tokens
        grown.append(best)
    return _without_overlap(grown)


def _wishes(core: Core, parent: Parent, siblings: Sequence[ChunkRow]) -> list[Span]:
    """Spans the core would like to have, from small to large."""
    if core.span != core.chunk.span:
        return []
    wishes: list[Span] = []
    span = core.span
    for other in core.others:
        span = span.hull(other.span)
        wishes.append(span)
    position = next(i for i, sibling in enumerate(siblings) if sibling.id == core.chunk.id)
    around = core.span
    for distance in range(1, len(siblings)):
        for neighbour in (position + distance, position - distance):
            if 0 <= neighbour < len(siblings):
                around = around.hull(siblings[neighbour].span)
                wishes.append(around)
    return [*sorted(set(wishes), key=len), parent.span]


def _without_overlap(cores: Sequence[Core]) -> list[Core]:
    """Forced cuts overlap by design: a later passage gives up what an earlier one already shows."""
    kept: list[Core] = []
    for core in cores:
        span: Span | None = core.span
        for earlier in kept:
            if span is None or earlier.chunk.version_id != core.chunk.version_id:
                continue
            if not earlier.span.overlaps(span):
                continue
            if earlier.span.contains(span):
                span = None
            elif span.start < earlier.span.start:
                span = Span(span.start, earlier.span.start)
            else:
                span = Span(earlier.span.end, span.end)
        if span is not None:
            kept.append(replace(core, span=span))
    return kept
