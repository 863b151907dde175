"""The index of one generation, on a Milvus server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from core.answer import Hit
from core.protocols import Vectors
from ingest.calibration import Aim
from ingest.indexes.milvus.layout import Names, words_text
from ingest.indexes.milvus.sample import Sample, draw
from ingest.indexes.milvus.server import Found, Request, Server
from ingest.indexes.milvus.view import View, listed
from ingest.indexes.search_index import Aims, Allowed


class MilvusIndex:
    """Implements ``SearchIndex``. Every search may raise what ``Server`` raises."""

    def __init__(
        self,
        *,
        server: Server,
        names: Names,
        view: View,
        languages: Sequence[str],
        generation: int,
        size: int,
    ) -> None:
        self.generation = generation
        self._server = server
        self._names = names
        self._view = view
        self._languages = languages
        self._size = size
        self._known = frozenset(view.keys.values())

    def __len__(self) -> int:
        return self._size

    @cached_property
    def _sample(self) -> Sample:
        where = self._view.filter()
        return draw(self._server, self._names.chunks, where or "", self._languages if where else ())

    @property
    def mean_by_language(self) -> Mapping[str, Vectors]:
        """The mean vector ``(dimension,)`` of the chunks in each language; of 2,000 drawn ones of many."""
        return self._sample.means

    def document_frequency(self, token: str) -> int:
        """About how many chunks hold the token: see ``Sample``."""
        return self._sample.document_frequency(token)

    def dense(self, aims: Aims, limit: int, allowed: Allowed = None) -> list[Hit]:
        """Chunks by nearness of meaning; the rows of each language are searched with its own aim."""
        found = [
            (hit.score - aim.offset, hit.item)
            for aim, request in self._requests(aims, limit, allowed)
            for hit in self._search(self._names.chunks, request, limit)
        ]
        return _hits(found, limit, "dense")

    def parents(self, aims: Aims, limit: int, allowed: Allowed = None) -> list[Hit]:
        """The best chunk of each of the nearest parents, in the order of the parents."""
        found: list[tuple[float, str]] = []
        for aim, request in self._requests(aims, limit, allowed):
            scores = {hit.item: hit.score for hit in self._search(self._names.parents, request, limit)}
            best = self._best_children(aim, list(scores))
            found += ((scores[parent] - aim.offset, chunk) for parent, chunk in best.items())
        return _hits(found, limit, "parent")

    def lexical(self, tokens: Sequence[str], limit: int, allowed: Allowed = None) -> list[Hit]:
        """Chunks by BM25 of search tokens."""
        where = self._view.filter(allowed)
        if where is None or limit < 1 or not tokens:
            return []
        request = Request(query=words_text(list(dict.fromkeys(tokens))), where=where)
        found = [(hit.score, hit.item) for hit in self._search(self._names.chunks, request, limit)]
        return _hits([hit for hit in found if hit[0] > 0], limit, "lexical")

    def hybrid(
        self,
        aims: Aims,
        tokens: Sequence[str],
        limit: int,
        allowed: Allowed = None,
        *,
        k: int,
        candidates: int = 50,
    ) -> list[Hit]:
        """Chunks by reciprocal rank fusion of ``dense`` and ``lexical`` on the server, in one request.

        Beside the protocol: all rankings weigh the same, and each distinct aim is one of its own.
        ``candidates`` are taken from each, ``k`` is the constant of the fusion.
        """
        requests = [request for _, request in self._requests(aims, limit, allowed)]
        where = self._view.filter(allowed)
        if where is not None and tokens:
            requests.append(Request(query=words_text(list(dict.fromkeys(tokens))), where=where))
        if not requests or limit < 1:
            return []
        found = self._server.fused(self._names.chunks, requests, candidates, limit, k)
        return _hits([(hit.score, hit.item) for hit in self._own(found)], limit, "rrf")

    def _requests(self, aims: Aims, limit: int, allowed: Allowed) -> list[tuple[Aim, Request]]:
        """One for each distinct aim, over the languages that have it."""
        where = self._view.filter(allowed)
        if where is None or limit < 1:
            return []
        languages: dict[tuple[bytes, float], list[str]] = {}
        for language in self._languages:
            if (aim := aims.get(language)) is not None:
                languages.setdefault((aim.vector.tobytes(), aim.offset), []).append(language)
        return [
            (
                aims[named[0]],
                Request(
                    query=aims[named[0]].vector,
                    where=where
                    if len(named) == len(self._languages)
                    else f"{where} and language in {listed(named)}",
                ),
            )
            for named in languages.values()
        ]

    def _search(self, name: str, request: Request, limit: int) -> list[Found]:
        return self._own(self._server.search(name, request, limit))

    def _own(self, found: Iterable[Found]) -> list[Found]:
        """Whatever happens on the server meanwhile: nothing of another generation comes back."""
        return [hit for hit in found if hit.version in self._known]

    def _best_children(self, aim: Aim, parents: Sequence[str]) -> dict[str, str]:
        """The nearest chunk of each parent."""
        where = self._view.filter()
        if not parents or where is None:
            return {}
        rows = self._server.rows(
            self._names.chunks, f"{where} and parent in {listed(parents)}", ["parent", "item", "dense"]
        )
        scores = np.asarray([row["dense"] for row in rows], dtype=np.float32) @ aim.vector
        best: dict[str, str] = {}
        for place in sorted(range(len(rows)), key=lambda i: (-scores[i], str(rows[i]["item"]))):
            best.setdefault(str(rows[place]["parent"]), str(rows[place]["item"]))
        return {parent: best[parent] for parent in parents if parent in best}


def _hits(found: Iterable[tuple[float, str]], limit: int, source: str) -> list[Hit]:
    """The best ``limit``, ties by chunk id; a chunk found twice keeps its better place."""
    best: dict[str, float] = {}
    for score, chunk_id in sorted(found, key=lambda pair: (-pair[0], pair[1])):
        best.setdefault(chunk_id, score)
    return [
        Hit(chunk_id=chunk_id, score=score, rank=rank, source=source)
        for rank, (chunk_id, score) in enumerate(list(best.items())[: max(limit, 0)], start=1)
    ]
