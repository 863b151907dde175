"""What the API answers, as its description for programs tells it: the shapes of ``retrieval.results``."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

_Verdict = Literal["supported", "partly", "unsupported"]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PassageReply(_Reply):
    doc: str = Field(description="path of the document, relative to the folder it was added from")
    start: int = Field(description="code points into the document's text")
    end: int
    text: str = Field(description="the document's text from start to end, to the character")
    pages: list[int] = Field(description="from 1; empty where a format has no pages")
    section_path: list[str]
    score: float


class HitReply(_Reply):
    chunk: str
    rank: int
    score: float


class StepReply(BaseModel):
    """One stage of the search; counts of its own stand beside these."""

    model_config = ConfigDict(extra="allow")

    step: str
    latency_ms: float
    note: str
    hits: list[HitReply]
    dropped: dict[str, str]


class SearchReply(_Reply):
    question: str
    searched: str = Field(description="the question that stands alone, as it was searched")
    route: Literal["confident", "doubtful", "weak"]
    probability: float | None = Field(description="that the evidence answers the question")
    passages: list[PassageReply]
    trace: list[StepReply]
    latency_ms: float


class ReasonReply(_Reply):
    aspect: str = Field(description="number, unit, date, name, negation, condition, words, ...")
    said: str
    found: str


class CitationReply(_Reply):
    n: int
    doc: str
    start: int
    end: int
    text: str
    pages: list[int]
    verdict: _Verdict
    score: float = Field(description="how much of the sentence is carried, 0 to 1")
    strong: list[tuple[int, int]] = Field(description="the words that carry it, in the document's text")
    reasons: list[ReasonReply]


class CheckReply(_Reply):
    start: int = Field(description="code points into the answer")
    end: int
    sentence: str
    claim: bool = Field(description="false for words that state nothing")
    verdict: _Verdict
    repaired: bool = Field(description="the model had cited another passage, or none")
    reasons: list[ReasonReply]
    citations: list[int] = Field(description="indexes of the answer's citations")


class CounterReply(_Reply):
    check: int
    passage: int = Field(description="-1: an older version, which was not searched")
    doc: str
    start: int
    end: int
    text: str
    reason: ReasonReply


class UsageReply(_Reply):
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    calls: int
    estimated: bool
    price: float | None
    currency: str | None


class AnswerReply(_Reply):
    answer_id: str | None = Field(description="opens the answer again at /answers/ID")
    question: str
    answer: str
    answered: bool = Field(description="false for a refusal: the documents do not tell")
    complete: bool
    route: Literal["confident", "doubtful", "weak"]
    method: str
    notes: list[str]
    citations: list[CitationReply]
    checks: list[CheckReply]
    counter: list[CounterReply]
    passages: list[PassageReply]
    left_out: int = Field(description="passages that did not fit and were not read")
    read: dict[str, Any] | None = Field(description="how much of a document was read, where all of it was")
    usage: UsageReply | None
    latency_ms: float


class Refusal(_Reply):
    code: str
    message: str = Field(description="in the language of Accept-Language, zh or en")


REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Refusal, "description": said}
    for status, said in (
        (401, "no log-in and no key"),
        (413, "too long"),
        (415, "no JSON"),
        (422, "a shape, question or filter that cannot be taken"),
        (429, "too often; Retry-After says when to come again"),
        (503, "all seats are taken; Retry-After"),
    )
}
