"""Whether cited words carry a sentence, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.span import Span


class Verdict(StrEnum):
    """Whether the cited words carry the sentence."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"


class Aspect(StrEnum):
    """What a sentence and its source differ in. ``reason_<value>`` is its message (core/texts/reasons.py)."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    CONDITION = "condition"
    WORDS = "words"
    MEANING = "meaning"
    UNCITED = "uncited"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One difference: what the sentence says and what stands in the source instead, each as written there.

    ``found`` is empty where the source says nothing of it; both are empty for what a whole sentence lacks.
    """

    aspect: Aspect
    said: str = ""
    found: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceCheck:
    """One sentence of an answer, held against the sources.

    ``span`` is over the answer's text, markers included; ``sentence`` is without them. ``citations`` index
    the answer's citations. ``claim`` is false for words that state nothing (a greeting, a heading, a leader
    of a list): these need no source. ``repaired``: the writer had cited another passage, or none.
    """

    span: Span
    sentence: str
    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    citations: tuple[int, ...] = ()
    claim: bool = True
    repaired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterEvidence:
    """A passage that was found and not cited, or an older version, states something else than the answer.

    ``check`` indexes the answer's checks; ``span`` is over the text of ``version_id`` and ``text`` the
    source at it; ``reason`` is what differs. ``passage`` indexes the search's passages, -1 for a version
    that was not searched.
    """

    check: int
    passage: int
    version_id: str
    doc: str
    span: Span
    text: str
    reason: Reason
