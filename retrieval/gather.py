"""The candidates of one search: by meaning, by words, and by what the question names; fused by rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answer import Hit
from core.language import language_of
from core.protocols import Vectors
from core.settings import RetrievalSettings
from core.store import Reader
from ingest.calibration import Aim
from ingest.indexes.search_index import Aims, Allowed, SearchIndex
from ingest.workspace import Workspace
from retrieval.candidates import LOOKED_AT, lexical_weight
from retrieval.fuse import reciprocal_rank_fusion
from retrieval.query.places import extra_candidates
from retrieval.signals import Asked, search_tokens
from retrieval.trace import Trace

# Scores by words are wanted of candidates that only meaning brought, too.
_DEEPER: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """``rankings`` by source; ``fused`` are their union, best first; ``aims`` is what was searched with."""

    rankings: Mapping[str, Sequence[Hit]]
    fused: list[Hit]
    aims: Aims


class Gatherer:
    """For one question; ``others`` are wordings searched beside it, ``passages`` texts as an answer may read."""

    def __init__(
        self,
        workspace: Workspace,
        options: RetrievalSettings,
        index: SearchIndex,
        reader: Reader,
        trace: Trace,
    ) -> None:
        self._workspace = workspace
        self._options = options
        self._index = index
        self._reader = reader
        self._trace = trace

    def run(
        self, question: Asked, allowed: Allowed, others: Sequence[Asked] = (), passages: Sequence[str] = ()
    ) -> Gathered:
        """The candidates. Raises ``StoreError``, ``ModelError``."""
        rankings: dict[str, Sequence[Hit]] = {}
        aims = self._dense(question, allowed, others, passages, rankings)
        weight = self._lexical(question, allowed, others, rankings)
        self._named(question, allowed, rankings)
        with self._trace.step("fuse") as step:
            weights = {name: self._weight(name, weight) for name in rankings}
            shown = {name: found[: self._options.candidates] for name, found in rankings.items()}
            fused = reciprocal_rank_fusion(shown, k=self._options.rrf_k, weights=weights)
            step.counts["chunks"], step.hits = len(fused), fused
        return Gathered(rankings=rankings, fused=fused, aims=aims)

    def _weight(self, name: str, lexical: float) -> float:
        if name == "parent":
            return self._options.parent_weight
        return lexical if name.startswith("lexical") else 1.0

    def _dense(
        self,
        question: Asked,
        allowed: Allowed,
        others: Sequence[Asked],
        passages: Sequence[str],
        rankings: dict[str, Sequence[Hit]],
    ) -> Aims:
        options = self._options
        with self._trace.step("dense") as step:
            embedder = self._workspace.embedder
            vectors = list(embedder.queries([question.text, *(other.text for other in others)]))
            if passages:
                vectors += list(embedder.passages(list(passages)))
            every = [self._aims(vector, question.text) for vector in vectors]
            if options.dense:
                for at, aims in enumerate(every):
                    name = f"dense {at + 1}" if at else "dense"
                    rankings[name] = self._index.dense(aims, options.candidates, allowed)
            if options.parent_weight:
                rankings["parent"] = self._index.parents(every[0], options.candidates, allowed)
            step.counts["chunks"] = len(rankings.get("dense", ()))
            step.hits = rankings.get("dense", ())
        return every[0]

    def _aims(self, vector: Vectors, question: str) -> Aims:
        """The question's vector, aimed at the passages of each language."""
        means, calibration = self._index.mean_by_language, self._workspace.calibration
        if calibration is None:
            return {language: Aim(vector=vector, offset=0.0) for language in means}
        return calibration.aims(vector, language_of(question), means)

    def _lexical(
        self,
        question: Asked,
        allowed: Allowed,
        others: Sequence[Asked],
        rankings: dict[str, Sequence[Hit]],
    ) -> float:
        """The weight of the rankings by words."""
        options = self._options
        if not options.lexical:
            return 0.0
        with self._trace.step("lexical") as step:
            found = self._index.lexical(question.tokens, options.candidates * _DEEPER, allowed)
            rankings["lexical"] = found
            for at, other in enumerate(others, start=2):
                rankings[f"lexical {at}"] = self._index.lexical(other.tokens, options.candidates, allowed)
            first = self._reader.chunks([hit.chunk_id for hit in found[:LOOKED_AT]])
            held = [search_tokens(chunk.embed_text) for chunk in first.values()]
            weight = lexical_weight(question.rarities, held)
            shown = found[: options.candidates]
            step.note, step.counts["chunks"], step.hits = f"weight {weight:.2f}", len(shown), shown
        return weight

    def _named(self, question: Asked, allowed: Allowed, rankings: dict[str, Sequence[Hit]]) -> None:
        """The chunks of the parts that the question names, read off the documents that are meant."""
        references = question.understood.references
        if not references or allowed is None:
            return
        with self._trace.step("named parts") as step:
            places = extra_candidates(self._reader, sorted(allowed), references)
            ids = dict.fromkeys(chunk_id for place in places for chunk_id in place.chunk_ids)
            hits = [
                Hit(chunk_id=chunk_id, score=1.0, rank=rank, source="named")
                for rank, chunk_id in enumerate(ids, start=1)
            ]
            rankings["named"] = hits
            step.counts["chunks"], step.hits = len(hits), hits
