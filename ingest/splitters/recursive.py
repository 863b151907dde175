"""Section > article > block > line > sentence > clause mark > token: the coarsest border that fits.

Source: the recursive order of the parent/child article (methods.md), with articles of statutes and
blocks of the parsed structure as levels of their own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from core.document import BlockKind
from core.hashing import stable_id
from core.settings import ChunkingSettings
from core.span import Span, trimmed
from ingest.parsers.outline import ARTICLE_START
from ingest.sections import Section
from ingest.splitters.atoms import cut_at
from ingest.splitters.piece import Piece, windows
from ingest.splitters.splitter import Need, SplitTools

_LEVELS = ("article", "block", "line", "sentence", "clause")


class RecursiveSplitter:
    """Cuts at the coarsest level at which everything fits, then joins neighbours up to the soft limit."""

    needs: ClassVar[frozenset[Need]] = frozenset()

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None:
        del tools
        self._settings = settings
        self.fingerprint = stable_id(
            "recursive-2",
            settings.min_tokens,
            settings.soft_tokens,
            settings.hard_tokens,
            settings.overlap_tokens,
        )

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section, in order."""
        return [self._split_section(section) for section in sections]

    def _split_section(self, section: Section) -> list[Piece]:
        size = section.size(section.span)
        if size <= section.soft_tokens:
            return [Piece(span=section.span, size=size, reasons=("section",))]
        return self._joined(section, self._split(section, Piece(span=section.span, size=size), 0))

    def _split(self, section: Section, piece: Piece, level: int) -> list[Piece]:
        """Pieces within the hard limit, from ``level`` downwards."""
        if level == len(_LEVELS):
            return windows(section, piece.span, section.hard_tokens, self._settings.overlap_tokens)
        parts = _cut(section, piece.span, _LEVELS[level])
        if len(parts) == 1:
            return self._split(section, piece, level + 1)
        result: list[Piece] = []
        for span, size in zip(parts, section.sizes(parts), strict=True):
            part = Piece(span=span, size=size, reasons=(_LEVELS[level],))
            if size <= section.hard_tokens:
                result.append(part)
            else:
                result.extend(self._joined(section, self._split(section, part, level + 1)))
        return result

    def _joined(self, section: Section, pieces: list[Piece]) -> list[Piece]:
        """Neighbours joined up to the soft limit; what is still under the minimum joins up to the hard one."""
        joined: list[Piece] = []
        for piece in pieces:
            if joined and joined[-1].size + piece.size - _opening(section, piece) <= section.soft_tokens:
                candidate = _hull(section, joined[-1], piece)
                if candidate.size <= section.soft_tokens:
                    joined[-1] = candidate
                    continue
            joined.append(piece)
        return self._without_small(section, joined)

    def _without_small(self, section: Section, pieces: list[Piece]) -> list[Piece]:
        result: list[Piece] = []
        for piece in pieces:
            small = result and min(piece.size, result[-1].size) < self._settings.min_tokens
            if small:
                candidate = _hull(section, result[-1], piece)
                if candidate.size <= section.hard_tokens:
                    result[-1] = candidate
                    continue
            result.append(piece)
        return result


def _opening(section: Section, piece: Piece) -> int:
    """About how many tokens of a piece are not its text."""
    opening = "\n".join(filter(None, (section.header, section.focus, section.lead(piece.span.start))))
    return section.tokens.count([opening])[0]


def _hull(section: Section, first: Piece, second: Piece) -> Piece:
    span = first.span.hull(second.span)
    return Piece(span=span, size=section.size(span), reasons=first.reasons)


def _cut(section: Section, span: Span, level: str) -> list[Span]:
    """``span`` cut at the borders of ``level``; together the parts hold every non-blank character."""
    text = section.document.text
    if level in ("article", "block"):
        starts = _block_starts(section, span)
        starts = [at for at in starts if level == "block" or ARTICLE_START.match(text, at)]
        ends = [*starts, span.end]
        found = [trimmed(text, start, end) for start, end in pairwise([span.start, *ends]) if start < end]
    else:
        found = list(cut_at(text, span, level))
    heading_ends = {block.span.end for block in section.blocks if block.kind is BlockKind.HEADING}
    parts: list[Span] = []
    for part in filter(None, found):
        # A heading stays with what stands under it.
        if parts and parts[-1].end in heading_ends:
            parts[-1] = parts[-1].hull(part)
        else:
            parts.append(part)
    return parts


def _block_starts(section: Section, span: Span) -> list[int]:
    first = bisect_right(section.blocks, span.start, key=lambda block: block.span.start)
    last = bisect_left(section.blocks, span.end, key=lambda block: block.span.start)
    return [block.span.start for block in section.blocks[first:last]]
