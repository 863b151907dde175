"""One search: candidates, fusion, rerank, passages, all from one generation of the store."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.answer import Hit, Passage, SearchResult
from core.document import pages_of
from core.errors import ModelError, UnknownCollectionError
from core.language import language_of
from core.protocols import Mask, Reranker
from core.settings import RetrievalSettings
from core.store import ChunkRow, Reader
from ingest.calibration import Aim
from ingest.indexes.analyzer import analyze
from ingest.indexes.snapshot import IndexSnapshot
from ingest.workspace import Workspace, is_ephemeral
from retrieval.candidates import Aims, Scope, dense_hits, lexical_hits, lexical_weight, parent_hits
from retrieval.evidence import Evidence
from retrieval.expand import expand
from retrieval.fuse import reciprocal_rank_fusion
from retrieval.route import route
from retrieval.select import Core, select
from retrieval.sources import Sources
from retrieval.trace import Trace

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A search result, and its passages with what an answerer needs of their documents."""

    result: SearchResult
    evidence: Evidence
    notes: tuple[str, ...] = ()
    empty_store: bool = False


class Search:
    """Runs once."""

    def __init__(
        self, workspace: Workspace, reranker: Reranker, options: RetrievalSettings, trace: Trace
    ) -> None:
        self._workspace = workspace
        self._reranker = reranker
        self._options = options
        self._trace = trace
        self._notes: list[str] = []

    def run(self, question: str, searched: str, scope: Scope, passages: int, max_tokens: int) -> Found:
        """The evidence for ``searched``. Raises ``UnknownCollectionError``, ``StoreError``, ``ModelError``."""
        with self._workspace.store.read() as reader:
            scope = _resolved(scope, reader)
            snapshot = self._workspace.indexes.at(reader)
            hits = self._hits(snapshot, searched, scope)
            chunks = reader.chunks([hit.chunk_id for hit in hits])
            hits = self._reranked(searched, hits, chunks)
            sources = Sources(reader)
            found = self._passages(sources, hits, chunks, passages, max_tokens)
            return self._found(sources, snapshot, question, searched, found)

    def _hits(self, snapshot: IndexSnapshot, searched: str, scope: Scope) -> list[Hit]:
        limit = self._options.candidates
        allowed: Mask | None = snapshot.allowed(scope.collections, scope.documents)
        if not len(snapshot) or (allowed is not None and not allowed.any()):
            return []
        with self._trace.step("dense") as step:
            aims = self._aims(snapshot, searched)
            rankings = {"dense": dense_hits(snapshot, aims, limit, allowed)}
            if self._options.parent_weight:
                rankings["parent"] = parent_hits(snapshot, aims, limit, allowed)
            step.counts["chunks"] = len(rankings["dense"])
        with self._trace.step("lexical") as step:
            tokens = analyze(searched)
            rankings["lexical"] = lexical_hits(snapshot, tokens, limit, allowed)
            step.counts["chunks"] = len(rankings["lexical"])
            words = lexical_weight(snapshot, tokens, rankings["lexical"])
            step.note = f"weight {words:.2f}"
        with self._trace.step("fuse") as step:
            weights = {"lexical": words, "parent": self._options.parent_weight}
            fused = reciprocal_rank_fusion(rankings, k=self._options.rrf_k, weights=weights)
            step.counts["chunks"] = len(fused)
        return fused

    def _aims(self, snapshot: IndexSnapshot, searched: str) -> Aims:
        """The question's vector, aimed at the passages of each language."""
        vector = self._workspace.embedder.queries([searched])[0]
        calibration = self._workspace.calibration
        if calibration is None:
            return {language: Aim(vector=vector, offset=0.0) for language in snapshot.children_by_language}
        return calibration.aims(vector, language_of(searched), snapshot.mean_by_language)

    def _reranked(self, searched: str, hits: list[Hit], chunks: Mapping[str, ChunkRow]) -> list[Hit]:
        if self._options.reranker == "none":
            return hits
        head = hits[: self._options.rerank_candidates]
        with self._trace.step("rerank") as step:
            try:
                scores = self._reranker.rerank(searched, [chunks[hit.chunk_id].embed_text for hit in head])
            except ModelError as exc:
                _LOG.warning("reranker: %s", exc)
                self._notes.append("note_reranker_failed")
                step.note = str(exc)
                return hits
            step.counts["chunks"] = len(head)
        order = sorted(range(len(head)), key=lambda i: (-scores[i], i))
        return [
            Hit(chunk_id=head[i].chunk_id, score=scores[i], rank=rank, source=self._options.reranker)
            for rank, i in enumerate(order, start=1)
        ]

    def _passages(
        self,
        sources: Sources,
        hits: Sequence[Hit],
        chunks: Mapping[str, ChunkRow],
        passages: int,
        max_tokens: int,
    ) -> tuple[Passage, ...]:
        """The hits as passages, grown inside their sections, within the budget."""
        options, tokens = self._options, self._workspace.embedder
        one_document = len({chunk.document_id for chunk in chunks.values()}) == 1
        with self._trace.step("expand") as step:
            selection = select(
                hits,
                chunks,
                sources.text,
                tokens,
                passages=passages,
                max_tokens=max_tokens,
                per_document=passages if one_document else options.max_passages_per_document,
            )
            ids = [core.chunk.parent_id for core in selection.cores]
            parents, children = sources.parents(ids), sources.children(ids)
            cores = expand(selection.cores, parents, children, sources.text, tokens, max_tokens=max_tokens)
            found = tuple(_passage(core, sources) for core in cores)
            step.counts |= {
                "passages": len(found),
                "tokens": sum(passage.token_count for passage in found),
                "capped": selection.capped,
                "over_budget": selection.over_budget,
            }
        return found

    def _found(
        self,
        sources: Sources,
        snapshot: IndexSnapshot,
        question: str,
        searched: str,
        passages: tuple[Passage, ...],
    ) -> Found:
        with self._trace.step("route") as step:
            decided = route(searched, passages, snapshot)
            step.note = decided.value
        trace = self._trace.steps()
        used = {passage.version_id for passage in passages}
        return Found(
            result=SearchResult(
                question=question,
                searched=searched,
                passages=passages,
                route=decided,
                trace=trace,
                latency_ms=sum(step.latency_ms for step in trace),
            ),
            evidence=Evidence(
                passages=passages,
                texts={v: sources.text(v) for v in used},
                blocks={v: sources.blocks(v) for v in used},
                lines={v: sources.lines(v) for v in used},
            ),
            notes=tuple(self._notes),
            empty_store=not len(snapshot),
        )


def _resolved(scope: Scope, reader: Reader) -> Scope:
    """The scope with its collections checked; without any named, files of single chats stay out."""
    known = reader.collections()
    if scope.collections is None:
        lasting = tuple(name for name in known if not is_ephemeral(name))
        return scope if lasting == known else replace(scope, collections=lasting)
    for name in scope.collections:
        if name not in known:
            raise UnknownCollectionError(name=name, known=", ".join(known) or "-")
    return scope


def _passage(core: Core, sources: Sources) -> Passage:
    version = sources.version(core.chunk.version_id)
    return Passage(
        document_id=version.document_id,
        version_id=version.id,
        doc=version.name,
        title=version.title,
        section_path=core.chunk.section_path,
        span=core.span,
        text=core.span.of(version.text),
        pages=pages_of(sources.lines(version.id), core.span),
        score=core.score,
        chunk_ids=(core.chunk.id, *(other.id for other in core.others)),
        token_count=core.tokens,
    )
