"""A drafted case with what its reviewer must see, and the file of such cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from core.document import Document
from core.hashing import stable_id
from core.span import Span
from core.store.blobs import write_durably
from evaluation.gold import EvidencePiece, GoldCase

Kind = Literal["fact", "summary", "multihop", "noanswer"]

# Characters of the document that are shown on each side of the evidence, and the most of one stretch.
_AROUND: Final = 160
_LONGEST: Final = 2400


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A question about one document; ``spans`` over its text carry the answer. ``source`` is what made it."""

    question: str
    answer: str
    spans: tuple[Span, ...]
    source: str
    kind: Kind = "fact"


class Context(BaseModel):
    """A stretch of a document, from the character ``start`` on: evidence is chosen from it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    doc: str
    start: int
    text: str


class Draft(BaseModel):
    """A case before its review. ``remark`` is for the reviewer: what a person said of the answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    case: GoldCase
    source: str
    contexts: tuple[Context, ...] = ()
    remark: str = ""


def draft_of(proposal: Proposal, doc: str, document: Document) -> Draft:
    """The proposal as a case in the shared format."""
    pieces = [
        EvidencePiece(doc=doc, text=span.of(document.text), start=span.start, end=span.end)
        for span in proposal.spans
    ]
    case = GoldCase(
        id=f"{proposal.source}-{stable_id(doc, proposal.question, *proposal.spans)[:10]}",
        question=proposal.question,
        answer=proposal.answer,
        lang=document.language,
        type=proposal.kind,
        evidence=tuple(pieces),
    )
    contexts = tuple(_contexts(doc, document.text, proposal.spans))
    return Draft(case=case, source=proposal.source, contexts=contexts)


def _contexts(doc: str, text: str, spans: Sequence[Span]) -> list[Context]:
    """One stretch for all of the evidence, or one for each piece where they stand far apart."""
    if not spans:
        return []
    hull = Span(min(span.start for span in spans), max(span.end for span in spans))
    stretches = [hull] if len(hull) <= _LONGEST else list(spans)
    found: list[Context] = []
    for span in stretches:
        start, end = max(span.start - _AROUND, 0), min(span.end + _AROUND, len(text))
        found.append(Context(doc=doc, start=start, text=text[start:end]))
    return found


def write_drafts(path: Path, drafts: Iterable[Draft]) -> None:
    """A line each: the case as gold, with ``draft`` beside it, which readers of gold pass over.

    Raises ``OSError``.
    """
    write_durably(path, "".join(json.dumps(row_of(d), ensure_ascii=False) + "\n" for d in drafts).encode())


def row_of(draft: Draft) -> dict[str, Any]:
    """The line of a draft, as JSON."""
    beside = draft.model_dump(exclude={"case"}, exclude_defaults=True)
    return gold_row(draft.case) | {"draft": beside}


def gold_row(case: GoldCase) -> dict[str, Any]:
    """A case as JSON in the shared format, without what is as by default."""
    kept = case.model_dump(exclude_defaults=True)
    return {"id": case.id, "question": case.question, "answer": case.answer, "type": case.type} | kept


def draft_from(row: dict[str, Any]) -> Draft:
    """The draft in a line. Raises ``ValueError`` and ``KeyError`` for a line that is none."""
    return Draft(case=GoldCase.model_validate(row), **row["draft"])
