"""Which chunks become passages: the best ones, from several documents, within the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.answer import Hit
from core.protocols import Tokens
from core.span import Span
from core.store import ChunkRow
from ingest.sentences import sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The start of a passage: the best chunk of a parent, and the other hits inside that parent."""

    chunk: ChunkRow
    span: Span
    score: float
    tokens: int
    others: tuple[ChunkRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Cores in order of rank, and how many hits were passed over by which rule."""

    cores: tuple[Core, ...]
    capped: int
    over_budget: int


def select(
    hits: Sequence[Hit],
    chunks: Mapping[str, ChunkRow],
    text_of: Callable[[str], str],
    tokens: Tokens,
    *,
    passages: int,
    max_tokens: int,
    per_document: int,
) -> Selection:
    """At most ``passages`` cores of at most ``max_tokens`` together; the best hit is always among them.

    Hits of a parent that is already there join its core. ``text_of`` gives a document's text by version id. A
    best hit that alone exceeds the budget is cut to its first whole sentences that fit.
    """
    cores: dict[str, Core] = {}
    documents: Counter[str] = Counter()
    spent = capped = over_budget = 0
    for hit in hits:
        chunk = chunks[hit.chunk_id]
        if (core := cores.get(chunk.parent_id)) is not None:
            cores[chunk.parent_id] = _joined(core, chunk)
            continue
        if len(cores) == passages:
            continue
        if documents[chunk.document_id] == per_document:
            capped += 1
            continue
        span = chunk.span
        text = text_of(chunk.version_id)
        size = tokens.count([span.of(text)])[0]
        if not cores and size > max_tokens:
            span, size = _shortened(text, span, tokens, max_tokens)
        if cores and spent + size > max_tokens:
            over_budget += 1
            continue
        cores[chunk.parent_id] = Core(chunk=chunk, span=span, score=hit.score, tokens=size)
        documents[chunk.document_id] += 1
        spent += size
    return Selection(cores=tuple(cores.values()), capped=capped, over_budget=over_budget)


def _joined(core: Core, chunk: ChunkRow) -> Core:
    return Core(
        chunk=core.chunk, span=core.span, score=core.score, tokens=core.tokens, others=(*core.others, chunk)
    )


def _shortened(text: str, span: Span, tokens: Tokens, max_tokens: int) -> tuple[Span, int]:
    """The longest run of first sentences within the budget; at least a few characters."""
    best: Span | None = None
    for sentence in sentences(text, span.start, span.end):
        candidate = Span(span.start, sentence.end)
        if tokens.count([candidate.of(text)])[0] > max_tokens:
            break
        best = candidate
    while best is None:
        span = Span(span.start, span.start + max(len(span) // 2, 1))
        if len(span) == 1 or tokens.count([span.of(text)])[0] <= max_tokens:
            best = span
    return best, tokens.count([best.of(text)])[0]
