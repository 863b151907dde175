"""Evidence that a search did not return: the stage at which the chunk that holds it fell behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from core.answer import SearchResult
from core.span import union
from core.store import ChunkRow
from evaluation.attribution.chunking import chunk_loss
from evaluation.attribution.loss import Loss, Stage, Stored, wanted
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Place
from retrieval.content_words import WordsHeld, content_words
from retrieval.select import CAPPED

_SEARCHES: Final = ("dense", "lexical", "named parts")
# A chunk with this share of a question's words should have been found by its words.
_BY_WORDS: Final = 0.8


def search_losses(
    case: GoldCase, result: SearchResult, stored: Stored, first: int | None = None
) -> Iterator[Loss]:
    """What is wanted and stands in none of the passages together (or of the ``first`` of them)."""
    for pieces in wanted(case):
        if not any(is_returned(stored.place(piece), result, first) for piece in pieces):
            yield _lost(case, pieces[0], result, stored, first)


def is_returned(place: Place, result: SearchResult, first: int | None = None) -> bool:
    """Whether the passages hold the place whole."""
    spans = (passage.span for passage in result.passages[:first] if passage.doc == place.doc)
    # One character may part two passages: the white space between neighbours belongs to none.
    return any(span.contains(place.span) for span in union(spans, gap=2))


def _lost(
    case: GoldCase, piece: EvidencePiece, result: SearchResult, stored: Stored, first: int | None
) -> Loss:
    place = stored.place(piece)
    chunk = stored.holder(place)
    words = place.span.of(stored.texts[place.doc])
    if chunk is None:
        return Loss(
            case=case, stage=Stage.CHUNKING, reason="in no chunk", doc=place.doc, evidence=words
        )  # fmt: skip
    ranks = ranks_of(result, chunk.id)
    cut = chunk_loss(case, place, stored)
    if cut is not None and _is_among(chunk, result, first):
        # The best chunk came: what is missing was cut off from it.
        return cut
    stage, reason = _stage(case.question, chunk, ranks, result, first)
    return Loss(
        case=case, stage=stage, reason=reason, doc=place.doc, evidence=words, chunk_id=chunk.id,
        ranks=tuple(ranks.items()),
    )  # fmt: skip


def ranks_of(result: SearchResult, chunk_id: str) -> dict[str, int]:
    """The rank (from 1) of a chunk in each step of the trace that ranked it; of a repeated step the last."""
    return {
        step.name: hit.rank for step in result.trace for hit in step.hits if hit.chunk_id == chunk_id
    }  # fmt: skip


def _stage(
    question: str, chunk: ChunkRow, ranks: Mapping[str, int], result: SearchResult, first: int | None
) -> tuple[Stage, str]:
    """The first stage after which the chunk was no longer good enough to be returned.

    Good enough is a rank within as many places as there were chunks returned, or ``first``.
    """
    reach = first or max(sum(len(passage.chunk_ids) for passage in result.passages), 1)
    dropped = {name: reason for step in result.trace for name, reason in step.dropped}.get(chunk.id, "")
    if dropped == CAPPED:
        return Stage.PACKING, dropped
    order = _order(ranks)
    if order and ranks[order[-1]] <= reach:
        return Stage.PACKING, dropped or "returned in part, or behind others"
    best = min((ranks[name] for name in _SEARCHES if name in ranks), default=0)
    if not best or best > reach:
        return _missed(
            question, chunk, result
        ), f"found at {best}, wanted in {reach}" if best else "not found"
    stage = Stage.FUSION if order == ["fuse"] else Stage.RERANK
    return stage, f"found at {best}, moved to {ranks[order[-1]]} by {order[-1]}"


def _order(ranks: Mapping[str, int]) -> list[str]:
    """The steps that put the candidates in order. The blend judges them anew, whatever fusion said."""
    names = [name for name in ("blend", "rerank") if name in ranks]
    return names or [name for name in ("fuse",) if name in ranks]


def _missed(question: str, chunk: ChunkRow, result: SearchResult) -> Stage:
    """Which search should have found it: the one by words when the chunk has those of the question."""
    ran = {step.name for step in result.trace if step.hits}
    if "lexical" not in ran:
        return Stage.EMBEDDING
    words, held = content_words(question), WordsHeld(chunk.embed_text)
    share = sum(held.share(word) for word in words) / len(words) if words else 0.0
    return Stage.LEXICAL if "dense" not in ran or share >= _BY_WORDS else Stage.EMBEDDING


def _is_among(chunk: ChunkRow, result: SearchResult, first: int | None) -> bool:
    return any(
        passage.version_id == chunk.version_id and passage.span.contains(chunk.span)
        for passage in result.passages[:first]
    )
