"""How answers are checked, and how long they are kept."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class AnswerSettings(BaseModel):
    """Answers: what becomes of sentences that no source carries, and of the answers themselves."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: Literal["", "extractive", "llm", "step-by-step"] = Field(
        "",
        description="How to answer: extractive (the source's own words), llm (the chat model writes), step-by-step (it "
        "weighs passage by passage); empty: llm when a chat model is set, else extractive.",
    )
    strict: bool = Field(
        False, description="Remove sentences that no source carries; otherwise they stay and are marked."
    )
    judge: bool = Field(
        False, description="Ask the chat model about sentences that are partly carried: one small call each."
    )
    store: bool = Field(
        True,
        description="Keep a record of each answer, which its link shows again: places, not words, of documents.",
    )
    keep_days: int = Field(
        0, ge=0, le=36500, description="Days until a record is deleted; 0: kept until somebody deletes it."
    )
    max_verified_chars: int = Field(
        50_000,
        ge=1,
        le=1_000_000,
        description="Longest text that is checked sentence by sentence, in characters.",
    )
