"""Gold questions, one JSON object a line, in the format of the shared data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.json_lines import read_json_lines


class EvidencePiece(BaseModel):
    """Where one piece of the evidence stands: offsets in text files, a 1-based page in PDFs."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    doc: str
    text: str | list[str] = ""
    start: int | None = None
    end: int | None = None
    page: int | None = None
    group: str | int | None = None


class GoldCase(BaseModel):
    """One question. ``noanswer`` has no evidence. Data sets may carry further fields of their own."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    question: str
    type: Literal["fact", "summary", "multihop", "noanswer"] = "fact"
    lang: str = ""
    # Parts that must all be met; an inner list holds alternatives.
    answer: str | list[str | list[str]] = ""
    evidence: tuple[EvidencePiece, ...] = ()
    evidence_mode: Literal["all", "any", "relevant", "documents"] = "all"


def read_gold(path: Path) -> list[GoldCase]:
    """All cases. Raises ``FileMissingError`` and ``SettingsError`` with the number of a wrong line."""
    return read_json_lines(path, "--gold", GoldCase.model_validate)
