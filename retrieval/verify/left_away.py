"""Conditions in the source sentence that carries a sentence, and of which the sentence says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.span import Span
from core.verdict import Aspect
from retrieval.verify.difference import Difference, difference
from retrieval.verify.placing import Placing
from retrieval.verify.target import Unit

# A source sentence counts as carrying from this share of the sentence on.
_MAIN_SHARE: Final = 0.4
# A condition is left away when less than this share of its words, and no more than a few, stand in the sentence.
_LEFT_AWAY: Final = 0.34
_A_FEW: Final = 5.0
_CLAUSE = re.compile(r"[^，；。：！？\n]+")
_OPENS: Final = (
    r"除非|除(?!了)|但书|但是?[^，。]{0,30}(?:除外|不受|不得|不适用|另有)|如果|如(?!下|何|今|此|同|图)|若(?!干)|假如|倘若"
    r"|只有|仅(?:在|当|限)|以.{1,20}为(?:限|前提)|未经"
)
_HOLDS: Final = r"除外|为限|为前提|方可|才能?(?:够|可以)|例外|的情况下|的前提下"
_HAN_CONDITION = re.compile(rf"\A[\s“\"(（]*(?:{_OPENS})|{_HOLDS}")
# 员工工作满一年的，...: a condition of laws and rules on what follows.
_OF_RULES = re.compile(r"的\s*\Z")
_LATIN_CONDITION = re.compile(
    r"\b(?:unless|except|if|provided that|only (?:if|when|where)|subject to|as long as|so long as|when|once|until)\b[^,;:.\n]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Condition:
    """``span`` of the document; ``on`` is what it must be a condition of, ``None``: anything beside it."""

    span: Span
    on: Span | None = None


def check_left_away(placing: Placing) -> Iterator[Difference]:
    """Each condition left away; none where the sentence sets a condition of its own, in other words perhaps."""
    if _conditions(placing.said.source, 0):
        return
    target = placing.target
    held = {place for place in placing.places if place >= 0}
    total = sum(token.weight for token in placing.said.tokens) or 1.0
    for number, unit in enumerate(target.units):
        own = [place for place, owner in enumerate(target.owner) if owner == number]
        if unit.is_row or sum(target.tokens[p].weight for p in own if p in held) < _MAIN_SHARE * total:
            continue
        for condition in _conditions(unit.span.of(unit.text), unit.span.start):
            weight, got = _weights(placing, own, condition.span, held)
            if not weight or got > min(_LEFT_AWAY * weight, _A_FEW):
                continue
            if condition.on is None or _is_held(placing, own, condition.on, held):
                yield difference(Aspect.CONDITION, "", _words(unit, condition.span), certain=False)


def _conditions(source: str, offset: int) -> list[_Condition]:
    found: list[_Condition] = []
    clauses = list(_CLAUSE.finditer(source))
    for place, clause in enumerate(clauses):
        span = Span(offset + clause.start(), offset + clause.end())
        if _HAN_CONDITION.search(clause[0]):
            found.append(_Condition(span=span))
        elif _OF_RULES.search(clause[0]) and source[clause.end() : clause.end() + 1] == "，":
            on = clauses[place + 1] if place + 1 < len(clauses) else None
            if on is not None:
                found.append(_Condition(span=span, on=Span(offset + on.start(), offset + on.end())))
    for match in _LATIN_CONDITION.finditer(source):
        found.append(_Condition(span=Span(offset + match.start(), offset + match.end())))
    return found


def _weights(placing: Placing, own: list[int], span: Span, held: set[int]) -> tuple[float, float]:
    """The weight of the source's tokens in ``span``, and of those that the sentence holds."""
    target = placing.target
    inside = [place for place in own if span.contains(target.origins[place])]
    return (
        sum(target.tokens[place].weight for place in inside),
        sum(target.tokens[place].weight for place in inside if place in held),
    )


def _is_held(placing: Placing, own: list[int], span: Span, held: set[int]) -> bool:
    weight, got = _weights(placing, own, span, held)
    return got >= _LEFT_AWAY * weight


def _words(unit: Unit, span: Span) -> str:
    return span.of(unit.text).strip()
