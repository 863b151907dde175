"""Clauses by rules alone: chapter first, then 第X条, lists with their leaders, conditions, blank lines.

What a rule binds is one clause. Clauses that are too small are put together with their neighbours under the
same heading, the smallest first (the "sandwich" of 002 §3.2); one that is too large is cut by the same costs
as in ``semantic``. No model is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from core.hashing import stable_id
from core.settings import ChunkingSettings
from ingest.sections import Section
from ingest.splitters.draft import Draft, drafted, pieces_of
from ingest.splitters.partition import partition
from ingest.splitters.piece import Piece
from ingest.splitters.rules import FIRM
from ingest.splitters.splitter import Need, SplitTools

# Borders inside one clause, for as long as it fits.
_INNER = frozenset({"sentence", "clause", "token", "under_heading", "item", "article_part"})


class ClauseSplitter:
    """Two levels: the section is the chapter, what stands in it is grouped into clauses."""

    needs: ClassVar[frozenset[Need]] = frozenset()

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None:
        del tools
        self._settings = settings
        self.fingerprint = stable_id(
            "clause-3",
            settings.min_tokens,
            settings.soft_tokens,
            settings.hard_tokens,
            settings.overlap_tokens,
            sorted(settings.skipped_rules),
        )

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section, in order."""
        drafts = [drafted(section, self._settings) for section in sections]
        return [pieces_of(draft, self._starts(draft), self._settings) for draft in drafts]

    def _starts(self, draft: Draft) -> list[int]:
        """The atoms that start a chunk: clauses, the small ones joined, the large ones cut."""
        count = len(draft.atoms)
        starts = [place for place in range(count) if not place or self._starts_clause(draft, place)]
        starts = self._sandwiched(draft, starts)
        found: list[int] = []
        for start, end in zip(starts, [*starts[1:], count], strict=True):
            if draft.size(start, end) <= self._settings.hard_tokens:
                found.append(start)
            else:
                found.extend(start + inner for inner in partition(draft.row_of(start, end), self._settings))
        return found

    def _starts_clause(self, draft: Draft, place: int) -> bool:
        bond = draft.bonds[place]
        is_bound = bond is not None and bond.weight >= FIRM
        return draft.atoms[place].border not in _INNER and not is_bound

    def _sandwiched(self, draft: Draft, starts: list[int]) -> list[int]:
        """Clauses under the minimum join the smaller neighbour while both fit the soft limit.

        An article stays alone, however small it is.
        """
        ends = [*starts[1:], len(draft.atoms)]
        clauses = list(zip(starts, ends, strict=True))
        at = 0
        while at < len(clauses):
            start, end = clauses[at]
            small = draft.size(start, end) < self._settings.min_tokens and not self._is_unit(draft, start)
            partner = self._partner(draft, clauses, at) if small else None
            if partner is None:
                at += 1
                continue
            first = min(at, partner)
            clauses[first : first + 2] = [(clauses[first][0], clauses[first + 1][1])]
            at = first
        return [start for start, _ in clauses]

    def _partner(self, draft: Draft, clauses: Sequence[tuple[int, int]], at: int) -> int | None:
        """The smaller neighbour of a small clause with which it fits, the one before it at a tie."""
        fitting = [
            (draft.size(clauses[min(at, other)][0], clauses[max(at, other)][1]), other)
            for other in (at - 1, at + 1)
            if 0 <= other < len(clauses) and not self._is_unit(draft, clauses[max(at, other)][0])
        ]
        fitting = [(size, other) for size, other in fitting if size <= self._settings.soft_tokens]
        return min(fitting)[1] if fitting else None

    def _is_unit(self, draft: Draft, place: int) -> bool:
        return draft.units[place]
