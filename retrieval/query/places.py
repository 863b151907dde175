"""Where a document holds the parts that a question names: read off its own text, without an index.

Whatever the chunks' borders and headings, 第三十二条 stands at the start of a line of its document's text. Cost: one
text a document from the store, one pass of a pattern over it, and the chunks of those documents alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.errors import UnknownDocumentError
from core.span import Span
from core.store import Reader
from retrieval.query.heads import Head, fits, head_of
from retrieval.query.understood import Part, Reference

_MAX_DOCUMENTS: Final = 10
_MAX_PLACES: Final = 3
_MAX_CHUNKS: Final = 12
# Only lines that may open a part are read closely.
_OPENING: Final = re.compile(
    r"^[ \t　#*>|\-–•]*(?=第|附|表|图|圖|§|\d|[〇零一二三四五六七八九十]{1,4}、|[A-Za-z]{3,10}\.?[ \t])[^\n]*",
    re.MULTILINE,
)
_RANKS: Final = {
    Part.BOOK: 0, Part.ANNEX: 0, Part.CHAPTER: 1, Part.SECTION: 2, Part.ARTICLE: 3, Part.CLAUSE: 3,
    Part.PARAGRAPH: 4, Part.ITEM: 5, Part.TABLE: 5, Part.FIGURE: 5,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a named part stands. ``span`` is the whole part over the version's text."""

    version_id: str
    reference: Reference
    span: Span
    chunk_ids: tuple[str, ...]


def extra_candidates(
    reader: Reader, version_ids: Sequence[str], wanted: Sequence[Reference]
) -> tuple[Place, ...]:
    """The places of the parts that are named, with the chunks that hold them, in order; at most 12 chunks each.

    ``version_ids`` are those of the documents that are meant: named, or the only one there is. Beyond 10
    nothing is looked for, as the number then tells nothing. Raises ``StoreError``.
    """
    if not wanted or len(version_ids) > _MAX_DOCUMENTS:
        return ()
    found: list[Place] = []
    for version_id in version_ids:
        try:
            text = reader.version(version_id).text
        except UnknownDocumentError:
            continue
        spans = [
            (reference, span) for reference in wanted for span in _spans(reader, version_id, text, reference)
        ]
        if not spans:
            continue
        chunks = [(chunk.id, chunk.span) for chunk in reader.chunks_of(version_id)]
        for reference, span in spans:
            ids = [chunk_id for chunk_id, own in chunks if own.overlaps(span)]
            found.append(
                Place(
                    version_id=version_id, reference=reference, span=span, chunk_ids=tuple(ids[:_MAX_CHUNKS])
                )
            )
    return tuple(found)


def _spans(reader: Reader, version_id: str, text: str, reference: Reference) -> tuple[Span, ...]:
    if reference.part is Part.PAGE:
        if not reference.number.isdigit():
            return ()
        lines = [line.span for line in reader.lines(version_id) if line.page == int(reference.number)]
        return (Span(lines[0].start, lines[-1].end),) if lines else ()
    return part_spans(text, reference)


def part_spans(text: str, reference: Reference) -> tuple[Span, ...]:
    """Where ``text`` has the part: from its line to the next one of its rank or above, at most three places.

    An entry of a table of contents opens nothing: of several places the longest come first. Of 第三条第二款 it is
    the second paragraph of the article, of 第二章第三节 the third section of that chapter, when there is one.
    """
    heads = [(match.start(), head) for match in _OPENING.finditer(text) if (head := head_of(match.group()))]
    around = Span(0, len(text))
    for part, number in reference.outer:
        outer = Reference(part=part, number=number, span=reference.span)
        around = next(iter(_whole_parts(heads, around, outer)), around)
    spans = _whole_parts(heads, around, reference)
    return tuple(_inner(text, span, reference) for span in spans[:_MAX_PLACES])


def _whole_parts(heads: Sequence[tuple[int, Head]], around: Span, reference: Reference) -> list[Span]:
    """The parts inside ``around`` that fit best, the longest first."""
    inside = [(start, head) for start, head in heads if around.start <= start < around.end]
    fitting = [(fits(reference, head), at) for at, (_, head) in enumerate(inside)]
    best = max((fit for fit, _ in fitting), default=0.0)
    spans = [
        Span(inside[at][0], _end(inside[at + 1 :], inside[at][1], around.end))
        for fit, at in fitting
        if fit and fit == best
    ]
    return sorted(spans, key=lambda span: span.start - span.end)


def _end(following: Iterable[tuple[int, Head]], head: Head, last: int) -> int:
    return next((start for start, other in following if _closes(other, head)), last)


def _closes(other: Head, head: Head) -> bool:
    if head.part is None or other.part is None:
        # 4.3 closes 4.2, 4.2.1 does not; lists with bare numbers stand inside articles.
        is_numbered = head.part in (None, Part.SECTION, Part.CLAUSE) and "." in head.number
        deeper = other.number.count(".") > head.number.count(".")
        return (is_numbered and "." in other.number and not deeper) or (
            head.part is None and other.part is None and not deeper
        )
    return _RANKS[other.part] <= _RANKS[head.part]


def _inner(text: str, span: Span, reference: Reference) -> Span:
    """The paragraph within the part, when one is named and is there."""
    wanted = next((number for part, number in reference.inner if part is Part.PARAGRAPH), "")
    if not wanted.isdigit():
        return span
    paragraphs = list(_paragraphs(text, span))
    place = int(wanted) - 1
    return paragraphs[place] if 0 <= place < len(paragraphs) else span


def _paragraphs(text: str, span: Span) -> Iterator[Span]:
    """The paragraphs (款) of an article: lines, items such as （一） counted with the one that leads them."""
    start = end = span.start
    for line in re.finditer(r"[^\n]*\S[^\n]*", text[span.start : span.end]):
        is_item = re.match(r"\s*[（(]?[一二三四五六七八九十\d]{1,3}[）)、.]", line.group()) is not None
        if line.start() and not is_item:
            yield Span(start, end)
            start = span.start + line.start()
        end = span.start + line.end()
    if end > start:
        yield Span(start, end)
