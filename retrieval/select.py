"""Which chunks become passages: the best ones, from several documents, within the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.answer import Hit
from core.protocols import Tokens
from core.span import Span, is_blank
from core.store import ChunkRow
from ingest.sentences import sentences

# Why a chunk became no passage.
CAPPED: Final = "document cap"
OVER_BUDGET: Final = "token budget"
ENOUGH: Final = "enough passages"
REPEATED: Final = "same words as another document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The start of a passage: its best chunk, and the other hits that stand right beside it in its section."""

    chunk: ChunkRow
    span: Span
    score: float
    tokens: int
    others: tuple[ChunkRow, ...] = ()
    is_cut: bool = False


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


@dataclass(slots=True, kw_only=True)
class Selector:
    """Takes hits, best first: at most ``passages`` cores of at most ``core_tokens`` together.

    The best hit is always among them; when it alone exceeds ``max_tokens`` it is cut to its first whole
    sentences that fit. ``text_of`` gives a document's text by version id. A copy of a document adds nothing:
    the same words come once, unless ``repeats`` asks for them of each document.
    """

    chunks: Mapping[str, ChunkRow]
    text_of: Callable[[str], str]
    tokens: Tokens
    passages: int
    core_tokens: int
    max_tokens: int
    per_document: int
    repeats: bool = False

    def select(self, hits: Sequence[Hit]) -> Selection:
        """The cores of ``hits``."""
        cores: list[Core] = []
        dropped: list[tuple[str, str]] = []
        documents: Counter[str] = Counter()
        spent = 0
        for hit in hits:
            chunk = self.chunks[hit.chunk_id]
            if any(core.span.contains(chunk.span) and _is_same(core.chunk, chunk) for core in cores):
                continue
            if not self.repeats and any(_is_copy(core, chunk) for core in cores):
                dropped.append((hit.chunk_id, REPEATED))
                continue
            beside = next((at for at, core in enumerate(cores) if self._is_beside(core, chunk)), None)
            of_document = documents[chunk.document_id]
            least = spent + (_least(chunk) if beside is None else 0)
            if reason := self._refusal(cores, of_document, least, beside):
                # Most candidates end here, and their documents are never read.
                dropped.append((hit.chunk_id, reason))
                continue
            core = self._core(hit, chunk) if beside is None else self._joined(cores[beside], chunk)
            if not cores and core.tokens > self.max_tokens:
                core = self._shortened(core)
            more = core.tokens - (0 if beside is None else cores[beside].tokens)
            if reason := self._refusal(cores, of_document, spent + more, beside):
                dropped.append((hit.chunk_id, reason))
                continue
            spent += more
            if beside is None:
                cores.append(core)
                documents[chunk.document_id] += 1
            else:
                cores[beside] = core
        return Selection(cores=tuple(cores), dropped=tuple(dropped))

    def _refusal(self, cores: Sequence[Core], of_document: int, spent: int, beside: int | None) -> str:
        if beside is None and len(cores) == self.passages:
            return ENOUGH
        if beside is None and of_document == self.per_document:
            return CAPPED
        return OVER_BUDGET if cores and spent > self.core_tokens else ""

    def _core(self, hit: Hit, chunk: ChunkRow) -> Core:
        return Core(chunk=chunk, span=chunk.span, score=hit.score, tokens=self._count(chunk, chunk.span))

    def _joined(self, core: Core, chunk: ChunkRow) -> Core:
        span = core.span.hull(chunk.span)
        return replace(core, span=span, tokens=self._count(chunk, span), others=(*core.others, chunk))

    def _count(self, chunk: ChunkRow, span: Span) -> int:
        return self.tokens.count([span.of(self.text_of(chunk.version_id))])[0]

    def _is_beside(self, core: Core, chunk: ChunkRow) -> bool:
        """Whether nothing stands between the two in their section."""
        if not _is_same(core.chunk, chunk) or core.is_cut:
            return False
        if core.span.overlaps(chunk.span):
            return True
        first, second = sorted((core.span, chunk.span), key=lambda span: span.start)
        return all(map(is_blank, self.text_of(chunk.version_id)[first.end : second.start]))

    def _shortened(self, core: Core) -> Core:
        """Its longest run of first sentences within the budget; at least a few characters."""
        text, span = self.text_of(core.chunk.version_id), core.span
        best: Span | None = None
        for sentence in sentences(text, span.start, span.end):
            candidate = Span(span.start, sentence.end)
            if self._count(core.chunk, candidate) > self.max_tokens:
                break
            best = candidate
        while best is None:
            span = Span(span.start, span.start + max(len(span) // 2, 1))
            if len(span) == 1 or self._count(core.chunk, span) <= self.max_tokens:
                best = span
        return replace(core, span=best, tokens=self._count(core.chunk, best), is_cut=True)


def _least(chunk: ChunkRow) -> int:
    """Tokens that the chunk surely has without its header: half of its share by characters."""
    return chunk.token_count * len(chunk.span) // (2 * max(len(chunk.embed_text), 1))


def _is_same(one: ChunkRow, other: ChunkRow) -> bool:
    return one.version_id == other.version_id and one.section_id == other.section_id


def _is_copy(core: Core, chunk: ChunkRow) -> bool:
    """Whether another document has the same words under the same headings."""
    taken = (core.chunk, *core.others)
    return any(one.embed_hash == chunk.embed_hash and one.document_id != chunk.document_id for one in taken)
