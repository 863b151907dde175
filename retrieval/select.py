"""Which chunks become passages: the best ones, from several documents, within the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answer import Hit
from core.protocols import Tokens
from core.span import Span
from core.store import ChunkRow
from ingest.sentences import sentences

# Why a chunk became no passage.
CAPPED: Final = "document cap"
OVER_BUDGET: Final = "token budget"
ENOUGH: Final = "enough passages"


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
    """Cores in order of rank, and which chunks were passed over, each with the rule that did it."""

    cores: tuple[Core, ...]
    dropped: tuple[tuple[str, str], ...]

    @property
    def capped(self) -> int:
        """How many would have given one document too many passages."""
        return sum(reason == CAPPED for _, reason in self.dropped)

    @property
    def over_budget(self) -> int:
        """How many did not fit into the budget any more."""
        return sum(reason == OVER_BUDGET for _, reason in self.dropped)


def in_turn(hits: Sequence[Hit], chunks: Mapping[str, ChunkRow], documents: Sequence[str]) -> list[Hit]:
    """The hits, with the best one of each of several named documents before all others."""
    if len(documents) < 2:
        return list(hits)
    first: dict[str, Hit] = {}
    for hit in hits:
        document = chunks[hit.chunk_id].document_id
        if document in documents:
            first.setdefault(document, hit)
    best = list(first.values())
    return [*best, *(hit for hit in hits if hit not in best)]


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
    dropped: list[tuple[str, str]] = []
    spent = 0
    for hit in hits:
        chunk = chunks[hit.chunk_id]
        if (core := cores.get(chunk.parent_id)) is not None:
            cores[chunk.parent_id] = _joined(core, chunk)
            continue
        if len(cores) == passages:
            dropped.append((hit.chunk_id, ENOUGH))
            continue
        if documents[chunk.document_id] == per_document:
            dropped.append((hit.chunk_id, CAPPED))
            continue
        span = chunk.span
        text = text_of(chunk.version_id)
        size = tokens.count([span.of(text)])[0]
        if not cores and size > max_tokens:
            span, size = _shortened(text, span, tokens, max_tokens)
        if cores and spent + size > max_tokens:
            dropped.append((hit.chunk_id, OVER_BUDGET))
            continue
        cores[chunk.parent_id] = Core(chunk=chunk, span=span, score=hit.score, tokens=size)
        documents[chunk.document_id] += 1
        spent += size
    return Selection(cores=tuple(cores.values()), dropped=tuple(dropped))


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
