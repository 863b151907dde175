"""What became of a cited place: still there, elsewhere in a newer version, changed, or not to be seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.document import Block, pages_of
from core.errors import UnknownDocumentError
from core.scope import Scope
from core.span import Span
from core.store import DocumentRow, Reader, StoredVersion
from core.store.history import VersionRow
from ingest.versions.compare import Row, Side, compare

# Words of this many characters that stand once in a text are told by themselves, without comparing all of it.
_TELLING: Final = 20
# What is kept of a long line around each change, in characters.
_AROUND: Final = 40


class State(StrEnum):
    """What became of a cited place. ``unavailable``: removed, or not for this viewer; which, is not told."""

    UNCHANGED = "unchanged"
    MOVED = "moved"
    CHANGED = "changed"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Words of one version; ``changed`` when the other one does not have them."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationState:
    """``version`` is the number of the current version, 0 when that is not to be seen.

    When ``moved``, the same words stand at ``span`` of it. When ``changed``, ``old`` are the cited lines and
    ``new`` what stands there now, empty where that was taken out.
    """

    state: State
    version: int = 0
    span: Span | None = None
    pages: tuple[int, ...] = ()
    section_path: tuple[str, ...] = ()
    old: tuple[Run, ...] = ()
    new: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A version that may be seen, its document, and its row in the document's history."""

    version: StoredVersion
    row: VersionRow
    document: DocumentRow
    blocks: tuple[Block, ...]

    def path_at(self, span: Span) -> tuple[str, ...]:
        """The headings above ``span``: a section's passage may begin with headings that lie above its own."""
        inside = [block for block in self.blocks if block.span.overlaps(span)]
        return inside[-1].section_path if inside else ()


class Today:
    """What ``scope`` may see of versions now; each is read and compared once."""

    def __init__(self, reader: Reader, scope: Scope) -> None:
        self._reader = reader
        self._scope = scope
        self._seen: dict[str, Seen | None] = {}
        self._rows: dict[tuple[str, str], tuple[Row, ...]] = {}

    def version(self, version_id: str) -> Seen | None:
        """The version, or ``None`` when it is gone or hidden."""
        if version_id not in self._seen:
            self._seen[version_id] = self._look(version_id)
        return self._seen[version_id]

    def state_of(self, version_id: str, span: Span) -> CitationState:
        """What became of the words at ``span`` of that version."""
        cited = self.version(version_id)
        if cited is None:
            return CitationState(state=State.UNAVAILABLE)
        if cited.row.is_current:
            return CitationState(state=State.UNCHANGED, version=cited.row.number)
        current = self.version(cited.document.version_id)
        if current is None:
            return CitationState(state=State.UNAVAILABLE)
        return self._against(cited, span, current)

    def _look(self, version_id: str) -> Seen | None:
        try:
            version = self._reader.version(version_id, self._scope)
        except UnknownDocumentError:
            return None
        document = self._reader.find(version.document_id)
        if document is None:
            return None
        row = self._reader.version_of(document, version.number)
        return Seen(version=version, row=row, document=document, blocks=self._reader.blocks(version_id))

    def _against(self, cited: Seen, span: Span, current: Seen) -> CitationState:
        old, new = cited.version.text, current.version.text
        words = span.of(old)
        if len(words) >= _TELLING and new.count(words) == 1:
            return self._moved(current, _at(new, words))
        rows = [row for row in self._compared(cited, current) if row.old and row.old.span.overlaps(span)]
        beside = [row.new.span for row in rows if row.new]
        found = _same_words(words, new, Span(beside[0].start, beside[-1].end)) if beside else None
        if found is None and len(words) >= _TELLING:
            found = _same_words(words, new, Span(0, len(new)))
        if found is not None:
            return self._moved(current, found)
        return CitationState(
            state=State.CHANGED,
            version=current.row.number,
            old=tuple(_runs([row.old for row in rows if row.old], old)),
            new=tuple(_runs([row.new for row in rows if row.new], new)),
        )

    def _moved(self, current: Seen, span: Span) -> CitationState:
        return CitationState(
            state=State.MOVED,
            version=current.row.number,
            span=span,
            pages=pages_of(self._reader.lines(current.version.id, span), span),
            section_path=tuple(part for part in current.path_at(span) if part != current.version.title),
        )

    def _compared(self, cited: Seen, current: Seen) -> tuple[Row, ...]:
        key = (cited.version.id, current.version.id)
        if key not in self._rows:
            self._rows[key] = compare(cited.version.text, current.version.text).rows
        return self._rows[key]


def _at(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start, start + len(words))


def _same_words(words: str, text: str, inside: Span) -> Span | None:
    """Where ``words`` stand inside that part of ``text``; other line breaks and blanks do not matter."""
    places = [at for at in range(inside.start, inside.end) if not text[at].isspace()]
    wanted = "".join(words.split())
    at = "".join(text[place] for place in places).find(wanted)
    return Span(places[at], places[at + len(wanted) - 1] + 1) if at >= 0 and wanted else None


def _runs(sides: Sequence[Side], text: str) -> Iterator[Run]:
    """The lines one below the other, what changed set apart, of long equal stretches only their ends."""
    for number, side in enumerate(sides):
        at = side.span.start
        lead = "\n" if number else ""
        for span in side.changed:
            if kept := lead + _cut(text[at : span.start], head=at > side.span.start, tail=True):
                yield Run(text=kept, changed=False)
            yield Run(text=span.of(text), changed=True)
            at, lead = span.end, ""
        if kept := lead + _cut(text[at : side.span.end], head=True, tail=not side.changed):
            yield Run(text=kept, changed=False)


def _cut(stretch: str, *, head: bool, tail: bool) -> str:
    if len(stretch) <= 3 * _AROUND:
        return stretch
    return (stretch[:_AROUND] if head else "") + " … " + (stretch[-_AROUND:] if tail else "")
