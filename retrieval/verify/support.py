"""What a check of one sentence yields."""

from __future__ import annotations

from dataclasses import dataclass

from core.span import Span
from core.verdict import Reason, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What one passage says of a sentence. ``passage`` indexes the evidence.

    ``span`` and ``strong`` are over the document's text, inside the passage; ``strong`` are the words that
    carry the sentence, in order, and empty where the alignment is weak. ``score`` (0..1) is the share of the
    sentence's content that stands there.
    """

    passage: int
    span: Span
    verdict: Verdict
    strong: tuple[Span, ...] = ()
    reasons: tuple[Reason, ...] = ()
    score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A sentence held against its citations together.

    ``supports`` are the citations it ends up with, in order: those given, or others when it was ``repaired``.
    ``source`` is the source's text that was laid beside it.
    """

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    supports: tuple[Support, ...] = ()
    claim: bool = True
    repaired: bool = False
    source: str = ""
