"""The numbered sources of an answer, each with all that is needed to find the place again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answer import Citation, Passage
from core.span import union
from core.verdict import Verdict
from retrieval.records.opening import AnswerRecord
from retrieval.records.texts import word
from retrieval.records.today import CitationState, State

_WORST_FIRST = (Verdict.UNSUPPORTED, Verdict.PARTLY, Verdict.SUPPORTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One number of an answer and its passage. ``citations`` go with ``states``, one by one.

    What cannot be seen any more has no title, file, version (0), hash, date, headings, pages or quotes. ``quotes``
    are the cited words in the order of the source. ``sha256`` is that of the original file.
    """

    n: int
    passage: Passage
    verdict: Verdict
    state: State
    title: str
    file: str
    version: int
    sha256: str
    added_at: str
    section_path: tuple[str, ...]
    pages: tuple[int, ...]
    quotes: tuple[str, ...]
    citations: tuple[Citation, ...]
    states: tuple[CitationState, ...]

    def place(self, language: str) -> str:
        """Headings and pages, where there are any."""
        return place_of(self.section_path, self.pages, language)

    def version_text(self, language: str) -> str:
        """ "version 2 · added 2026-11-30 · 1a2b3c4d"."""
        return word(
            "version_full", language, number=self.version, added=self.added_at[:10], hash=self.sha256[:8]
        )


def entries(record: AnswerRecord) -> tuple[Entry, ...]:
    """The sources of an answer by number."""
    numbers = sorted({citation.n for citation in record.answer.citations})
    return tuple(_entry(record, n) for n in numbers)


def uncited(record: AnswerRecord) -> tuple[Passage, ...]:
    """Passages that the answer was written from without citing them, as far as they may be seen."""
    answer = record.answer
    cited = {citation.passage for citation in answer.citations}
    read = answer.search.passages[: len(answer.search.passages) - answer.left_out]
    return tuple(
        passage
        for at, passage in enumerate(read)
        if at not in cited and passage.version_id in record.versions
    )


def place_of(section_path: Sequence[str], pages: Sequence[int], language: str) -> str:
    """Headings and pages on one line; empty without either."""
    said = " › ".join(" ".join(heading.split()) for heading in section_path)
    shown = word("page", language, pages=", ".join(map(str, pages))) if pages else ""
    return " · ".join(part for part in (said, shown) if part)


def _entry(record: AnswerRecord, n: int) -> Entry:
    pairs = [pair for pair in zip(record.answer.citations, record.states, strict=True) if pair[0].n == n]
    citations = tuple(citation for citation, _ in pairs)
    passage = record.answer.search.passages[citations[0].passage]
    seen = record.versions.get(passage.version_id)
    inside = [citation for citation in citations if citation.passage == citations[0].passage]
    start = passage.span.start
    quotes = [passage.text[span.start - start : span.end - start] for span in union(c.span for c in inside)]
    return Entry(
        n=n,
        passage=passage,
        verdict=next(verdict for verdict in _WORST_FIRST if any(c.verdict is verdict for c in citations)),
        state=record.state_of_source(n),
        title=passage.title,
        file=passage.doc,
        version=seen.row.number if seen else 0,
        sha256=seen.row.source_sha256 if seen else "",
        added_at=seen.row.created_at if seen else "",
        section_path=tuple(part for part in passage.section_path if part != passage.title),
        pages=(tuple(sorted({page for c in citations for page in c.pages})) or passage.pages) if seen else (),
        quotes=tuple(quotes) if seen else (),
        citations=citations,
        states=tuple(state for _, state in pairs),
    )
