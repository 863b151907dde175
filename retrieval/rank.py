"""From candidates to their order: what is known of each, the built-in score, and a reranker's second opinion."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.answer import Hit
from core.errors import ModelError
from core.protocols import Reranker, Signals
from core.settings import RetrievalSettings
from core.store import ChunkRow, Reader
from ingest.indexes.search_index import Allowed, SearchIndex
from ingest.workspace import Workspace
from retrieval.gather import Gathered, Gatherer
from retrieval.query.understood import Understood
from retrieval.rerankers.builtin import BuiltinReranker
from retrieval.signals import asked, signals_of
from retrieval.trace import Trace

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What is searched beside a question: other wordings of it, and passages that might answer it."""

    others: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Hits, best first, with their chunks and signals by id; ``notes`` name what fell back."""

    hits: list[Hit]
    chunks: Mapping[str, ChunkRow]
    signals: Mapping[str, Signals]
    notes: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Ranker:
    """For one question over one generation."""

    workspace: Workspace
    reranker: Reranker
    options: RetrievalSettings
    trace: Trace
    _notes: list[str] = field(default_factory=list)

    def run(
        self, index: SearchIndex, reader: Reader, understood: Understood, allowed: Allowed, wording: Wording
    ) -> Ranked:
        """Everything that may be evidence, best first. Raises ``StoreError``, ``ModelError``."""
        if not len(index) or (allowed is not None and not allowed):
            return Ranked(hits=[], chunks={}, signals={})
        question = asked(understood.question, index, understood)
        others = [asked(other, index, understood) for other in wording.others]
        gatherer = Gatherer(self.workspace, self.options, index, reader, self.trace)
        found = gatherer.run(question, allowed, others, wording.passages)
        chunks = reader.chunks([hit.chunk_id for hit in found.fused])
        with self.trace.step("signals") as step:
            rows = [chunks[hit.chunk_id] for hit in found.fused]
            model = self.workspace.embedder.fingerprint
            made = signals_of(
                question, rows, found.rankings, found.aims, reader, model, by_sentence=self.options.sentences
            )
            signals = {row.id: signal for row, signal in zip(rows, made, strict=True)}
            step.counts["chunks"] = len(signals)
        hits = self._ordered(understood.question, found, chunks, signals)
        return Ranked(hits=hits, chunks=chunks, signals=signals, notes=tuple(self._notes))

    def _ordered(
        self,
        question: str,
        found: Gathered,
        chunks: Mapping[str, ChunkRow],
        signals: Mapping[str, Signals],
    ) -> list[Hit]:
        name = self.options.reranker
        if name == "none" or not found.fused:
            return found.fused
        with self.trace.step("blend") as step:
            builtin = BuiltinReranker(self.workspace.settings)
            texts = [chunks[hit.chunk_id].embed_text for hit in found.fused]
            given = [signals[hit.chunk_id] for hit in found.fused]
            blended = _sorted(found.fused, builtin.rerank(question, texts, given), "builtin")
            step.counts["chunks"], step.hits = len(blended), blended
        return blended if name == "builtin" else self._reranked(question, blended, chunks, signals)

    def _reranked(
        self,
        question: str,
        hits: list[Hit],
        chunks: Mapping[str, ChunkRow],
        signals: Mapping[str, Signals],
    ) -> list[Hit]:
        """The head in the reranker's order, the rest behind it; as it was when the reranker fails."""
        head, rest = hits[: self.options.rerank_candidates], hits[self.options.rerank_candidates :]
        with self.trace.step("rerank") as step:
            try:
                texts = [chunks[hit.chunk_id].embed_text for hit in head]
                scores = self.reranker.rerank(question, texts, [signals[hit.chunk_id] for hit in head])
            except ModelError as exc:
                _LOG.warning("reranker: %s", exc)
                self._notes.append("note_reranker_failed")
                step.note, step.hits = str(exc), hits
                return hits
            ordered = _sorted(head, scores, self.options.reranker)
            step.counts["chunks"], step.hits = len(head), ordered
        low = min(scores)
        return [
            *ordered,
            *(
                Hit(chunk_id=hit.chunk_id, score=min(hit.score, low), rank=rank, source=hit.source)
                for rank, hit in enumerate(rest, start=len(ordered) + 1)
            ),
        ]


def _sorted(hits: Sequence[Hit], scores: Sequence[float], source: str) -> list[Hit]:
    """By descending score; ties keep their order."""
    order = sorted(range(len(hits)), key=lambda i: (-scores[i], i))
    return [
        Hit(chunk_id=hits[i].chunk_id, score=scores[i], rank=rank, source=source)
        for rank, i in enumerate(order, start=1)
    ]
