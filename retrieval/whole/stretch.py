"""What is read from end to end: the entries of a document or of one section, in order, out of the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.chunk import Parent
from core.document import Block, Line
from core.read_share import ReadShare
from core.span import Span, union
from core.store import ChunkRow, Reader, StoredVersion
from ingest.indexes.search_index import Allowed
from retrieval.query.understood import Understood
from retrieval.whole.entries import Entry, entries_of
from retrieval.whole.section import named_sections

# A name that fits more documents than this tells too little to read them all.
_MOST_DOCUMENTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One document version with everything that a citation of it needs."""

    version: StoredVersion
    blocks: tuple[Block, ...]
    lines: tuple[Line, ...]
    chunks: tuple[ChunkRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Entries in order, document after document; ``parts`` are the names of their sections by number.

    ``section`` names the section that alone is read, empty for whole documents; ``missed`` is true when one
    was asked for and no document has it.
    """

    sources: Mapping[str, Source]
    entries: tuple[Entry, ...]
    parts: tuple[str, ...]
    section: str = ""
    missed: bool = False

    def share(self, unread: Sequence[Entry] = ()) -> ReadShare:
        """How much was read when ``unread`` was not."""
        missing = sorted({entry.part for entry in unread})
        total = sum(len(entry.span) for entry in self.entries)
        return ReadShare(
            read_chars=total - sum(len(entry.span) for entry in unread),
            all_chars=total,
            parts_read=len(self.parts) - len(missing),
            parts=len(self.parts),
            section=self.section,
            unread=tuple(self.parts[part] for part in missing),
        )


def gather(reader: Reader, version_ids: Sequence[str], understood: Understood, section: str = "") -> Stretch:
    """The stretch that the question is about, of each of the versions, one after the other.

    ``section`` names a part (第三章, Section 4.2) or heading; without it those of the question are taken. A
    document without that section is left out when another one has it; when none has it all are read whole.
    Everything is read now: no transaction need stay open while a model thinks. Raises ``StoreError``.
    """
    ids = tuple(dict.fromkeys(version_ids))
    sources = {version_id: _source(reader, version_id) for version_id in ids}
    wanted = {
        version_id: named_sections(source.version.text, source.blocks, source.lines, understood, section)
        for version_id, source in sources.items()
    }
    asked = bool(section or understood.references)
    found = {version_id: sections for version_id, sections in wanted.items() if sections}
    whole = Stretch(sources=sources, entries=(), parts=(), missed=asked and not found)
    for version_id in found or ids:
        source = sources[version_id]
        spans = union(place.span for place in found.get(version_id, ())) or _everything(source)
        whole = _with(whole, source, reader.parents(version_id), spans)
    names = dict.fromkeys(place.name for sections in found.values() for place in sections)
    return replace(whole, section=" / ".join(names))


def versions_to_read(understood: Understood, reader: Reader, allowed: Allowed) -> tuple[str, ...]:
    """The versions that the question is to be read over; none when it is one for the ordinary search.

    They are those of the documents that are named, in the order of their mention, else the only one among
    ``allowed``. More than three are not read through. Raises ``StoreError``.
    """
    if not understood.reads_whole:
        return ()
    rows = [row for row in reader.document_names() if allowed is None or row.version_id in allowed]
    versions = {row.document_id: row.version_id for row in rows}
    if not understood.documents:
        return tuple(versions.values()) if len(versions) == 1 else ()
    named = tuple(versions[document] for document in understood.documents if document in versions)
    return named if len(named) <= _MOST_DOCUMENTS else ()


def _source(reader: Reader, version_id: str) -> Source:
    return Source(
        version=reader.version(version_id),
        blocks=reader.blocks(version_id),
        lines=reader.lines(version_id),
        chunks=reader.chunks_of(version_id),
    )


def _everything(source: Source) -> tuple[Span, ...]:
    return (Span(0, len(source.version.text)),) if source.version.text else ()


def _with(stretch: Stretch, source: Source, parents: Sequence[Parent], spans: Sequence[Span]) -> Stretch:
    """``stretch`` and behind it the entries of ``spans``, each with the number of its section."""
    entries, parts = list(stretch.entries), list(stretch.parts)
    runs = list(_runs(parents))
    title = source.version.title or source.version.name
    at, numbered = 0, -1
    for entry in entries_of(source.version, source.blocks, spans):
        while at + 1 < len(runs) and runs[at + 1][0] <= entry.span.start:
            at += 1
        if numbered != at:
            numbered = at
            path = runs[at][1] if runs else ()
            parts.append(path[-1] if path else title)
        entries.append(replace(entry, part=len(parts) - 1))
    return replace(stretch, entries=tuple(entries), parts=tuple(parts))


def _runs(parents: Sequence[Parent]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Where each section starts, with its path: neighbouring parents of one path are one section."""
    before: tuple[str, ...] | None = None
    for parent in parents:
        if parent.section_path != before:
            yield parent.span.start, parent.section_path
        before = parent.section_path
