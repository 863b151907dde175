"""The cheapest way to cut a row of atoms into chunks, by what each cut and each size costs.

One scale for everything, so that a decision can be explained by its two sums. Found by dynamic programming,
in time linear in the atoms: an atom is only compared with those that fit into one chunk with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.settings import ChunkingSettings

# All values were chosen by measuring on statutes, reports, encyclopedia articles, chats and speeches.
# A chunk of a third over the soft limit costs OVER, one of no size SMALL; in between in proportion.
OVER: Final = 3.0
SMALL: Final = 40.0
# What a cut costs by the border it is made at; a finer border is the last resort of the one above it. One
# between paragraphs or lines earns something: what is of a fair size answers alone, unless something binds it.
CUT: Final = {
    "heading": -2.0,
    "article": 0.0,
    "block": -6.0,
    "article_part": 2.0,
    "item": 2.0,
    "row": 2.0,
    "line": -5.0,
    "sentence": 5.0,
    "clause": 15.0,
    "token": 25.0,
    "under_heading": 60.0,
}
# The most that the words behind a border add to its cost: no reason by itself, a tie-break that stays.
ANCHOR: Final = 0.5
# What it costs to have one article in a chunk with the one before: each is a unit of its own.
JOIN: Final = 2.5
_NEVER = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """``n`` atoms in order. ``sizes`` are tokens of each alone, ``opening`` what a chunk that starts there
    has beside them (header, lead). ``cuts`` and ``joins`` are the costs of cutting before an atom and of not
    doing so; the first of each has no meaning. ``units`` are the atoms that start a unit which may be small.
    """

    sizes: Sequence[int]
    opening: Sequence[int]
    cuts: Sequence[float]
    joins: Sequence[float]
    units: Sequence[bool]


def partition(row: Row, settings: ChunkingSettings) -> list[int]:
    """The atoms that start a chunk, ascending, the first one 0.

    No chunk of several atoms is estimated above the hard limit; one atom may be.
    """
    sizes, joins, hard = row.sizes, row.joins, settings.hard_tokens
    count = len(sizes)
    best, start_of = [0.0] + [_NEVER] * count, [0] * (count + 1)
    for end in range(1, count + 1):
        filled, inner, cheapest = 0, 0.0, _NEVER
        ends_unit = end == count or row.units[end]
        for start in range(end - 1, -1, -1):
            filled += sizes[start]
            if filled > hard and start < end - 1:
                break
            size = filled + row.opening[start]
            if size <= hard or start == end - 1:
                small = 0 if ends_unit and row.units[start] else settings.min_tokens
                cost = best[start] + inner + size_cost(size, small, settings)
                cost += row.cuts[start] if start else 0.0
                if cost < cheapest:
                    cheapest, start_of[end] = cost, start
            inner += joins[start]
        best[end] = cheapest
    return _walked(start_of)


def size_cost(size: int, small: int, settings: ChunkingSettings) -> float:
    """What a chunk of ``size`` tokens costs; ``small`` is the size under which it is too small."""
    soft = settings.soft_tokens
    if size > soft:
        return OVER * (size - soft) / (soft / 3)
    return SMALL * (small - size) / small if size < small else 0.0


def _walked(start_of: Sequence[int]) -> list[int]:
    starts: list[int] = []
    end = len(start_of) - 1
    while end > 0:
        end = start_of[end]
        starts.append(end)
    return starts[::-1]
