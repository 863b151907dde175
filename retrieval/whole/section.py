"""Which section of a document a question is about: a numbered part, or a heading that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.document import Block, BlockKind, Line
from core.span import Span, trimmed
from ingest.indexes.analyzer import fold
from retrieval.query.places import part_spans
from retrieval.query.references import references
from retrieval.query.understood import Part, Reference, Understood

_NUMBERING: Final = re.compile(
    r"^[\s#*]*(?:第\s?[〇零一二三四五六七八九十百\d]{1,6}\s?[编编章節节條条]|\d{1,3}(?:[.．]\d{1,3})*[.．、)）]?"
    r"|[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十\d]{1,3}[）)]"
    r"|(?:chapter|section|part|article|appendix|annex)\s+[\dIVXLC]+[.:]?)?[\s*　:：]*",
    re.IGNORECASE,
)
# What tells that the words before it, or behind it, are the name of a section.
_HAN_AFTER: Final = (
    r"[”\"」』》]?\s?(?:这|那|该|這|該)?(?:一)?(?:章节|章|节|節|部分|小节|条款|一栏|栏目|表格?)"
)
_LATIN_AFTER: Final = r"[\"”’']?\s(?:section|chapter|part|clause|table|appendix)\b"
_LATIN_BEFORE: Final = r"\b(?:section|chapter|part|under|heading)\s[\"“‘']?"
_SHORTEST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSection:
    """A section by the name the document has for it."""

    name: str
    span: Span


def named_sections(
    text: str, blocks: Sequence[Block], lines: Sequence[Line], understood: Understood, section: str = ""
) -> tuple[NamedSection, ...]:
    """The sections asked for that the document has: those of ``section`` alone, when it is given."""
    wanted = references(section) if section else understood.references
    found = [place for reference in wanted if (place := _numbered(text, lines, reference)) is not None]
    if not found:
        found = list(_headed(text, blocks, understood, section))
    return tuple(sorted(found, key=lambda place: place.span))


def _numbered(text: str, lines: Sequence[Line], reference: Reference) -> NamedSection | None:
    if reference.part is Part.PAGE:
        on_page = [line.span for line in lines if str(line.page) == reference.number]
        span = Span(on_page[0].start, on_page[-1].end) if on_page else None
    else:
        # The longest comes first: a table of contents names the part too, but holds nothing of it.
        span = next(iter(part_spans(text, reference)), None)
    span = trimmed(text, span.start, span.end) if span else None
    return NamedSection(name=_first_words(span.of(text)), span=span) if span else None


def _headed(
    text: str, blocks: Sequence[Block], understood: Understood, section: str
) -> Iterator[NamedSection]:
    """The sections whose headings the question names as such, or in quotation marks."""
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    asked = fold(section or understood.question)
    quotes = {fold(quote.text).strip() for quote in understood.quotes}
    for block in headings:
        name = fold(_bare(block.span.of(text)))
        if len(name) < _SHORTEST:
            continue
        if _is_whole(name, section) if section else name in quotes or _names(asked, name):
            end = min(
                (other.span.start for other in headings if other.span.start > block.span.start
                 and other.level <= block.level), default=len(text),
            )  # fmt: skip
            yield NamedSection(name=_bare(block.span.of(text)), span=Span(block.span.start, end))


def _is_whole(name: str, section: str) -> bool:
    return name in (fold(_bare(section)), fold(section).strip())


def _names(asked: str, name: str) -> bool:
    if name not in asked:
        return False
    exact = re.escape(name)
    if re.search(exact + _HAN_AFTER, asked):
        return True
    return bool(re.search(rf"\b{exact}{_LATIN_AFTER}|{_LATIN_BEFORE}{exact}\b", asked))


def _bare(heading: str) -> str:
    """A heading without its marks and number."""
    line = heading.strip().splitlines()[0] if heading.strip() else ""
    return _NUMBERING.sub("", line, count=1).strip(" #*\t　")


def _first_words(text: str) -> str:
    """The name of a numbered part: its line up to the first blank behind the number, or the heading whole."""
    line = text.splitlines()[0].strip(" #*\t")
    return line if len(line) <= 30 else re.split(r"[\s　]", line, maxsplit=1)[0][:30]
