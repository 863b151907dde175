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
    """A version's text with its structure."""

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
    """How one version of ``document`` became another."""

    document: DocumentRow
    old: Version
    new: Version
    comparison: Comparison

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
    versions = [_version(reader, row) for row in (reader.version_of(document, old), later)]
    return Difference(
        document=document,
        old=versions[0],
        new=versions[1],
        comparison=compare(versions[0].text, versions[1].text),
    )


def _version(reader: Reader, row: VersionRow) -> Version:
    return Version(row=row, text=reader.version(row.id).text, blocks=reader.blocks(row.id))
