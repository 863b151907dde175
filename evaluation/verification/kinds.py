"""All kinds of cases: what is done to a true sentence, and what a checker should then say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from core.verdict import Verdict
from evaluation.verification import other_words
from evaluation.verification.case import Claim
from evaluation.verification.changes import condition, date, name, negation, number, unit
from evaluation.verification.forms import formats, paraphrase
from evaluation.verification.names import Names

Make = Callable[[Claim], Iterator[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """``make`` yields the sentences that this kind makes of one claim; ``share`` is how many of its quota
    are made, 1.0 for all. ``origin`` takes claims of one origin alone; "" takes any."""

    name: str
    detail: str
    expected: Verdict
    make: Make
    origin: str = ""
    share: float = 1.0


def kinds(names: Names) -> tuple[Kind, ...]:
    """True kinds first. The cited neighbour is none of them: it leaves the sentence as it is."""
    true = partial(Kind, expected=Verdict.SUPPORTED)
    false = partial(Kind, expected=Verdict.UNSUPPORTED)
    return (
        true(name="verbatim", detail="source", make=_as_it_is, origin="source"),
        true(name="written", detail="answer", make=_as_it_is, origin="answer", share=2.0),
        true(name="format", detail="width", make=formats.width, share=0.7),
        true(name="format", detail="punctuation", make=formats.punctuation),
        true(name="format", detail="separators", make=formats.separators),
        true(name="format", detail="numerals", make=formats.numerals),
        true(name="format", detail="percent", make=formats.percent),
        true(name="format", detail="dates", make=formats.dates),
        true(name="format", detail="scale", make=formats.scale),
        true(name="format", detail="script", make=formats.script),
        true(name="paraphrase", detail="synonyms", make=paraphrase.synonyms, share=1.5),
        true(name="paraphrase", detail="shortened", make=paraphrase.shortened, share=1.5),
        true(name="paraphrase", detail="other words", make=other_words.reworded),
        false(name="number", detail="digit", make=number.other_digit),
        false(name="number", detail="magnitude", make=number.magnitude),
        false(name="number", detail="of the passage", make=number.of_the_passage),
        false(name="number", detail="exchanged", make=number.exchanged, share=0.5),
        false(name="number", detail="article", make=number.article, share=0.5),
        false(name="unit", detail="unit", make=unit.other_unit, share=2.0),
        false(name="date", detail="year", make=date.other_year),
        false(name="date", detail="month", make=date.other_month),
        false(name="date", detail="day", make=date.other_day, share=0.7),
        false(name="name", detail="of another document", make=partial(name.of_another_document, names=names)),
        false(name="name", detail="of the passage", make=partial(name.of_the_passage, names=names)),
        false(name="name", detail="role", make=name.other_role),
        false(name="negation", detail="added", make=negation.added, share=1.5),
        false(name="negation", detail="removed", make=negation.removed, share=1.5),
        false(name="negation", detail="other words", make=other_words.denied),
        false(name="opposite", detail="opposite", make=negation.opposite),
        false(name="opposite", detail="other words", make=other_words.opposite),
        false(name="condition", detail="bound", make=condition.turned_round, share=1.5),
        false(name="condition", detail="and-or", make=condition.and_for_or, share=0.7),
        Kind(name="condition", detail="dropped", expected=Verdict.PARTLY, make=condition.dropped),
    )


NEIGHBOUR: Final = Kind(
    name="citation", detail="neighbour", expected=Verdict.UNSUPPORTED, make=lambda claim: iter(()), share=1.5
)

# Nor are the sentences judged by reading: what is expected of them is not the same for all.
JUDGED: Final = {
    verdict: Kind(name="judged", detail=verdict.value, expected=verdict, make=lambda claim: iter(()))
    for verdict in Verdict
}


def _as_it_is(claim: Claim) -> Iterator[str]:
    yield claim.sentence
