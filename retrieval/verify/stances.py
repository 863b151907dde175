"""Whether a sentence denies, allows or demands what its source does, at the words that this is said of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.verdict import Aspect
from retrieval.verify.difference import Difference, difference
from retrieval.verify.marks import STANCES, Mark
from retrieval.verify.placing import Placing
from retrieval.verify.tokens import PlacedMark, Token

_NEGATIVE: Final = frozenset((Mark.DENY, Mark.EXEMPT))
# How many tokens behind a mark it is said of first, and how far before a word a mark may still rule it.
_HEADS: Final = 3
_LATIN_HEADS: Final = 2
_REACH: Final = 10


_Others = Callable[[int], Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One of the two texts: its tokens, the clause of each, and its marks of stance by place."""

    tokens: Sequence[Token]
    clauses: Sequence[int]
    marks: dict[int, PlacedMark]
    words: Callable[[int, int], str]

    def heads(self, mark: PlacedMark) -> list[int]:
        """The words that a mark is said of: those behind it, or before it where its clause ends ("is prohibited")."""
        behind = self._content(range(mark.at + 1, min(mark.at + 1 + _REACH, len(self.tokens))), mark.at)
        if behind:
            return behind
        return self._content(range(mark.at - 1, max(mark.at - 1 - _REACH, -1), -1), mark.at)

    def _content(self, places: range, at: int) -> list[int]:
        found: list[int] = []
        for place in places:
            if self.clauses[place] != self.clauses[at]:
                break
            token = self.tokens[place]
            if token.weight and not token.is_fact:
                found.append(place)
                if len(found) == (_HEADS if token.is_han else _LATIN_HEADS):
                    break
        return found

    def ruling(self, place: int, wanted: frozenset[Mark]) -> PlacedMark | None:
        """The nearest mark of ``wanted`` that rules the word at ``place``."""
        for at in range(place - 1, max(place - 1 - _REACH, -1), -1):
            if self.clauses[at] != self.clauses[place]:
                break
            mark = self.marks.get(at)
            if mark is not None and mark.mark in wanted:
                return mark
        for mark in self.marks.values():
            if mark.mark in wanted and mark.at > place and place in self.heads(mark):
                return mark
        return None

    def said(self, mark: PlacedMark, place: int) -> str:
        """The mark with the words up to ``place``."""
        first, last = sorted((mark.at, place))
        return self.words(first, last + 1)


def check_stances(placing: Placing) -> Iterator[Difference]:
    """A denial on one side alone, a duty for a permission, an exemption for a ban; each certain."""
    said, target = placing.said, placing.target
    left = _Side(
        tokens=said.tokens,
        clauses=[token.clause for token in said.tokens],
        marks={mark.at: mark for mark in said.marks if mark.mark in STANCES},
        words=lambda first, last: said.source[said.tokens[first].start : said.tokens[last - 1].end],
    )
    right = _Side(
        tokens=target.tokens,
        clauses=target.clauses,
        marks={mark.at: mark for mark in target.marks if mark.mark in STANCES},
        words=target.words,
    )
    forth = {i: j for i, j in enumerate(placing.places) if j >= 0}
    back: dict[int, int] = {}
    for i, j in forth.items():
        back.setdefault(j, i)
    yield from _denied(left, right, forth, placing.alternatives, swapped=False)
    yield from _denied(right, left, back, lambda j: [back[j]], swapped=True)
    yield from _exchanged(left, right, forth)


def _denied(
    here: _Side, there: _Side, partner: dict[int, int], others: _Others, *, swapped: bool
) -> Iterator[Difference]:
    """What ``here`` denies and ``there`` does not, wherever it may be meant (``others``)."""
    for mark in here.marks.values():
        if mark.mark not in _NEGATIVE:
            continue
        heads = here.heads(mark)
        placed = [head for head in heads if head in partner]
        if not placed or 2 * len(placed) < len(heads):
            if not swapped and heads and not any(m.mark in _NEGATIVE for m in there.marks.values()):
                # What is denied is not said here in these words, and nothing else is denied either.
                yield difference(Aspect.NEGATION, here.said(mark, heads[-1]), "", certain=False)
            continue
        if any(there.ruling(place, _NEGATIVE) for head in placed for place in others(head)):
            continue
        if _ruled_later(here, there, mark, partner):
            continue
        head = placed[0]
        other = there.ruling(partner[head], STANCES)
        end = placed[-1]
        denied = here.said(mark, end)
        plain = (
            there.said(other, partner[end]) if other else there.words(*_ordered(partner[head], partner[end]))
        )
        said, found = (plain, denied) if swapped else (denied, plain)
        yield difference(Aspect.NEGATION, said, found)


def _ruled_later(here: _Side, there: _Side, mark: PlacedMark, partner: dict[int, int]) -> bool:
    """禁止用人单位扣押 for 用人单位不得扣押: the denial stands right before a later word of the clause."""
    for place in range(mark.at + 1, min(mark.at + 1 + 2 * _REACH, len(here.tokens))):
        if here.clauses[place] != here.clauses[mark.at]:
            break
        if place in partner:
            other = there.ruling(partner[place], _NEGATIVE)
            if other is not None and 0 < partner[place] - other.at <= 2:
                return True
    return False


def _ordered(first: int, last: int) -> tuple[int, int]:
    low, high = sorted((first, last))
    return low, high + 1


def _exchanged(left: _Side, right: _Side, forth: dict[int, int]) -> Iterator[Difference]:
    """可以 for 应当, 不必 for 不得: both rule the very next word."""
    for mark in left.marks.values():
        heads = [head for head in left.heads(mark)[:1] if head in forth]
        if not heads or heads[0] < mark.at:
            continue
        other = right.ruling(forth[heads[0]], STANCES)
        if other is None or forth[heads[0]] - other.at > 2 or heads[0] - mark.at > 2:
            continue
        if {mark.mark, other.mark} in ({Mark.MAY, Mark.MUST}, {Mark.DENY, Mark.EXEMPT}):
            said, found = left.said(mark, heads[0]), right.said(other, forth[heads[0]])
            aspect = Aspect.CONDITION if mark.mark in (Mark.MAY, Mark.MUST) else Aspect.NEGATION
            yield difference(aspect, said, found)
