"""What two sequences have in common, in nearly linear time whatever they hold.

Patience diff first (Bram Cohen, 2005: elements that occur once on both sides anchor the rest, which keeps
headings and rules together), then, between anchors, the longest common subsequence by Hunt and Szymanski
(1977), whose time grows with the number of equal pairs. Where those are too many nothing is matched: two
stretches that repeat one line thousands of times are shown as replaced, not compared for minutes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Final

MOST_PAIRS: Final = 200_000

Pair = tuple[int, int]


def common(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Pair]:
    """Positions of equal elements in both, ascending in both."""
    found: list[Pair] = []
    todo = [(0, len(old), 0, len(new))]
    while todo:
        low, high, start, end = todo.pop()
        while low < high and start < end and old[low] == new[start]:
            found.append((low, start))
            low, start = low + 1, start + 1
        while low < high and start < end and old[high - 1] == new[end - 1]:
            high, end = high - 1, end - 1
            found.append((high, end))
        if low < high and start < end:
            anchors = _anchors(old, new, (low, high, start, end))
            if anchors:
                found += anchors
                todo += _between(anchors, (low, high, start, end))
            else:
                found += _longest(old, new, (low, high, start, end))
    return sorted(found)


Window = tuple[int, int, int, int]


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable], window: Window) -> list[Pair]:
    """Elements that occur once on each side, as many as keep their order."""
    low, high, start, end = window
    once = {item for item, count in Counter(old[low:high]).items() if count == 1}
    counts = Counter(new[start:end])
    place = {new[at]: at for at in range(start, end) if counts[new[at]] == 1}
    return _ascending((at, place[old[at]]) for at in range(low, high) if old[at] in once and old[at] in place)


def _between(anchors: Sequence[Pair], window: Window) -> Iterator[Window]:
    low, high, start, end = window
    for before, after in pairwise([(low - 1, start - 1), *anchors, (high, end)]):
        if after[0] - before[0] > 1 and after[1] - before[1] > 1:
            yield before[0] + 1, after[0], before[1] + 1, after[1]


def _longest(old: Sequence[Hashable], new: Sequence[Hashable], window: Window) -> list[Pair]:
    """The longest common subsequence; nothing when too many pairs are equal."""
    low, high, start, end = window
    places: dict[Hashable, list[int]] = defaultdict(list)
    for at in reversed(range(start, end)):
        places[new[at]].append(at)
    if sum(len(places.get(old[at], ())) for at in range(low, high)) > MOST_PAIRS:
        return []
    return _ascending((at, other) for at in range(low, high) for other in places.get(old[at], ()))


def _ascending(pairs: Iterator[Pair]) -> list[Pair]:
    """The longest run of pairs that ascends in both; they come by first ascending, then second descending."""
    tails: list[int] = []
    ends: list[tuple[Pair, int]] = []
    last: list[int] = []
    for pair in pairs:
        length = bisect_left(tails, pair[1])
        if length == len(tails):
            tails.append(pair[1])
            last.append(len(ends))
        else:
            tails[length] = pair[1]
            last[length] = len(ends)
        ends.append((pair, last[length - 1] if length else -1))
    run: list[Pair] = []
    at = last[-1] if last else -1
    while at >= 0:
        pair, at = ends[at]
        run.append(pair)
    return run[::-1]
