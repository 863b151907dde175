"""What an answerer gets: numbered passages with the documents behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from core.answer import Citation, Passage, SearchResult
from core.document import Block, Line, lines_of
from core.span import Span
from core.store import SentenceVectors
from core.verdict import CounterEvidence, Reason, SentenceCheck, Verdict

OnText = Callable[[str], None]
OnFound = Callable[[SearchResult], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """A chunk whose sentences were embedded; ``start`` is where it starts in the document's text."""

    start: int
    sentences: SentenceVectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Passages, best first, and the text, blocks and printed lines of their documents by version id.

    ``embedded`` has what the store knows of the passages' sentences, by version id too; nothing for a version
    whose sentences were not embedded.
    """

    passages: tuple[Passage, ...]
    texts: Mapping[str, str]
    blocks: Mapping[str, tuple[Block, ...]]
    lines: Mapping[str, tuple[Line, ...]]
    embedded: Mapping[str, tuple[Embedded, ...]] = field(default_factory=dict)

    def cite(
        self,
        n: int,
        passage: int,
        span: Span,
        sentence: str,
        verdict: Verdict,
        *,
        strong: tuple[Span, ...] = (),
        reasons: tuple[Reason, ...] = (),
        score: float = 1.0,
    ) -> Citation:
        """A citation whose text and pages follow from its span. Raises ``ValueError`` outside its passage."""
        source = self.passages[passage]
        if not source.span.contains(span):
            raise ValueError(f"expected a span inside {source.span}, got {span}")
        lines = lines_of(self.lines[source.version_id], span)
        return Citation(
            n=n,
            passage=passage,
            span=span,
            text=span.of(self.texts[source.version_id]),
            pages=tuple(sorted({line.page for line in lines})),
            sentence=sentence,
            verdict=verdict,
            strong=strong,
            reasons=reasons,
            score=score,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An answerer's result: text with ``[n]`` markers, the citations behind them, and notes.

    ``left_out`` counts the last passages of the evidence that were not read. ``checks`` has every sentence of
    ``text`` in order; ``removed`` counts those that strict checking took out. ``complete`` is false when the
    model broke off and ``text`` is what it had written.
    """

    text: str
    citations: tuple[Citation, ...]
    answered: bool
    notes: tuple[str, ...] = ()
    left_out: int = 0
    checks: tuple[SentenceCheck, ...] = ()
    counter: tuple[CounterEvidence, ...] = ()
    removed: int = 0
    complete: bool = True
    model: str = ""
    prompt_version: str = ""


class Answerer(Protocol):
    """Writes a cited answer from evidence alone."""

    def answer(self, question: str, evidence: Evidence, on_text: OnText) -> Draft:
        """The draft; parts of its text go to ``on_text`` as they come. Raises ``ModelError``."""
        ...
