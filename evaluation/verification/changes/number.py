"""Another number: one digit, ten times as much, one of the same passage, two of a sentence exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from core.hashing import stable_id
from evaluation.verification.case import Claim
from evaluation.verification.figures import Figure, figures_in, replaced

# "More than 5" also follows from "more than 7": such a number is left alone.
_BOUND_BEFORE = re.compile(
    r"(?:超过|超過|至少|逾|高达|高達|多达|多達|不足|近|约|約|大于|大於|more than|over|at least|nearly|almost|about|up to"
    r"|less than|under|below|above|approximately|around|exceed\w*|some) ?[$€£]?$",
    re.IGNORECASE,
)
_APART = re.compile(r"[，；,;。]|\band\b|而|和|與|与")
_RANGE = re.compile(r"^\s*(?:至|到|to|-|–|~|以上|以下)?\s*$")
_IN_TURN = re.compile(r"\bto\b|增|减|减少|降|升|from|between|由|从|從")
_EXCHANGED_APART = 6


def other_digit(claim: Claim) -> Iterator[str]:
    """One digit of a number is another; for numbers in words, the next one up or down."""
    taken = values(claim)
    for figure in free_figures(claim):
        for value in _near(figure, claim.key):
            written = figure.rewritten(value)
            if written and value not in taken:
                yield replaced(claim.sentence, figure, written)
                break


def magnitude(claim: Claim) -> Iterator[str]:
    """Ten times a number, or a tenth of it."""
    taken = values(claim)
    for figure in free_figures(claim):
        tenth = figure.value / 10
        is_round = figure.value >= 20 and tenth == int(tenth)
        value = tenth if is_round and int(stable_id(claim.key, figure.start), 16) % 2 else figure.value * 10
        written = figure.rewritten(value) if figure.form in {"digits", "han"} else ""
        if written and value not in taken:
            yield replaced(claim.sentence, figure, written)


def of_the_passage(claim: Claim) -> Iterator[str]:
    """A number that the passage has for something else of the same unit."""
    said = {figure.value for figure in figures_in(claim.sentence)}
    others = [other for other in figures_in(claim.passage_text) if other.value not in said]
    for figure in free_figures(claim):
        for other in others:
            if figure.unit and (other.unit, other.form) == (figure.unit, figure.form):
                yield replaced(claim.sentence, figure, other.written)


def exchanged(claim: Claim) -> Iterator[str]:
    """Two numbers of one unit in each other's place."""
    found = [figure for figure in free_figures(claim) if figure.unit.lstrip("第")]
    for at, first in enumerate(found):
        for second in found[at + 1 :]:
            between = claim.sentence[first.end : second.start]
            is_same_kind = first.unit and (first.unit, first.form) == (second.unit, second.form)
            if not is_same_kind or first.value == second.value or len(between) < _EXCHANGED_APART:
                continue
            lead_in = claim.sentence[first.start - 10 if first.start > 10 else 0 : first.start]
            if _IN_TURN.search(lead_in + between) or _RANGE.match(between):
                continue
            if _APART.search(between):
                later = replaced(claim.sentence, second, first.written)
                yield replaced(later, first, second.written)


def article(claim: Claim) -> Iterator[str]:
    """Another article of the law (第…条)."""
    taken = values(claim)
    for figure in figures_in(claim.sentence):
        if figure.form == "ordinal":
            value = figure.value + 1 + int(claim.key, 16) % 7
            if value not in taken and (written := figure.rewritten(value)):
                yield replaced(claim.sentence, figure, written)


def free_figures(claim: Claim) -> list[Figure]:
    """The sentence's numbers that a change makes false: no bounds, no articles, none that is said twice."""
    found = figures_in(claim.sentence)
    values_said = [figure.value for figure in found]
    return [
        figure
        for figure in found
        if figure.form != "ordinal"
        and values_said.count(figure.value) == 1
        and not _BOUND_BEFORE.search(claim.sentence[: figure.start])
    ]


def values(claim: Claim) -> set[Decimal]:
    """All that the passage and the sentence count."""
    return {figure.value for text in (claim.passage_text, claim.sentence) for figure in figures_in(text)}


def _near(figure: Figure, chance: str) -> Iterator[Decimal]:
    seed = int(stable_id(chance, figure.start), 16)
    if figure.form == "word":
        yield from (figure.value + 1, figure.value - 1, figure.value + 3)
        return
    digits = figure.written.replace(",", "") if figure.form == "digits" else str(figure.value)
    places = [at for at, sign in enumerate(digits) if sign.isdigit()]
    if len(places) > 1 and digits.endswith("0") and "." not in digits:
        # The noughts stay: 50,000 becomes 70,000 rather than 50,300.
        places = [at for at in places if digits[at] != "0"]
    for step in range(1, 9 if places else 0):
        at = places[(seed + step) % len(places)]
        low = 1 if at == 0 else 0
        new = low + (int(digits[at]) - low + 1 + (seed >> 8) % 7 + step) % (10 - low)
        changed = Decimal(digits[:at] + str(new) + digits[at + 1 :])
        if changed != figure.value and (figure.form == "digits" or changed > 1):
            yield changed
