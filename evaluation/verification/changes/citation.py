"""A true sentence with a passage of the same document that does not hold it."""

from __future__ import annotations

from itertools import zip_longest

from core.hashing import stable_id
from core.span import Span
from evaluation.verification.case import Claim
from evaluation.verification.claims import around
from ingest.indexes.analyzer import analyze
from ingest.sentences import sentences

# A passage with more of the sentence's words might say the same in other words.
_MOST_WORDS = 0.6
_LOOKED_AT = 12


def neighbour(claim: Claim, text: str) -> Span | None:
    """The nearest passage that shares no character with the right one and lacks the sentence's words."""
    wanted = set(analyze(claim.sentence))
    units = sentences(text)
    sides = (
        [at for at, unit in enumerate(units) if unit.start >= claim.passage.end],
        [at for at, unit in enumerate(units) if unit.end <= claim.passage.start][::-1],
    )
    pairs = zip_longest(*(side[:_LOOKED_AT] for side in sides))
    for at in (at for pair in pairs for at in pair if at is not None):
        span = around(units, (at, at), stable_id("neighbour", claim.key, at))
        if span.overlaps(claim.passage) or len(span) < len(claim.sentence):
            continue
        if len(wanted & set(analyze(span.of(text)))) <= _MOST_WORDS * len(wanted):
            return span
    return None
