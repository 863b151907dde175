"""What people said of answers in the chat, as drafts of gold questions.

The chat appends a JSON object a line to the files under ``YOUJU_HOME/feedback``: ``Feedback`` on answers,
``Mark`` on citations. The last line about the same thing holds, and may take back what was said.
"""

from __future__ import annotations

import json
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


class Mark(BaseModel):
    """One word on one citation: whether it carries ``sentence``. ``verdict`` is what the program had said."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    question: str
    sentence: str
    verdict: str
    right: bool | None
    passages: tuple[FeedbackPassage, ...] = ()
    at: str = ""


def is_feedback(row: dict[str, Any]) -> bool:
    """Whether a line of a file is feedback rather than a draft."""
    return "verdict" in row


def subject_of(row: dict[str, Any]) -> str:
    """What a line of feedback is about, for lines of the same answer or citation to replace each other."""
    about = [row.get(name) for name in ("answer_id", "n", "sentence", "start")]
    return json.dumps(about) if about[0] else stable_id(json.dumps(row, sort_keys=True))


def drafts_of_feedback(row: dict[str, Any]) -> list[Draft]:
    """The draft of a line; none when it takes back what was said, or calls a citation right.

    Raises ``ValueError`` for a line that has not the form.
    """
    if "right" in row:
        mark = Mark.model_validate(row)
        return [_draft_of_mark(mark)] if mark.right is False else []
    return [] if row["verdict"] == "none" else [draft_of_feedback(row)]


def _draft_of_mark(mark: Mark) -> Draft:
    """What is right, and which words carry it, its reviewer says."""
    case = GoldCase(
        id=f"citation-{stable_id(mark.question, mark.sentence, mark.at)[:10]}",
        question=mark.question,
        lang=language_of(mark.question),
    )
    contexts = tuple(Context(doc=p.doc, start=p.start, text=p.text) for p in mark.passages)
    remark = f"wrong citation ({mark.verdict}): {mark.sentence}"
    return Draft(case=case, source="citation", contexts=contexts, remark=remark)


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
