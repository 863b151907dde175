"""A sentence laid over one or more passages: which source sentences carry it, which words, and how much of it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.span import Span
from retrieval.verify.changes import check_changes
from retrieval.verify.conditions import check_bounds, check_limits_of
from retrieval.verify.difference import Difference
from retrieval.verify.facts import backdrop, check_facts
from retrieval.verify.highlight import run_of, strong_words
from retrieval.verify.left_away import check_left_away
from retrieval.verify.placing import Placing
from retrieval.verify.rows import check_rows
from retrieval.verify.stances import check_stances
from retrieval.verify.target import Unit, features, joined, units
from retrieval.verify.tokens import Line, line

# The answer's own number or bullet before a sentence says nothing.
_LIST_MARK = re.compile(
    r"\A\s*(?:[-*+•·]\s+|\d{1,3}[.)、．]\s*(?!\d)|[①-⑳]\s*|[(（][一二三四五六七八九十\d]{1,3}[)）]\s*)+"
)
_MOST_UNITS: Final = 4
# A further source sentence must carry this share of what the sentence says; less when it follows the chosen ones.
_EARNS: Final = 0.17
_EARNS_NEXT: Final = 0.1
# Words that only the headings hold count less.
_HEADING_SHARE: Final = 0.7
# Weak alignments point at no words.
_STRONG_FROM: Final = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One passage: ``text`` is its document's, ``headings`` its title and section path, a line each."""

    text: str
    passage: Span
    headings: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """``coverage`` (0..1) is the share of the sentence that the source holds.

    ``plain_coverage`` leaves the facts out of it. ``spans`` and ``strong`` are by source, in the order given:
    the run of source sentences (``None`` where a source adds nothing) and the words that carry, over its
    document. ``units`` counts the source sentences that were chosen; ``is_row``: one of them is a table row;
    ``is_han``: the sentence is mostly Chinese.
    """

    coverage: float
    differences: tuple[Difference, ...]
    spans: tuple[Span | None, ...]
    strong: tuple[tuple[Span, ...], ...]
    plain_coverage: float
    units: int
    is_row: bool
    is_han: bool


def align(sentence: str, sources: Sequence[Source]) -> Alignment:
    """``sentence`` over all ``sources`` together."""
    said = line(_LIST_MARK.sub("", sentence))
    pool = [
        (number, unit) for number, source in enumerate(sources) for unit in units(source.text, source.passage)
    ]
    run = _verbatim(said, pool)
    chosen = run or _chosen(said, pool)
    target = joined([(pool[place][1], place - 1 in chosen and _follows(pool, place)) for place in chosen])
    placing = Placing(said, target)
    headings = "\n".join(source.headings for source in sources)
    facts = check_facts(placing, backdrop([unit.line for _, unit in pool], headings))
    held = {i: j for i, j in enumerate(placing.places) if j >= 0} | dict(facts.agreed)
    coverage = 1.0 if run else _coverage(said, held, headings)
    differences: tuple[Difference, ...] = ()
    if not run:
        differences = (
            *facts.differences,
            *check_rows(placing, facts.agreed),
            *check_changes(placing),
            *check_stances(placing),
            *check_bounds(placing),
            *check_limits_of(placing, facts.agreed),
            *check_left_away(placing),
        )
    by_source = [[place for place, at in enumerate(chosen) if pool[at][0] == n] for n in range(len(sources))]
    spans = [run_of(said, [target.units[place] for place in own]) for own in by_source]
    shown = {i: j for i, j in held.items() if i not in facts.refuted}
    strong = [
        strong_words(said, target, shown, range(own[0], own[-1] + 1))
        if own and coverage >= _STRONG_FROM
        else ()
        for own in by_source
    ]
    return Alignment(
        coverage=coverage,
        differences=tuple(dict.fromkeys(differences)),
        spans=tuple(spans),
        strong=tuple(_inside(words, span) for words, span in zip(strong, spans, strict=True)),
        plain_coverage=1.0 if run else _coverage(said, held, headings, plain=True),
        units=len(chosen),
        is_han=2 * sum(token.is_han for token in said.tokens) > len(said.tokens),
        is_row=any(unit.is_row for unit in target.units),
    )


def _inside(words: Sequence[Span], span: Span | None) -> tuple[Span, ...]:
    return tuple(part for word in words if span and (part := word.intersection(span)))


_Pool = Sequence[tuple[int, Unit]]


def _follows(pool: _Pool, place: int) -> bool:
    return place > 0 and pool[place - 1][0] == pool[place][0]


def _verbatim(said: Line, pool: _Pool) -> list[int]:
    """The places of consecutive units that together are the sentence, apart from how they are written."""
    wanted = [token.key for token in said.tokens]
    for first in range(len(pool)):
        got: list[str] = []
        for last in range(first, len(pool)):
            if last > first and not _follows(pool, last):
                break
            got += [token.key for token in pool[last][1].line.tokens]
            if len(got) >= len(wanted) or got != wanted[: len(got)]:
                break
        if wanted and got == wanted:
            return list(range(first, last + 1))
    return []


def _chosen(said: Line, pool: _Pool) -> list[int]:
    """The places of the units that carry most of the sentence, each for what the others lack, in order."""
    wanted = features(said)
    counts = {feature: sum(feature in unit.features for _, unit in pool) for feature in wanted}
    weights = {feature: _weight(feature) / math.sqrt(count or 1) for feature, count in counts.items()}
    total = sum(weights.values()) or 1.0
    missing = {feature for feature, count in counts.items() if count}
    chosen: list[int] = []
    while missing and len(chosen) < _MOST_UNITS:
        gains = []
        for place, (_, unit) in enumerate(pool):
            if place in chosen:
                continue
            gain = sum(weights[feature] for feature in missing & unit.features) / total
            is_next = any(abs(place - other) == 1 and _follows(pool, max(place, other)) for other in chosen)
            if gain and (not chosen or gain >= (_EARNS_NEXT if is_next else _EARNS)):
                # Of units that say the same the shorter one says it.
                gains.append((gain + 0.05 * is_next - 0.0002 * len(unit.span), -place))
        if not gains:
            break
        place = -max(gains)[1]
        chosen.append(place)
        missing -= pool[place][1].features
    return sorted(chosen)


def _weight(feature: str) -> float:
    if feature[0] in "#@第~" and len(feature) > 1:
        return 2.0
    return 1.0 if feature[0] >= "\u3400" else 1.5


def _coverage(said: Line, held: dict[int, int], headings: str, *, plain: bool = False) -> float:
    """The weight of what is held, of all; what only the headings hold counts less. ``plain``: without facts."""
    total = sum(token.weight for token in said.tokens if not (plain and token.is_fact))
    above = features(line(headings)) if headings.strip() else frozenset()
    got = 0.0
    for place, token in enumerate(said.tokens):
        if plain and token.is_fact:
            continue
        if place in held:
            got += token.weight
        elif above and any(feature in above for feature in _own_features(said, place)):
            got += _HEADING_SHARE * token.weight
    return got / total if total else float(plain)


def _own_features(said: Line, place: int) -> list[str]:
    token = said.tokens[place]
    if not token.is_han:
        return [token.key]
    around = said.tokens[max(0, place - 1) : place + 2]
    return [left.key + right.key for left, right in pairwise(around) if left.is_han and right.is_han]
