"""How much of the evidence the first passages hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

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
    held = [any(_holds(first, piece, case.evidence_mode) for piece in group) for group in _groups(case)]
    return sum(held) / len(held)


def reciprocal_rank(case: GoldCase, passages: Sequence[Retrieved]) -> float:
    """1 / rank of the first passage that touches any piece of the evidence; 0 when none does.

    Source: Voorhees, "The TREC-8 Question Answering Track Report", 1999.
    """
    for rank, passage in enumerate(passages, start=1):
        if any(_touches(passage, piece) for piece in case.evidence):
            return 1 / rank
    return 0.0


def precision_at(case: GoldCase, passages: Sequence[Retrieved], k: int) -> float:
    """Share (0..1) of the first ``k`` places that a passage takes which touches the evidence; an empty place is
    none. Source: Buckley and Voorhees, "Evaluating Evaluation Measure Stability", 2000."""
    return sum(any(_touches(passage, piece) for piece in case.evidence) for passage in passages[:k]) / k


def f1_at(case: GoldCase, passages: Sequence[Retrieved], k: int) -> float:
    """Harmonic mean (0..1) of ``precision_at`` and ``evidence_recall``. Source: van Rijsbergen, "Information
    Retrieval", 1979. Raises ``ValueError`` for a case without evidence."""
    precision, recall = precision_at(case, passages, k), evidence_recall(case, passages, k)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def ndcg_at(case: GoldCase, passages: Sequence[Retrieved], k: int) -> float:
    """How early (0..1) the first ``k`` passages touch what is wanted: 1 when nothing could come earlier.

    Each piece (in mode "any" each group) counts once, at the first passage that touches it, by 1 / log2(1 + rank).
    The best order has one passage for each document, those with most pieces first. Sources: Jarvelin and
    Kekalainen, "Cumulated Gain-based Evaluation", 2002; counting once: Clarke et al., "Novelty and
    Diversity in Information Retrieval Evaluation", 2008. Raises ``ValueError`` for a case without evidence.
    """
    groups = _groups(case)
    if not groups:
        raise ValueError(f"case {case.id} has no evidence")
    ranks = [_first_touch(passages[:k], group) for group in groups]
    gained = sum(1 / log2(1 + rank) for rank in ranks if rank)
    by_doc = Counter(group[0].doc for group in groups).most_common(k)
    best = sum(pieces / log2(1 + rank) for rank, (_, pieces) in enumerate(by_doc, start=1))
    return min(gained / best, 1.0)


def is_missed(case: GoldCase, passages: Sequence[Retrieved]) -> bool:
    """Whether no passage touches any evidence: the mean is the empty-recall rate. Source: 000, 9.5."""
    return not any(_touches(passage, piece) for passage in passages for piece in case.evidence)


def _first_touch(passages: Sequence[Retrieved], pieces: Sequence[EvidencePiece]) -> int:
    """The rank (from 1) of the first passage that touches one of ``pieces``; 0 for none."""
    ranks = (n for n, passage in enumerate(passages, start=1) if any(_touches(passage, p) for p in pieces))
    return next(ranks, 0)


def _groups(case: GoldCase) -> list[list[EvidencePiece]]:
    """What is wanted: each piece by itself, in mode "any" one of each group."""
    if case.evidence_mode != "any":
        return [[piece] for piece in case.evidence]
    groups: dict[object, list[EvidencePiece]] = {}
    for piece in case.evidence:
        groups.setdefault(piece.group, []).append(piece)
    return list(groups.values())


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
