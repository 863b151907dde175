"""What people said of answers in the chat, as drafts of gold questions.

The chat appends a JSON object a line to a file under ``YOUJU_HOME/feedback``; ``Feedback`` is its form.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.hashing import stable_id
from core.language import language_of
from evaluation.drafting.draft import Context, Draft
from evaluation.gold import EvidencePiece, GoldCase


class FeedbackPassage(BaseModel):
    """A passage that the answer was given; ``cited`` when it cites it. ``text`` is the document's text from
    ``start`` to ``end``."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    doc: str
    start: int
    end: int
    text: str
    cited: bool = False


class Feedback(BaseModel):
    """One word on one answer. ``at`` is a time in ISO 8601, to tell two of the same question apart."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    question: str
    answer: str
    verdict: Literal["good", "bad"]
    comment: str = ""
    passages: tuple[FeedbackPassage, ...] = ()
    at: str = ""


def is_feedback(row: dict[str, Any]) -> bool:
    """Whether a line of a file is feedback rather than a draft."""
    return "verdict" in row


def draft_of_feedback(row: dict[str, Any]) -> Draft:
    """A good answer with the cited passages as its evidence; for a bad one the reviewer says what is right.

    Raises ``ValueError`` for a line that has not the form.
    """
    said = Feedback.model_validate(row)
    cited = [passage for passage in said.passages if passage.cited] if said.verdict == "good" else []
    case = GoldCase(
        id=f"feedback-{stable_id(said.question, said.answer, said.at)[:10]}",
        question=said.question,
        answer=said.answer if said.verdict == "good" else "",
        lang=language_of(said.question),
        evidence=tuple(
            EvidencePiece(doc=p.doc, text=p.text, start=p.start, end=p.end) for p in cited
        ),
    )  # fmt: skip
    contexts = tuple(Context(doc=p.doc, start=p.start, text=p.text) for p in said.passages)
    remark = "\n".join(filter(None, (f"{said.verdict}: {said.comment}".rstrip(": "), said.answer)))
    return Draft(case=case, source="feedback", contexts=contexts, remark=remark)
