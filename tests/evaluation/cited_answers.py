"""Answers that cite places of documents without words of note, for tests of citations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.answer import Answer, Citation, Passage, Route, SearchResult
from core.span import Span
from core.verdict import Verdict
from evaluation.attribution.loss import Stored
from tests.oracles.chunk_spans import Range


def stored_texts(names: Iterable[str], length: int) -> Stored:
    """Documents of ``length`` times x, without chunks."""
    return Stored(texts=dict.fromkeys(names, "x" * length), chunks={})


def answer_citing(places: Sequence[Range]) -> Answer:
    """One passage and one citation for each place."""
    search = SearchResult(
        question="?",
        searched="?",
        passages=tuple(_passage(*place) for place in places),
        route=Route.CONFIDENT,
        trace=(),
        latency_ms=0.0,
    )
    citations = tuple(
        Citation(
            n=n + 1, passage=n, span=Span(start, end), text="x" * (end - start), pages=(), sentence="x",
            verdict=Verdict.SUPPORTED,
        )
        for n, (_, start, end) in enumerate(places)
    )  # fmt: skip
    return Answer(
        text="x",
        answered=True,
        citations=citations,
        search=search,
        notes=(),
        method="extractive",
        latency_ms=0.0,
    )


def _passage(doc: str, start: int, end: int) -> Passage:
    return Passage(
        document_id=doc, version_id=doc, doc=doc, title="", section_path=(), span=Span(start, end),
        text="x" * (end - start), pages=(), score=1.0, chunk_ids=(), token_count=1,
    )  # fmt: skip
