"""Bounds turned round or dropped, "all" for "some", "and" for "or"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from core.verdict import Aspect
from retrieval.verify.difference import Difference, difference
from retrieval.verify.marks import EXTENTS, JOINTS, LIMITS, Mark, opposed
from retrieval.verify.placing import Placing
from retrieval.verify.tokens import Fact, PlacedMark, Token

# Bounds that stand behind what they bound; all others stand before it.
_BEHIND: Final = frozenset("以上 以下 以内 之内 之前 以前 之后 以后 内 前 后".split())  # noqa: SIM905
_OR_MORE = re.compile(r"or (?:more|less|fewer|over|above|below|under)", re.IGNORECASE)
_LEAST_LIKE: Final = 0.4
_WINS: Final = 1.25


def check_bounds(placing: Placing) -> Iterator[Difference]:
    """Turned marks are certain; a bound that one side alone sets on a number is not."""
    marks = [mark for mark in placing.said.marks if mark.mark in LIMITS]
    for mark in marks:
        yield from _turned(placing, mark, LIMITS)
    for mark in (mark for mark in placing.said.marks if mark.mark in EXTENTS):
        yield from _turned(placing, mark, EXTENTS)
    yield from _joints(placing)


def _turned(placing: Placing, mark: PlacedMark, group: frozenset[Mark]) -> Iterator[Difference]:
    others = [other for other in placing.target.marks if other.mark in group]
    equal = max((_like(placing, mark, o) for o in others if not opposed(mark.mark, o.mark)), default=0.0)
    rivals = [(_like(placing, mark, o), o.at, o) for o in others if opposed(mark.mark, o.mark)]
    score, _, rival = max(rivals, default=(0.0, 0, None))
    full = placing.fullest(mark.at, mark.at + 1)
    if rival is not None and score >= _LEAST_LIKE * full and score > _WINS * equal:
        yield difference(Aspect.CONDITION, mark.said, rival.said)


def _like(placing: Placing, mark: PlacedMark, other: PlacedMark) -> float:
    return placing.score(mark.at, mark.at + 1, other.at, other.at + 1)


def _joints(placing: Placing) -> Iterator[Difference]:
    """和 for 或 between the same two words."""
    tokens, target = placing.said.tokens, placing.target
    joints = {mark.at: mark for mark in target.marks if mark.mark in JOINTS}
    for mark in placing.said.marks:
        if mark.mark not in JOINTS or not 0 < mark.at < len(tokens) - 1:
            continue
        left, right = tokens[mark.at - 1].key, tokens[mark.at + 1].key
        between = [
            other
            for at, other in joints.items()
            if 0 < at < len(target.tokens) - 1
            and (target.tokens[at - 1].key, target.tokens[at + 1].key) == (left, right)
        ]
        if between and all(opposed(mark.mark, other.mark) for other in between):
            yield difference(Aspect.CONDITION, mark.said, between[0].said)


def check_limits_of(placing: Placing, agreed: Sequence[tuple[int, int]]) -> Iterator[Difference]:
    """A bound on a number that one side alone sets; ``agreed`` are the facts' places on both sides."""
    said, target = placing.said, placing.target
    facts = {fact.first: fact for fact in said.facts}
    stands = {fact.first: fact for fact in target.facts}
    for i, j in agreed:
        fact, other = facts[i], stands[j]
        own = _bound(fact, said.tokens, said.marks)
        its = _bound(other, target.tokens, target.marks)
        if own and not its and not any(mark.mark in LIMITS for mark in target.marks):
            yield difference(Aspect.CONDITION, _bounded(own, fact.said), other.said, certain=False)
        elif its and not own and not any(mark.mark in LIMITS for mark in said.marks):
            yield difference(Aspect.CONDITION, fact.said, _bounded(its, other.said), certain=False)


def _bounded(mark: PlacedMark, fact: str) -> str:
    return (
        f"{fact}{mark.said}"
        if _stands_behind(mark)
        else f"{mark.said} {fact}"
        if mark.said.isascii()
        else f"{mark.said}{fact}"
    )


def _stands_behind(mark: PlacedMark) -> bool:
    return mark.said in _BEHIND or _OR_MORE.fullmatch(mark.said) is not None


def _bound(fact: Fact, tokens: Sequence[Token], marks: Sequence[PlacedMark]) -> PlacedMark | None:
    for mark in marks:
        if mark.mark in LIMITS:
            if _stands_behind(mark) and mark.at == fact.last:
                return mark
            if not _stands_behind(mark) and mark.at == fact.first - 1:
                return mark
    return None
