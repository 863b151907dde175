"""What retrieval yields: hits, passages, citations and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.read_share import ReadShare
from core.span import Span
from core.verdict import CounterEvidence, Reason, SentenceCheck, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A child chunk found by one stage. ``rank`` starts at 1; ``score`` is on the scale of ``source``."""

    chunk_id: str
    score: float
    rank: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A run of source text inside one section, as it is given to the model.

    ``text`` is the source's text at ``span``, to the character. ``chunk_ids`` are the children that led
    to it, best first; ``score`` is that of the best one. ``pages`` are 1-based.
    """

    document_id: str
    version_id: str
    doc: str
    title: str
    section_path: tuple[str, ...]
    span: Span
    text: str
    pages: tuple[int, ...]
    score: float
    chunk_ids: tuple[str, ...]
    token_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The exact words of the source behind one sentence of an answer.

    ``n`` is the number shown, ``passage`` indexes the evidence (from 0), ``span`` lies inside that
    passage and ``text`` is the source at ``span``. ``sentence`` is the answer's sentence it belongs to.
    ``strong`` are the words inside ``span`` that carry it, in order; empty when none could be pointed at.
    ``reasons`` say why the verdict is not ``supported``; ``score`` (0..1) is how much of the sentence is carried.
    """

    n: int
    passage: int
    span: Span
    text: str
    pages: tuple[int, ...]
    sentence: str
    verdict: Verdict
    strong: tuple[Span, ...] = ()
    reasons: tuple[Reason, ...] = ()
    score: float = 1.0


class Route(StrEnum):
    """How sure retrieval is that the evidence answers the question."""

    CONFIDENT = "confident"
    DOUBTFUL = "doubtful"
    WEAK = "weak"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """What one stage did: what it counted, a word about it, and its wall time in ms.

    ``hits`` are what it passed on, best first, ``dropped`` the chunks it took out, each with the reason.
    """

    name: str
    latency_ms: float
    counts: tuple[tuple[str, int], ...] = ()
    note: str = ""
    hits: tuple[Hit, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The evidence for a question, best first, within the token budget.

    ``searched`` is the standalone question that was really searched. ``probability`` (0..1) is that of the
    first passages answering it; ``None`` where the embedding model's scores were never calibrated for it.
    """

    question: str
    searched: str
    passages: tuple[Passage, ...]
    route: Route
    trace: tuple[TraceStep, ...]
    latency_ms: float
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one or more calls of a chat model took.

    ``cached_tokens`` are those of the prompt that the provider had kept and charges less for.
    ``estimated`` is true when a server reported nothing and characters were counted instead. ``price`` is
    in ``currency`` (ISO 4217, or what the settings say); ``None`` when it is not known.
    """

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    calls: int = 1
    estimated: bool = False
    price: float | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A cited answer, or a refusal (``answered`` is false and ``citations`` empty).

    ``notes`` name messages about what fell back or went wrong on the way; ``method`` is the answerer's
    registry name. ``left_out`` counts the last passages of ``search`` that did not fit into the chat
    model's window and were not given to it. ``usage`` is ``None`` when no chat model was called. ``read`` is there when
    a whole document or section was read instead of the passages of a search. ``checks`` has every sentence of
    ``text`` in order, ``counter`` what speaks against it; ``removed`` counts the sentences that strict checking
    took out. ``complete`` is false for what the model had written
    when it broke off. ``model`` and ``prompt_version`` are empty when no chat model wrote. ``id`` is that of the
    stored record, empty when none was stored.
    """

    text: str
    answered: bool
    citations: tuple[Citation, ...]
    search: SearchResult
    method: str
    notes: tuple[str, ...]
    latency_ms: float
    left_out: int = 0
    usage: Usage | None = None
    read: ReadShare | None = None
    checks: tuple[SentenceCheck, ...] = ()
    counter: tuple[CounterEvidence, ...] = ()
    removed: int = 0
    complete: bool = True
    model: str = ""
    prompt_version: str = ""
    id: str = ""
