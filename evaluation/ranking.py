"""How much of the evidence the first passages hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.span import Span, union
from evaluation.gold import EvidencePiece, GoldCase


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """A passage as ``python -m retrieval search`` writes it."""

    doc: str
    span: Span
    pages: tuple[int, ...]


def evidence_recall(case: GoldCase, passages: Sequence[Retrieved], k: int) -> float:
    """Share (0..1) of the evidence pieces that the first ``k`` passages hold in full.

    With ``evidence_mode`` "any", one piece of each group is enough; with "documents", the right document
    is. A piece with a page is held when a passage of its document reaches that page. Raises
    ``ValueError`` for a case without evidence.
    """
    if not case.evidence:
        raise ValueError(f"case {case.id} has no evidence")
    first = passages[:k]
    held = [_holds(first, piece, case.evidence_mode) for piece in case.evidence]
    if case.evidence_mode != "any":
        return sum(held) / len(held)
    groups: dict[object, bool] = {}
    for piece, found in zip(case.evidence, held, strict=True):
        groups[piece.group] = groups.get(piece.group, False) or found
    return sum(groups.values()) / len(groups)


def reciprocal_rank(case: GoldCase, passages: Sequence[Retrieved]) -> float:
    """1 / rank of the first passage that touches any piece of the evidence; 0 when none does.

    Source: Voorhees, "The TREC-8 Question Answering Track Report", 1999.
    """
    for rank, passage in enumerate(passages, start=1):
        if any(_touches(passage, piece) for piece in case.evidence):
            return 1 / rank
    return 0.0


def _holds(passages: Sequence[Retrieved], piece: EvidencePiece, mode: str) -> bool:
    inside = [passage for passage in passages if passage.doc == piece.doc]
    if mode == "documents":
        return bool(inside)
    if piece.start is None or piece.end is None:
        return any(piece.page in passage.pages for passage in inside)
    wanted = Span(piece.start, piece.end)
    # One character may part two passages: the white space between neighbours belongs to none.
    return any(span.contains(wanted) for span in union((p.span for p in inside), gap=2))


def _touches(passage: Retrieved, piece: EvidencePiece) -> bool:
    if passage.doc != piece.doc:
        return False
    if piece.start is None or piece.end is None:
        return piece.page is None or piece.page in passage.pages
    return passage.span.overlaps(Span(piece.start, piece.end))
