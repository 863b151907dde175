"""Gold questions, one JSON object a line, in the format of the shared data sets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import FileMissingError, SettingsError


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
    answer: str | list[str] = ""
    evidence: tuple[EvidencePiece, ...] = ()
    evidence_mode: Literal["all", "any", "relevant", "documents"] = "all"


def read_gold(path: Path) -> list[GoldCase]:
    """All cases. Raises ``FileMissingError`` and ``SettingsError`` with the number of a wrong line."""
    if not path.is_file():
        raise FileMissingError(name=str(path))
    return list(_cases(path))


def _cases(path: Path) -> Iterator[GoldCase]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield GoldCase.model_validate(json.loads(line))
        except (ValueError, ValidationError) as exc:
            raise SettingsError(name="--gold", reason=f"line {number}: {exc}") from exc
