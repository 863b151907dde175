"""Which words of the source are shown as carrying a sentence, and the run of source sentences around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

from core.span import Span, union
from retrieval.verify.folding import one_to_one
from retrieval.verify.target import Target, Unit, features
from retrieval.verify.tokens import Line

# Source sentences further apart than this are no one run, in characters.
_MOST_GAP: Final = 240
# Small words and punctuation between two words that are shown as one.
_MOST_BETWEEN: Final = 12
_LEAST_WEIGHT: Final = 2.0
_HAN_FROM: Final = "\u3400"


def run_of(said: Line, own: Sequence[Unit]) -> Span | None:
    """The hull of the units where they stand close together, else the part of them that says most."""
    if not own:
        return None
    groups: list[list[Unit]] = []
    for unit in own:
        if groups and unit.span.start - groups[-1][-1].span.end <= _MOST_GAP:
            groups[-1].append(unit)
        else:
            groups.append([unit])
    wanted = features(said)
    best = max(groups, key=lambda group: len(wanted & frozenset().union(*(unit.features for unit in group))))
    return reduce(Span.hull, (unit.span for unit in best))


def strong_words(said: Line, target: Target, held: Mapping[int, int], unit: range) -> tuple[Span, ...]:
    """The held words of the target's units ``unit``, joined where only small words and punctuation stand between.

    ``held`` is the place in the target by the place in the sentence.
    """
    back = {j: i for i, j in held.items()}
    found: list[Span] = []
    run: list[int] = []
    for place in [*sorted(j for j in back if target.owner[j] in unit), -1]:
        if run and (place != run[-1] + 1 or not _touch(target, run[-1], place)):
            tokens = [target.tokens[p] for p in run]
            if any(token.is_fact for token in tokens) or sum(t.weight for t in tokens) >= _LEAST_WEIGHT:
                found.append(_widened(said, target, run, back))
            run = []
        run.append(place)
    return union(found)


def _touch(target: Target, left: int, right: int) -> bool:
    if target.owner[left] != target.owner[right]:
        return False
    start, end = target.origins[left].end, target.origins[right].start
    return 0 <= end - start <= _MOST_BETWEEN and "|" not in target.units[target.owner[left]].text[start:end]


def _widened(said: Line, target: Target, run: Sequence[int], back: Mapping[int, int]) -> Span:
    """The run with the small signs beside it that the sentence has there as well: 其 of 其他城市."""
    unit, origins = target.units[target.owner[run[0]]], target.origins
    floor = origins[run[0] - 1].end if run[0] else 0
    ceiling = origins[run[-1] + 1].start if run[-1] + 1 < len(origins) else unit.span.end
    start, end = origins[run[0]].start, origins[run[-1]].end
    before, behind = said.tokens[back[run[0]]].start, said.tokens[back[run[-1]]].end
    while (
        start > max(unit.span.start, floor)
        and before
        and _same(unit.text[start - 1], said.source[before - 1])
    ):
        start, before = start - 1, before - 1
    ceiling = min(unit.span.end, ceiling) if ceiling >= end else unit.span.end
    while end < ceiling and behind < len(said.source) and _same(unit.text[end], said.source[behind]):
        end, behind = end + 1, behind + 1
    return Span(start, end)


def _same(left: str, right: str) -> bool:
    """Whether both are one small Chinese sign; digits and letters belong to tokens of their own."""
    return left >= _HAN_FROM and left.isalpha() and one_to_one(left) == one_to_one(right)
