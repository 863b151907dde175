"""What can be said about chunks without searching: is the evidence whole, are they sound, do they repeat?

The first three are those of the article on structure-recursive chunking (000, 9.2 to 9.4): of all pieces
of evidence a share is whole in one chunk (completeness), a share only in a chunk joined with the one
before or after it (adjacency coverage), and the rest is truncated. The three add up to 1.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import fmean

from core.document import Block, BlockKind, Document, pages_of
from core.span import Span
from evaluation.passage import Passage
from evaluation.rouge import rouge_l


class Coverage(StrEnum):
    """How chunks hold a piece of evidence."""

    WHOLE = "whole"
    JOINED = "joined"
    TRUNCATED = "truncated"


def coverage(passages: Sequence[Passage], evidence: Span) -> Coverage:
    """How the passages of one document, in its order, hold ``evidence``. Source: 000, 9.2 to 9.4."""
    if any(passage.place.span.contains(evidence) for passage in passages):
        return Coverage.WHOLE
    for before, after in pairwise(passages):
        if after.follows and before.place.span.hull(after.place.span).contains(evidence):
            return Coverage.JOINED
    return Coverage.TRUNCATED


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Counts and sizes in the embedding model's tokens, as embedded. ``empty_rate`` is 0..1.

    ``over_limit`` counts the chunks with more than the hard limit, ``over_window`` those that the model
    cannot take in whole.
    """

    chunks: int
    empty_rate: float
    mean_tokens: float
    max_tokens: int
    over_limit: int
    over_window: int


def sizes(passages: Sequence[Passage], empty: int, hard_tokens: int, window: int) -> Sizes:
    """``empty`` chunks hold no visible character and are not among ``passages``. Source: 000, 9.1."""
    counts = [passage.embed_tokens for passage in passages]
    return Sizes(
        chunks=len(passages) + empty,
        empty_rate=empty / max(len(passages) + empty, 1),
        mean_tokens=fmean(counts) if counts else 0.0,
        max_tokens=max(counts, default=0),
        over_limit=sum(count > hard_tokens for count in counts),
        over_window=sum(count > window for count in counts),
    )


# A heading in a contextual header may be shortened down to this many characters.
_HEADING_CHARS = 14


def header_inheritance(document: Document, passages: Sequence[Passage]) -> list[bool]:
    """For each passage that starts under a heading: whether the innermost one is embedded with it.

    Source: 000, 9.1; a long heading counts when its start is there.
    """
    found: list[bool] = []
    block = 0
    for passage in passages:
        while (
            block + 1 < len(document.blocks)
            and document.blocks[block + 1].span.start <= passage.place.span.start
        ):
            block += 1
        path = document.blocks[block].section_path if document.blocks else ()
        if path:
            found.append(path[-1][:_HEADING_CHARS] in passage.embed_text)
    return found


def page_retention(document: Document, passages: Sequence[Passage]) -> list[bool]:
    """For each passage of a document with pages: whether it can be shown on one, by a line with its box.

    Source: 000, 9.1.
    """
    if not document.lines:
        return []
    return [bool(pages_of(document.lines, passage.place.span)) for passage in passages]


def table_integrity(document: Document, passages: Sequence[Passage]) -> list[bool]:
    """For each row of each table but its first: whether a passage holds it whole, embedded with the first.

    After 000, 9.1 ("tables are kept"): a row that is cut, or that nobody can read for want of the names
    of its columns, is lost.
    """
    found: list[bool] = []
    for block in document.blocks:
        if block.kind is BlockKind.TABLE:
            header, *rows = _rows(document.text, block)
            names = header.of(document.text)
            near = [passage for passage in passages if passage.place.span.overlaps(block.span)]
            found += [
                any(names in passage.embed_text and passage.place.span.contains(row) for passage in near)
                for row in rows
            ]
    return found


def _rows(text: str, table: Block) -> list[Span]:
    """The lines of a table that hold more than its rules."""
    rows: list[Span] = []
    start = table.span.start
    for line in table.span.of(text).splitlines(keepends=True):
        if set(line.strip()) - set("|-: "):
            rows.append(Span(start, start + len(line.rstrip())))
        start += len(line)
    return rows or [table.span]


def redundancy(passages: Sequence[Passage], sample: int = 200, seed: int = 0) -> float:
    """Mean ROUGE-L (0..1) of ``sample`` pairs of neighbours, the same ones each time.

    Source: 002, 4.5, which asks it of all pairs and calls more than 0.65 too much; neighbours are those
    that overlap.
    """
    pairs = [(a, b) for a, b in pairwise(passages) if a.place.doc == b.place.doc]
    if len(pairs) > sample:
        pairs = random.Random(seed).sample(pairs, sample)
    return fmean(rouge_l(a.text, b.text) for a, b in pairs) if pairs else 0.0
