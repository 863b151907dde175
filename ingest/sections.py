"""Sections: what stands under one heading, and what a chunk of it looks like to the embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.document import Block, Document
from core.protocols import Tokens
from core.settings import ChunkingSettings
from core.span import Span, trimmed
from ingest.leads import lead_of
from ingest.naming import called
from ingest.parsers.outline import ARTICLE_START
from ingest.section_runs import runs_of

EMBED_TEXT_VERSION = "header-3"
_OWN_MARKS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A run of ``document`` under one heading; headings without a body belong to the next section.

    ``header`` is the contextual header (title, file name, section path) that is embedded with every chunk,
    ``focus`` a line about the section that may stand under it.
    ``soft_tokens`` and ``hard_tokens`` bound ``size``.
    """

    document: Document
    span: Span
    path: tuple[str, ...]
    blocks: tuple[Block, ...]
    header: str
    soft_tokens: int
    hard_tokens: int
    tokens: Tokens
    focus: str = ""
    has_articles: bool = False

    def embed_text(self, span: Span) -> str:
        """What is embedded for a chunk at ``span``: header, focus, what it continues, text."""
        parts = [self.header, self.focus, self.lead(span.start), span.of(self.document.text)]
        return "\n".join(part for part in parts if part)

    def lead(self, start: int) -> str:
        """What a chunk at ``start`` repeats of the table, list or article it continues; empty if too long."""
        lead = lead_of(self.document.text, self.blocks, start, self.has_articles)
        limit = self.hard_tokens // 4
        # No model makes more tokens than characters, its own few marks apart.
        fits = len(lead) + _OWN_MARKS <= limit or self.tokens.count([lead])[0] <= limit
        return lead if lead and fits else ""

    def sizes(self, spans: Sequence[Span]) -> list[int]:
        """Tokens of ``embed_text`` of each span, as the embedding model counts them."""
        return self.tokens.count([self.embed_text(span) for span in spans])

    def size(self, span: Span) -> int:
        return self.sizes([span])[0]


def sections_of(
    document: Document, settings: ChunkingSettings, tokens: Tokens, name: str = ""
) -> list[Section]:
    """The document's sections in order; together they hold every non-blank character of its text.

    ``name`` is that of its file: what a reader calls the document often stands there alone.
    """
    title = called(document.title, name)
    runs = runs_of(document, settings, tokens) or [([], ())]
    starts = [0, *(run[0].span.start for run, _ in runs[1:])]
    ends = [*starts[1:], len(document.text)]
    result: list[Section] = []
    for (run, path), start, end in zip(runs, starts, ends, strict=True):
        span = trimmed(document.text, start, end)
        if span is None:
            continue
        result.append(
            Section(
                document=document,
                span=span,
                path=path,
                blocks=tuple(run),
                header=contextual_header(
                    title,
                    [part for part in path if part != document.title],
                    settings.hard_tokens // 4,
                    tokens,
                ),
                soft_tokens=settings.soft_tokens,
                hard_tokens=settings.hard_tokens,
                tokens=tokens,
                has_articles=any(ARTICLE_START.match(document.text, block.span.start) for block in run),
            )
        )
    return result


def contextual_header(title: str, path: Sequence[str], limit: int, tokens: Tokens) -> str:
    """ "Title > Chapter > Section", at most ``limit`` tokens: inner parts are shortened, then dropped.

    Shortening is marked with "…"; the document's own text is never touched.
    """
    parts = [title, *(part for part in path if part != title)]
    width = 60
    while True:
        header = " > ".join(part if len(part) <= width else part[: width - 1] + "…" for part in parts)
        if width <= 8 or tokens.count([header])[0] <= limit:
            return header if tokens.count([header])[0] <= limit else ""
        if len(parts) > 3:
            parts = [parts[0], *parts[-2:]]
        else:
            width //= 2
