"""Spans laid over the text and its pages, each with a label: the chunks of one strategy and their parents.

A further layer (another strategy to compare with) needs its own ``Layer`` and nothing else.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from core.document import lines_of
from core.span import Span
from core.store import ChunkRow
from ingest.viewer.inert import attributes
from ingest.viewer.places import Part, Place, places
from ingest.viewer.view import DocumentView
from ingest.viewer.words import reason_text, word

# Neighbouring spans have different ones of this many colours.
COLOURS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Characters of the text with the numbers of the chunks that hold them (none, one, or an overlap)."""

    span: Span
    owners: tuple[int, ...]


class Layer:
    """The chunks and parents of a document, ready to be asked for any part of its text."""

    def __init__(self, view: DocumentView, parts: Sequence[Part], language: str) -> None:
        self._view = view
        self._starts = [chunk.span.start for chunk in view.chunks]
        # Ends may not ascend with a strategy that overlaps; their running maximum does.
        self._ends = list(accumulate((chunk.span.end for chunk in view.chunks), max))
        self._marks = _marks(view, parts, language)

    def marks(self, part: Part) -> list[tuple[int, str]]:
        """Where inside ``part`` a parent or chunk begins, with its mark as HTML; in order."""
        return self._marks.get(part.number, [])

    def stretches(self, span: Span) -> Iterator[Stretch]:
        """``span`` cut where chunks begin and end, in order."""
        owners = self._owners(span)
        borders = {span.start, span.end}
        for number in owners:
            chunk = self._view.chunks[number].span
            borders |= {border for border in (chunk.start, chunk.end) if span.start < border < span.end}
        ordered = sorted(borders)
        for start, end in pairwise(ordered):
            piece = Span(start, end)
            inside = tuple(n for n in owners if self._view.chunks[n].span.overlaps(piece))
            yield Stretch(span=piece, owners=inside)

    def places(self) -> Iterator[Place]:
        """The boxes of all chunks on the pages."""
        for number, chunk in enumerate(self._view.chunks):
            yield from places(lines_of(self._view.lines, chunk.span), number)

    def _owners(self, span: Span) -> tuple[int, ...]:
        first, last = bisect_right(self._ends, span.start), bisect_left(self._starts, span.end)
        return tuple(n for n in range(first, last) if self._view.chunks[n].span.overlaps(span))


def colour(number: int) -> str:
    """The class of a chunk's colour."""
    return f"c{number % COLOURS}"


def chunk_label(chunk: ChunkRow, number: int, language: str) -> str:
    """``Chunk 3 · 287 tokens · cut between blocks``."""
    reasons = [reason_text(reason, language) for reason in chunk.reasons]
    size = word("tokens", language, count=chunk.token_count)
    return " · ".join([word("chunk", language, number=number + 1), size, *reasons])


def _marks(view: DocumentView, parts: Sequence[Part], language: str) -> dict[int, list[tuple[int, str]]]:
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    ends = [part.span.end for part in parts]
    numbered = {parent.id: number for number, parent in enumerate(view.parents)}
    begun: set[str] = set()
    for number, chunk in enumerate(view.chunks):
        index = bisect_right(ends, chunk.span.start)
        if index == len(parts):
            continue
        position = max(chunk.span.start, parts[index].span.start)
        if chunk.parent_id in numbered and chunk.parent_id not in begun:
            begun.add(chunk.parent_id)
            found[index].append((position, _parent_mark(view, numbered[chunk.parent_id], language)))
        mark = attributes(
            class_=f"cut {colour(number)}",
            id=f"c{number + 1}",
            data_c=number + 1,
            data_label=chunk_label(chunk, number, language),
        )
        found[index].append((position, f"<i{mark}></i>"))
    return found


def _parent_mark(view: DocumentView, number: int, language: str) -> str:
    parent = view.parents[number]
    label = " · ".join(
        [
            word("parent", language, number=number + 1),
            word("tokens", language, count=parent.token_count),
            *parent.section_path[-1:],
        ]
    )
    return f"<i{attributes(class_='parent', data_label=label)}></i>"
