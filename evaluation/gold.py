"""Gold questions, one JSON object a line, in the format of the shared data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

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


def read_checked_gold(
    path: Path, texts: Mapping[str, str], is_known: Callable[[GoldCase], bool] = lambda case: False
) -> list[GoldCase]:
    """All cases, each held against ``texts``, our parsed documents by name. The evidence of one that
    ``is_known`` to have been right is not looked at: what is wrong with it now is the parser's doing.

    Raises ``FileMissingError``, and ``SettingsError`` with the number of the first line that is wrong: an id
    that was there before, a type that does not fit its evidence, words that are not where the line has them.
    """
    seen: set[str] = set()

    def checked(row: Any) -> GoldCase:
        case = GoldCase.model_validate(row)
        fault = _fault_of_case(case) or ("" if is_known(case) else evidence_fault(case, texts))
        if case.id in seen:
            fault = "this id was there before"
        seen.add(case.id)
        if fault:
            raise ValueError(f"{case.id}: {fault}")
        return case

    return read_json_lines(path, "--gold", checked)


def evidence_fault(case: GoldCase, texts: Mapping[str, str]) -> str:
    """What is wrong with the first piece of evidence that is not an exact span of its document; else ""."""
    faults = (_fault_of_piece(piece, case.evidence_mode, texts) for piece in case.evidence)
    return next(filter(None, faults), "")


def _fault_of_case(case: GoldCase) -> str:
    if not case.question.strip():
        return "there is no question"
    if case.type == "noanswer":
        return "a question without an answer cannot have evidence" if case.evidence else ""
    return "" if case.evidence else "there is no evidence; what has none is of the type noanswer"


def _fault_of_piece(piece: EvidencePiece, mode: str, texts: Mapping[str, str]) -> str:
    if piece.doc not in texts:
        return f"there is no document {piece.doc!r}"
    if mode == "documents":
        return ""
    text, parts = texts[piece.doc], [piece.text] if isinstance(piece.text, str) else piece.text
    lost = next((part for part in parts if not part or part not in text), None)
    if lost is not None or not parts:
        return f"{piece.doc} does not hold {lost!r}" if lost else "a piece of evidence has no text"
    if piece.start is None or piece.end is None:
        single = piece.page is not None or text.count(parts[0]) == 1
        return "" if single else f"{piece.doc} holds {parts[0]!r} several times: give start and end"
    if text[piece.start : piece.end] != piece.text:
        at = text.find(parts[0])
        return f"{parts[0]!r} stands at {at} of {piece.doc}, not from {piece.start} to {piece.end}"
    return ""
