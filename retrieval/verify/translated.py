"""A sentence over a source in another language: numbers and dates must agree, the meaning must be near."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.verdict import Aspect, Reason, Verdict
from retrieval.evidence import Evidence
from retrieval.verify.alignment import Source, align
from retrieval.verify.marks import Mark, opposed
from retrieval.verify.meaning import TRANSLATED, Meaning
from retrieval.verify.names import Name
from retrieval.verify.support import Support
from retrieval.verify.target import Unit, units
from retrieval.verify.tokens import Line, line

_VALUES: Final = frozenset((Aspect.NUMBER, Aspect.UNIT, Aspect.DATE))
# With a number or date that agrees, a meaning as near as this is no chance.
_SURE: Final = 0.5


def translated(sentence: str, indexes: Sequence[int], evidence: Evidence, meaning: Meaning) -> Support | None:
    """What the nearest sentence of the passages says of ``sentence``; ``None`` when none is near in meaning.

    At most ``partly`` unless a number or date agrees and the meaning is very near. Raises ``EmbeddingError``.
    """
    pool: list[tuple[int, Unit]] = []
    for index in indexes:
        passage = evidence.passages[index]
        pool += [(index, unit) for unit in units(evidence.texts[passage.version_id], passage.span)]
    near = meaning.nearest(sentence, [unit.span.of(unit.text) for _, unit in pool])
    if near is None or near.cosine < TRANSLATED:
        return None
    index, unit = pool[near.place]
    verdict, reasons = _verdict(sentence, unit, near.cosine)
    return Support(passage=index, span=unit.span, verdict=verdict, reasons=reasons, score=near.cosine)


def _verdict(sentence: str, unit: Unit, cosine: float) -> tuple[Verdict, tuple[Reason, ...]]:
    found = align(sentence, [Source(text=unit.text, passage=unit.span)])
    wrong = tuple(d.reason for d in found.differences if d.certain and d.reason.aspect in _VALUES)
    if wrong:
        return Verdict.UNSUPPORTED, wrong
    said = line(sentence)
    values = [fact for fact in said.facts if not isinstance(fact.value, Name)]
    if values and cosine >= _SURE and _one_stance(said, unit.line):
        return Verdict.SUPPORTED, ()
    return Verdict.PARTLY, (Reason(aspect=Aspect.MEANING),)


def _one_stance(left: Line, right: Line) -> bool:
    """Whether both deny or both affirm, and no bound of one is turned round in the other."""
    denials = [sum(mark.mark in (Mark.DENY, Mark.EXEMPT) for mark in of.marks) % 2 for of in (left, right)]
    turned = any(opposed(one.mark, other.mark) for one in left.marks for other in right.marks)
    return denials[0] == denials[1] and not turned
