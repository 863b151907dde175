"""What a sentence changes where it otherwise keeps the words of its source, in their order.

Sentence and source are laid side by side; between two stretches that are alike, each has its own few words. What
stands against what there is read closely: a denial, a bound, a value, a name, an opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from core.verdict import Aspect
from retrieval.verify.difference import Difference, difference
from retrieval.verify.exchanges import exchanged, turned_round
from retrieval.verify.facts import alike_values, aspect_of
from retrieval.verify.folding import folded
from retrieval.verify.marks import Mark, opposed
from retrieval.verify.names import Name
from retrieval.verify.opposites import opposite_signs, opposite_words
from retrieval.verify.placing import Placing
from retrieval.verify.quantities import Quantity
from retrieval.verify.roles import other_party, other_role
from retrieval.verify.tokens import Fact, PlacedMark, Token

# Longer stretches that differ are other words, not a change.
_MOST: Final = 9
# How many tokens must be alike on a side.
_BESIDE: Final = 2
_MAIN_SHARE: Final = 0.5
# A change of names is mostly names, and short.
_MOSTLY: Final = 0.6
_LONGEST_NAME: Final = 8
_NEGATIVE: Final = frozenset((Mark.DENY, Mark.EXEMPT))
_ORG = re.compile(
    r"公司|集团|大学|学院|银行|法院|检察院|委员会|研究[院所]|医院|协会|出版社|中学|基金会|博物馆"
)
_ONLY: Final = frozenset(("只", "仅", "only", "唯"))
_PASSIVE: Final = "被"
# 张某 and 罗某: the sign behind a family name.
_ANONYMOUS: Final = "某"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """``said[first:last]`` stands where the source has ``target[j_first:j_last]``; either may be empty."""

    first: int
    last: int
    j_first: int
    j_last: int


def changes(placing: Placing, first: int = 0, last: int | None = None) -> list[Change]:
    """The short stretches of the sentence that differ from the source's tokens ``[first, last)`` between alike ones."""
    said = [token.key for token in placing.said.tokens]
    end = len(placing.target.tokens) if last is None else last
    stands = [token.key for token in placing.target.tokens[first:end]]
    blocks = [b for b in SequenceMatcher(None, said, stands, autojunk=False).get_matching_blocks() if b.size]
    # A lone sign or short word proves nothing.
    ends = [
        (b.a, b.b + first, b.size)
        for b in blocks
        if b.size >= _BESIDE or said[b.a][0] in "#@" or (len(said[b.a]) > 2 and said[b.a][0] != "~")
    ]
    found: list[Change] = []
    if ends and ends[0][2] >= _BESIDE:
        found += _outer(placing, ends[0][0], ends[0][1], first)
    for (a, b, size), (then, there, _) in pairwise(ends):
        if then > a + size or there > b + size:
            found.append(Change(first=a + size, last=then, j_first=b + size, j_last=there))
    if ends:
        a, b, size = ends[-1]
        rest = len(said) - a - size
        if rest:
            found.append(
                Change(first=a + size, last=len(said), j_first=b + size, j_last=min(b + size + rest + 1, end))
            )
    return [c for c in found if c.last - c.first <= _MOST and c.j_last - c.j_first <= _MOST]


def _outer(placing: Placing, before: int, place: int, first: int) -> Iterator[Change]:
    """What stands before the first stretch that is alike: about as much of the source as of the sentence."""
    if before:
        yield Change(first=0, last=before, j_first=max(first, place - before - 1), j_last=place)


def check_changes(placing: Placing) -> Iterator[Difference]:
    """The differences that follow from what was changed."""
    ranges = _ranges(placing)
    found = [change for first, last in ranges for change in changes(placing, first, last)]
    swapped = turned_round(placing, [(c.first, c.last, c.j_first, c.j_last) for c in found])
    parts = [_parts(placing, change) for change in found]
    # 禁止用人单位扣押 for 用人单位不得扣押: a denial that only stands elsewhere.
    moved = _denials([mine for mine, _ in parts]) == _denials([its for _, its in parts])
    for change, (mine, its) in zip(found, parts, strict=True):
        wide = _widened(placing, change)
        if _denied(mine, its):
            if not moved:
                yield difference(Aspect.NEGATION, *wide)
        else:
            yield from _read(placing, mine, its, wide, swapped)
    for first, last in ranges:
        yield from exchanged(placing, first, last)


def _ranges(placing: Placing) -> list[tuple[int, int]]:
    """The tokens of each source sentence that alone carries most of the sentence, else those of all."""
    target = placing.target
    total = sum(token.weight for token in placing.said.tokens) or 1.0
    weights = [0.0] * len(target.units)
    for token, place in zip(placing.said.tokens, placing.places, strict=True):
        if place >= 0:
            weights[target.owner[place]] += token.weight
    mains = [number for number, weight in enumerate(weights) if weight >= _MAIN_SHARE * total]
    bounds = []
    for number in mains:
        first = target.owner.index(number)
        bounds.append((first, first + target.owner.count(number)))
    return bounds or [(0, len(target.tokens))]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One side of a change."""

    tokens: Sequence[Token]
    marks: Sequence[PlacedMark]
    facts: Sequence[Fact]
    words: str

    @property
    def content(self) -> list[Token]:
        return [token for token in self.tokens if token.weight]


def _denials(parts: Sequence[_Part]) -> int:
    return sum(mark.mark in _NEGATIVE for part in parts for mark in part.marks)


def _parts(placing: Placing, change: Change) -> tuple[_Part, _Part]:
    """What the sentence and the source have there."""
    said, target = placing.said, placing.target
    words = (
        said.source[said.tokens[change.first].start : said.tokens[change.last - 1].end]
        if change.last > change.first
        else ""
    )
    mine = _part(said.tokens, said.marks, said.facts, change.first, change.last, words)
    other = target.words(change.j_first, change.j_last) if change.j_last > change.j_first else ""
    its = _part(target.tokens, target.marks, target.facts, change.j_first, change.j_last, other)
    return mine, its


def _read(
    placing: Placing, mine: _Part, its: _Part, wide: tuple[str, str], swapped: bool
) -> Iterator[Difference]:
    """What follows from one change in which nothing is denied."""
    turned = [(m, o) for m in mine.marks for o in its.marks if opposed(m.mark, o.mark)]
    if turned and not {m.mark for m in mine.marks} & {o.mark for o in its.marks}:
        yield difference(Aspect.CONDITION, turned[0][0].said, turned[0][1].said)
        return
    if _opposite(mine, its, wide):
        yield difference(Aspect.NEGATION, *wide)
        return
    yield from _values(placing, mine, its, swapped)
    yield from _replaced(mine, its, wide)


def _values(placing: Placing, mine: _Part, its: _Part, swapped: bool) -> Iterator[Difference]:
    """One value in the place of another."""
    left, right = ([f for f in part.facts if not isinstance(f.value, Name)] for part in (mine, its))
    if len(left) != 1 or len(right) != 1 or swapped or type(left[0].value) is not type(right[0].value):
        return
    if not (isinstance(left[0].value, Quantity) and left[0].value.weak) and not alike_values(
        left[0], right[0]
    ):
        yield difference(aspect_of(left[0], right[0]), left[0].said, right[0].said)


def _part(
    tokens: Sequence[Token],
    marks: Sequence[PlacedMark],
    facts: Sequence[Fact],
    first: int,
    last: int,
    words: str,
) -> _Part:
    return _Part(
        tokens=tokens[first:last],
        marks=[mark for mark in marks if first <= mark.at < last],
        facts=[fact for fact in facts if fact.first < last and fact.last > first],
        words=words,
    )


def _widened(placing: Placing, change: Change) -> tuple[str, str]:
    """Both sides with a word more where they have few, so that a reader sees what is meant."""
    said, target = placing.said, placing.target
    last, j_last = min(change.last + 2, len(said.tokens)), min(change.j_last + 2, len(target.tokens))
    # Signs of one word before it: 总 of 总理.
    lead = 2 if change.first < len(said.tokens) and said.tokens[min(change.first, last - 1)].is_han else 0
    first, j_first = (
        max(min(change.first, last - 1) - lead, 0),
        max(min(change.j_first, j_last - 1) - lead, 0),
    )
    return said.source[said.tokens[first].start : said.tokens[last - 1].end], target.words(j_first, j_last)


def _denied(mine: _Part, its: _Part) -> bool:
    """Whether one side alone denies, and little else differs."""
    counts = [sum(mark.mark in _NEGATIVE for mark in part.marks) for part in (mine, its)]
    if counts[0] % 2 == counts[1] % 2:
        return False
    if any(mark.mark in (Mark.UP, Mark.DOWN) for mark in (*mine.marks, *its.marks)):
        # 未达到 for 低于: a bound denies in its own way.
        return False
    return len(mine.content) <= 1 and len(its.content) <= 1


def _opposite(mine: _Part, its: _Part, wide: tuple[str, str]) -> bool:
    if not mine.tokens or not its.tokens:
        return False
    han = any(token.is_han for token in (*mine.tokens, *its.tokens))
    if han:
        pair = opposite_signs(folded(wide[0]).text, folded(wide[1]).text)
        # What differs must be part of the pair.
        return (
            pair is not None
            and any(t.key in pair[0] for t in mine.tokens)
            and any(t.key in pair[1] for t in its.tokens)
        )
    return opposite_words(frozenset(t.key for t in mine.tokens), frozenset(t.key for t in its.tokens))


def _replaced(mine: _Part, its: _Part, wide: tuple[str, str]) -> Iterator[Difference]:
    """Values, names and words put in the place of others."""
    left, right = mine.content, its.content
    if [t.key for t in left] == [_PASSIVE] != [t.key for t in right] or [t.key for t in right] == [
        _PASSIVE
    ] != [t.key for t in left]:
        # 侵权人 and 被侵权人 are two parties.
        if not (left and right):
            yield difference(Aspect.NAME, *wide)
        return
    if not left and {t.key for t in right} & _ONLY:
        yield difference(Aspect.CONDITION, *wide, certain=False)
    if not left or not right:
        return
    values = [[fact for fact in part.facts if not isinstance(fact.value, Name)] for part in (mine, its)]
    if values[0] or values[1]:
        return
    yield from _named(mine, its, wide)


def _named(mine: _Part, its: _Part, wide: tuple[str, str]) -> Iterator[Difference]:
    """A name or a party in the place of another; other words are only other words."""
    left, right = (frozenset(token.key for token in part.content) for part in (mine, its))
    if left <= right or right <= left:
        return
    if all(_has_name(part) for part in (mine, its)) or _anonymous(wide):
        yield difference(Aspect.NAME, mine.words, its.words)
    elif (roles := other_role(*wide)) is not None:
        yield difference(Aspect.NAME, *roles)
    elif other_party(left, right):
        yield difference(Aspect.NAME, mine.words, its.words)


def _anonymous(wide: tuple[str, str]) -> bool:
    """张某 for 罗某: the words differ in the family name alone."""
    left, right = (re.findall(rf"(.){_ANONYMOUS}", words) for words in wide)
    return bool(left and right) and not set(left) & set(right)


def _has_name(part: _Part) -> bool:
    """Whether a part is little else than a name."""
    if len(part.content) > _LONGEST_NAME:
        return False
    words = re.findall(r"[A-Za-z][\w'’-]*", part.words)
    if words:
        capitals = [word for word in words if word[0].isupper()]
        return len(capitals) >= _MOSTLY * len(words)
    named = any(isinstance(fact.value, Name) and fact.value.kind != "thing" for fact in part.facts)
    return named or _ORG.search(part.words) is not None
