"""Two versions of a stored document, ready to be compared and shown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from core.document import Block
from core.store import DocumentRow, Reader
from core.store.history import VersionRow
from ingest.versions.compare import Comparison, Row, compare, stretches


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version's text with its structure; ``name`` is its document's."""

    name: str
    row: VersionRow
    text: str
    blocks: tuple[Block, ...]

    def section_at(self, position: int) -> tuple[str, ...]:
        """The headings above a position; empty before the first one, and where no structure was kept."""
        index = bisect_right(self.blocks, position, key=lambda block: block.span.start) - 1
        return self.blocks[index].section_path if index >= 0 else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Neighbouring lines under the same headings ``path``; ``is_changed`` when one of them changed."""

    path: tuple[str, ...]
    rows: tuple[Row, ...]
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How one version of ``document`` became another, or what it has that ``old``, of another document, has not."""

    document: DocumentRow
    old: Version
    new: Version
    comparison: Comparison

    @property
    def is_of_two(self) -> bool:
        """Whether two documents are compared, not two versions of one."""
        return self.old.row.id != self.new.row.id and self.old.name != self.new.name

    def places(self) -> Iterator[Place]:
        """All lines in order: changed ones with a line before and after, cut at headings, and what lies between."""
        kept: list[Row] = []
        for is_near, run in stretches(self.comparison):
            for path, group in groupby(run, key=self.section_of):
                rows = tuple(group)
                if not is_near or not any(row.is_changed for row in rows):
                    kept += rows
                    continue
                if kept:
                    yield Place(path=(), rows=tuple(kept), is_changed=False)
                    kept = []
                yield Place(path=path, rows=rows, is_changed=True)
        if kept:
            yield Place(path=(), rows=tuple(kept), is_changed=False)

    def section_of(self, row: Row) -> tuple[str, ...]:
        """The headings above a line, in the new version where it is still there."""
        if row.new is not None:
            return self.new.section_at(row.new.span.start)
        return self.old.section_at(row.old.span.start) if row.old is not None else ()


def load_difference(
    reader: Reader, document: DocumentRow, old: int | None = None, new: int | None = None
) -> Difference:
    """From version ``old`` (by default the one before ``new``) to ``new`` (by default the current one).

    A document's only version is compared with itself. Raises ``UnknownVersionError``.
    """
    later = reader.version_of(document, new)
    if old is None:
        earlier = [row.number for row in reader.versions(document) if row.number < later.number]
        old = earlier[-1] if earlier else later.number
    return _between(reader, (document, reader.version_of(document, old)), (document, later))


def load_pair(reader: Reader, old: tuple[DocumentRow, int], new: tuple[DocumentRow, int]) -> Difference:
    """Two versions, each given as its document and number, of one document or of two.

    Raises ``UnknownVersionError``.
    """
    pair = [(document, reader.version_of(document, number)) for document, number in (old, new)]
    return _between(reader, pair[0], pair[1])


def _between(
    reader: Reader, old: tuple[DocumentRow, VersionRow], new: tuple[DocumentRow, VersionRow]
) -> Difference:
    earlier, later = _version(reader, *old), _version(reader, *new)
    compared = compare(earlier.text, later.text)
    return Difference(document=new[0], old=earlier, new=later, comparison=compared)


def _version(reader: Reader, document: DocumentRow, row: VersionRow) -> Version:
    text = reader.version(row.id).text
    return Version(name=document.name, row=row, text=text, blocks=reader.blocks(row.id))
