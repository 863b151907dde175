"""One search: what is asked, candidates in order, passages, how sure; all from one generation of the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answer import Passage, SearchResult
from core.document import pages_of
from core.protocols import Reranker
from core.scope import Scope
from core.settings import RetrievalSettings
from core.store import Reader
from ingest.indexes.search_index import Allowed, SearchIndex
from ingest.workspace import Workspace
from retrieval.evidence import Evidence
from retrieval.expand import expand
from retrieval.names_held import NamesHeld
from retrieval.probability import Signs
from retrieval.query.understood import Understood
from retrieval.rank import Ranked, Ranker, Wording
from retrieval.route import Routed, routed
from retrieval.select import Core, Selector, in_turn
from retrieval.sources import Sources
from retrieval.trace import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much a search may return: passages, and tokens of all of them together."""

    passages: int
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A search result, its passages with what an answerer needs of their documents, what was understood.

    ``signs`` are what the result's probability was made of, where it has one.
    """

    result: SearchResult
    evidence: Evidence
    understood: Understood
    signs: Signs | None = None
    notes: tuple[str, ...] = ()
    empty_store: bool = False


@dataclass(slots=True, kw_only=True)
class Search:
    """Runs once."""

    workspace: Workspace
    reranker: Reranker
    names: NamesHeld
    options: RetrievalSettings
    trace: Trace

    def run(
        self,
        question: str,
        searched: str,
        scope: Scope,
        bounds: Bounds,
        wording: Wording | None = None,
    ) -> Found:
        """The evidence for ``searched``. Raises ``UnknownCollectionError``, ``StoreError``, ``ModelError``."""
        with self.workspace.store.read() as reader:
            visible = reader.visible_versions(scope)
            index = self.workspace.indexes.at(reader)
            understood, allowed = self._understood(searched, reader, visible)
            ranker = Ranker(
                workspace=self.workspace, reranker=self.reranker, options=self.options, trace=self.trace
            )
            ranked = ranker.run(index, reader, understood, allowed, wording or Wording())
            sources = Sources(reader)
            found = self._passages(sources, ranked, understood, bounds)
            decided = self._routed(searched, found, index, ranked)
            with self.trace.step("evidence"):
                evidence = sources.evidence(found, self.workspace.embedder.fingerprint)
            return Found(
                result=self._result(question, searched, found, decided),
                evidence=evidence,
                understood=understood,
                signs=decided.signs,
                notes=ranked.notes,
                empty_store=not len(index),
            )

    def _understood(self, searched: str, reader: Reader, visible: Allowed) -> tuple[Understood, Allowed]:
        with self.trace.step("understand") as step:
            understood, allowed = self.names.understood(searched, reader, visible)
            step.note = understood.shape.value
            step.counts["visible"] = reader.count("documents") if visible is None else len(visible)
            if allowed is not visible:
                step.counts["documents"] = len(understood.documents)
            if not self.options.understand:
                return Understood(question=searched, shape=understood.shape), visible
        return understood, allowed

    def _passages(
        self, sources: Sources, ranked: Ranked, understood: Understood, bounds: Bounds
    ) -> tuple[Passage, ...]:
        """The hits as passages, grown inside their sections, within the budget."""
        options, tokens, chunks = self.options, self.workspace.embedder, ranked.chunks
        one_document = len({chunk.document_id for chunk in chunks.values()}) == 1
        with self.trace.step("expand") as step:
            # What is left of the budget is for what stands around.
            share = options.core_share if options.expand else 1.0
            selector = Selector(
                chunks=chunks,
                text_of=sources.text,
                tokens=tokens,
                passages=bounds.passages,
                core_tokens=round(share * bounds.max_tokens),
                max_tokens=bounds.max_tokens,
                repeats=len(understood.documents) > 1,
                per_document=bounds.passages if one_document else self._cap(bounds.passages),
            )
            selection = selector.select(in_turn(ranked.hits, chunks, understood.documents))
            cores = list(selection.cores)
            if options.expand:
                ids = [core.chunk.parent_id for core in cores]
                parents, children = sources.parents(ids), sources.children(ids)
                cores = expand(cores, parents, children, sources.text, tokens, max_tokens=bounds.max_tokens)
            found = tuple(_passage(core, sources) for core in cores)
            step.dropped = dict(selection.dropped)
            step.counts |= {
                "passages": len(found),
                "tokens": sum(passage.token_count for passage in found),
                "capped": selection.capped,
                "over_budget": selection.over_budget,
            }
        return found

    def _cap(self, passages: int) -> int:
        """Most passages of one document: one source never fills all places."""
        return min(self.options.max_passages_per_document, max(passages * 2 // 3, 1))

    def _routed(self, searched: str, found: Sequence[Passage], index: SearchIndex, ranked: Ranked) -> Routed:
        with self.trace.step("route") as step:
            signals = [ranked.signals[hit.chunk_id] for hit in ranked.hits]
            decided = routed(searched, found, index, signals, self.workspace.embedder.fingerprint)
            step.note = decided.route.value
            if decided.probability is not None:
                step.note += f" {decided.probability:.2f}"
        return decided

    def _result(
        self, question: str, searched: str, found: tuple[Passage, ...], decided: Routed
    ) -> SearchResult:
        trace = self.trace.steps()
        return SearchResult(
            question=question,
            searched=searched,
            passages=found,
            route=decided.route,
            probability=decided.probability,
            trace=trace,
            latency_ms=sum(step.latency_ms for step in trace),
        )


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
        pages=pages_of(sources.lines(version.id, core.span), core.span),
        score=core.score,
        chunk_ids=(core.chunk.id, *(other.id for other in core.others)),
        token_count=core.tokens,
    )
