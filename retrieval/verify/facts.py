"""Numbers, dates and names of a sentence against those that stand at the same place of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.verdict import Aspect
from retrieval.verify.difference import Difference, difference
from retrieval.verify.folding import folded
from retrieval.verify.moments import Moment, near, says
from retrieval.verify.names import Name
from retrieval.verify.placing import Placing
from retrieval.verify.quantities import Quantity, same
from retrieval.verify.tokens import Fact, Line, line
from retrieval.verify.units import alike

# "A and B have 3 and 5 respectively": order alone says which belongs to which.
_IN_TURN = re.compile(r"分别|依次|各自|respectively", re.IGNORECASE)
_ABOUT = re.compile(r"约|近|大概|左右|about|around|nearly|approximately|almost|roughly|some", re.IGNORECASE)
_SCALE_WORDS: Final = {10_000: "万", 10**8: "亿", 1000: "thousand", 10**6: "million", 10**9: "billion"}
_COUNTRY: Final = "中华人民共和国"
_YEARS: Final = range(1000, 2101)
# Another value wins the place when its surroundings are so much more like the sentence's ...
_WINS: Final = 1.25
_WINS_BOTH_SAID: Final = 1.6
# ... and alike by this share of what could be.
_LEAST_LIKE: Final = 0.45
# A value that differs is named as what stands there instead from this share on.
_NAMED_FROM: Final = 0.3
_NO_RIVAL_FROM: Final = 0.55
_BESIDE: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Backdrop:
    """What stands around the chosen sentences: the whole passage and the headings above it.

    Its years, names and titles may be meant by a sentence that the chosen ones do not repeat them in.
    """

    lines: Sequence[Line]
    folded_text: str


def backdrop(lines: Sequence[Line], headings: str) -> Backdrop:
    """The backdrop of a passage with ``lines``, under ``headings``."""
    texts = "\n".join((headings, *(of.source for of in lines)))
    return Backdrop(lines=(line(headings), *lines), folded_text=folded(texts).text)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCheck:
    """The differences, and for each fact that agrees where (its first token): for highlighting."""

    differences: tuple[Difference, ...]
    # (fact's first token in the sentence, in the source), of facts whose spelling differs as well.
    agreed: tuple[tuple[int, int], ...]
    # The tokens of the sentence that the source contradicts: these are shown nowhere.
    refuted: frozenset[int]


def check_facts(placing: Placing, behind: Backdrop) -> FactCheck:
    """All facts of the sentence against the source."""
    found: list[Difference] = []
    agreed: list[tuple[int, int]] = []
    refuted: set[int] = set()
    for fact in placing.said.facts:
        if isinstance(fact.value, Name):
            wrong = list(_name(placing, fact, fact.value, behind))
            found += wrong
            refuted |= set(range(fact.first, fact.last)) if any(d.certain for d in wrong) else set()
            continue
        equal = [t for t in placing.target.facts if agrees(fact, t, placing, behind)]
        result = _weighed(placing, fact, equal, behind)
        if result is not None:
            found.append(result)
            refuted |= {fact.first} if result.certain else set()
        if equal and (result is None or not result.certain):
            best = max(equal, key=lambda t: placing.score(fact.first, fact.last, t.first, t.last))
            agreed.append((fact.first, best.first))
    return FactCheck(differences=tuple(found), agreed=tuple(agreed), refuted=frozenset(refuted))


def agrees(said: Fact, stands: Fact, placing: Placing, behind: Backdrop) -> bool:
    left, right = said.value, stands.value
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        return (
            same(left, right)
            or _scaled(left, right, behind)
            or _rounded(left, right, said, placing)
            or _numbered(left, right)
        )
    if isinstance(left, Moment) and isinstance(right, Moment):
        return says(left.iso, right.iso) or (near(left.iso, right.iso) and left.iso[:4] in behind.folded_text)
    if isinstance(left, Quantity) and isinstance(right, Moment):
        return _is_year(left) and right.iso.startswith(str(left.value))
    if isinstance(left, Moment) and isinstance(right, Quantity):
        return _is_year(right) and left.iso == str(right.value)
    return False


def alike_values(left: Fact, right: Fact) -> bool:
    """Whether two facts say the same, whatever stands around them."""
    one, other = left.value, right.value
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return same(one, other) or _numbered(one, other)
    if isinstance(one, Moment) and isinstance(other, Moment):
        return says(one.iso, other.iso) or near(one.iso, other.iso)
    return False


def _is_year(quantity: Quantity) -> bool:
    return not quantity.dimension and quantity.value.denominator == 1 and int(quantity.value) in _YEARS


def _scaled(said: Quantity, stands: Quantity, behind: Backdrop) -> bool:
    """A table in millions holds the bare number, the sentence says the million."""
    if stands.scale != 1 or said.scale == 1 or said.bare != stands.bare:
        return False
    return not stands.dimension and _SCALE_WORDS.get(said.scale, "?") in behind.folded_text


def _rounded(said: Quantity, stands: Quantity, fact: Fact, placing: Placing) -> bool:
    """约1.5亿 for 148,230,000."""
    if not alike(said.dimension, stands.dimension) or not stands.value or said.ordinal or stands.ordinal:
        return False
    span = placing.said.tokens[fact.first]
    around = placing.said.source[max(0, span.start - 14) : span.end + 4]
    return bool(_ABOUT.search(around)) and abs(said.value - stands.value) <= abs(stands.value) * Fraction(
        1, 20
    )


def _numbered(said: Quantity, stands: Quantity) -> bool:
    """32条 for 第三十二条."""
    return (
        said.ordinal != stands.ordinal
        and said.value == stands.value
        and not (said.dimension and stands.dimension)
    )


def _weighed(placing: Placing, fact: Fact, equal: Sequence[Fact], behind: Backdrop) -> Difference | None:
    """Whether another value than that of ``equal`` stands where the sentence says ``fact``."""
    rivals = [t for t in placing.target.facts if t not in equal and _competes(fact, t)]
    full = placing.fullest(fact.first, fact.last) or 1.0
    rival_score, rival = _best(placing, fact, rivals)
    if equal:
        score, own = _best(placing, fact, equal)
        both = rival is not None and any(_same_value(rival, other) for other in placing.said.facts)
        wins = (
            rival_score > score * (_WINS_BOTH_SAID if both else _WINS) and rival_score >= _LEAST_LIKE * full
        )
        in_turn = _IN_TURN.search(placing.said.source) or any(
            _IN_TURN.search(u.line.source) for u in placing.target.units
        )
        rows = any(placing.target.units[placing.target.owner[t.first]].is_row for t in equal)
        if not wins or in_turn or rows or rival is None or own is None:
            return None
        if rival_score <= _WINS_BOTH_SAID * score and _partnered(placing, fact, own, rival):
            return None
        return difference(aspect_of(fact, rival), fact.said, rival.said)
    weak = isinstance(fact.value, Quantity) and fact.value.weak
    if weak and rival_score < _NO_RIVAL_FROM * full:
        return None
    shown = rival if rival_score >= _NAMED_FROM * full else None
    elsewhere = any(agrees(fact, t, placing, behind) for of in behind.lines for t in of.facts)
    if elsewhere and rival_score < _NO_RIVAL_FROM * full:
        is_plain = isinstance(fact.value, Moment) or any(
            agrees(fact, t, placing, behind) for t in behind.lines[0].facts
        )
        return None if is_plain else difference(aspect_of(fact, shown), fact.said, certain=False)
    # 根据《劳动法》第三十二条: the part that a passage is of need not stand in it.
    certain = not (
        isinstance(fact.value, Quantity) and fact.value.ordinal and rival_score < _NO_RIVAL_FROM * full
    )
    return difference(aspect_of(fact, shown), fact.said, shown.said if shown else "", certain=certain)


def _partnered(placing: Placing, fact: Fact, own: Fact, rival: Fact) -> bool:
    """Whether another value beside ``fact`` stands nearer to ``own`` than to ``rival`` in the source as well.

    满十年的，每年享受10天: whatever stands before them, these two belong together.
    """
    at = placing.target.at
    for other in placing.said.facts:
        if other is fact or isinstance(other.value, Name) or abs(other.first - fact.first) > _BESIDE:
            continue
        places = [at[t.first] for t in placing.target.facts if alike_values(other, t)]
        near = min((abs(place - at[own.first]) for place in places), default=0)
        far = min((abs(place - at[rival.first]) for place in places), default=0)
        if near + 2 <= far:
            return True
    return False


def _competes(fact: Fact, other: Fact) -> bool:
    left, right = fact.value, other.value
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        return left.ordinal == right.ordinal and not (right.weak and not left.weak)
    return (
        isinstance(left, Moment)
        and isinstance(right, Moment)
        and (left.iso[0] == "T") == (right.iso[0] == "T")
    )


def _same_value(left: Fact, right: Fact) -> bool:
    if isinstance(left.value, Quantity) and isinstance(right.value, Quantity):
        return same(left.value, right.value)
    return (
        isinstance(left.value, Moment)
        and isinstance(right.value, Moment)
        and left.value.iso == right.value.iso
    )


def _best(placing: Placing, fact: Fact, others: Sequence[Fact]) -> tuple[float, Fact | None]:
    best, found = 0.0, None
    for other in others:
        score = placing.score(fact.first, fact.last, other.first, other.last)
        if not _one_unit(fact, other):
            score *= 0.8
        if found is None or score > best:
            best, found = score, other
    return best, found


def _one_unit(fact: Fact, other: Fact) -> bool:
    left, right = fact.value, other.value
    return (
        not isinstance(left, Quantity)
        or not isinstance(right, Quantity)
        or alike(left.dimension, right.dimension)
    )


def aspect_of(fact: Fact, rival: Fact | None) -> Aspect:
    if isinstance(fact.value, Moment):
        return Aspect.DATE
    if rival is not None and isinstance(rival.value, Quantity) and isinstance(fact.value, Quantity):
        left, right = fact.value, rival.value
        if left.bare == right.bare and (
            not alike(left.dimension, right.dimension) or left.value != right.value
        ):
            return Aspect.UNIT
    return Aspect.NUMBER


def _name(placing: Placing, fact: Fact, name: Name, behind: Backdrop) -> Iterator[Difference]:
    """A name that the source does not know, or that stands elsewhere while another stands here."""
    full = placing.fullest(fact.first, fact.last) or 1.0
    others = [t for t in placing.target.facts if isinstance(t.value, Name) and not _one_name(name, t.value)]
    rivals = [t for t in others if isinstance(t.value, Name) and _kin(t.value.kind, name.kind)]
    score, rival = _best(placing, fact, rivals)
    # A rival that the sentence names as well is no replacement.
    spoken = folded(placing.said.source).text
    replaced = rival is not None and folded(rival.said).text not in spoken
    own = [t for t in placing.target.facts if isinstance(t.value, Name) and _one_name(name, t.value)]
    own_score, _ = _best(placing, fact, own)
    known = own_score > 0 or _held(name, behind.folded_text)
    if known:
        if rival is not None and replaced and score >= 0.6 * full and score > _WINS * own_score:
            yield difference(Aspect.NAME, name.text, rival.said)
        return
    if rival is not None and replaced and score >= _NAMED_FROM * full:
        yield difference(Aspect.NAME, name.text, rival.said)
    elif name.kind != "thing":
        yield difference(Aspect.NAME, name.text, certain=name.kind in ("identifier", "latin"))


def _kin(left: str, right: str) -> bool:
    """Which kinds of names may be put for each other: taggers do not tell Chinese kinds apart well."""
    han = {"person", "place", "org", "thing"}
    return left == right or (left in han and right in han)


def _one_name(left: Name, right: Name) -> bool:
    first, second = folded(left.text).text, folded(right.text).text
    return first in second or second in first


def _held(name: Name, text: str) -> bool:
    plain = folded(name.text).text
    if plain in text or plain.removeprefix(_COUNTRY) in text:
        return True
    if name.kind == "latin":
        return all(
            word.strip(".'’") in text
            for word in plain.split()
            if word not in ("of", "the", "de", "van", "von")
        )
    return False
