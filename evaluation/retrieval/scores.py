"""The figures of one question, and where the evidence that is missing was lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.document import pages_of
from core.span import Span
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Place
from evaluation.ranking import (
    Retrieved,
    evidence_recall,
    f1_at,
    is_missed,
    ndcg_at,
    precision_at,
    reciprocal_rank,
)
from evaluation.retrieval.questions import Question, StoredText
from evaluation.span_metrics import span_score

Scores = dict[str, float]
Texts = Mapping[str, StoredText]

STAGES = ("budget", "part", "depth", "candidates")
# Parts of the budget, in per cent, that recall is told for, too.
SHARES: Final = (25, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A piece of evidence (in mode "any": a group's first) that was not returned within the budget.

    ``stage``: "budget" (a passage held it, behind the budget's end), "part" (a passage holds some of it),
    "depth" (found only further down; ``rank`` says where), "candidates" (not found at all).
    """

    question: Question
    piece: EvidencePiece
    stage: str
    rank: int
    first: Place | None


def retrieved(places: Sequence[Place], texts: Texts) -> list[Retrieved]:
    """The places with their pages."""
    return [
        Retrieved(doc=place.doc, span=place.span, pages=pages_of(texts[place.doc].lines, place.span))
        for place in places
    ]


def cut(places: Sequence[Place], budget: int) -> list[Place]:
    """The first places of ``budget`` characters together; the last one keeps its beginning. What is
    returned twice is paid for twice."""
    kept: list[Place] = []
    for place in places:
        if budget <= 0:
            break
        span = place.span
        kept.append(Place(place.doc, Span(span.start, min(span.end, span.start + budget))))
        budget -= len(span)
    return kept


def scores_of(question: Question, places: Sequence[Place], texts: Texts) -> Scores:
    """Each 0..1 but ``chars``, the characters within the budget, and those that begin so.

    ``hit@1``: the first passage holds a piece of evidence in full (touches it: ``touch@1``). The other figures
    at 5, ``mrr`` and ``empty`` (none touches it) are of whole passages, ``recall``, ``whole`` and ``iou`` of
    what the budget leaves of them, ``recall@25%`` and ``recall@50%`` of what that share of it would leave.
    No ``whole`` where not every piece is wanted, no ``iou`` without offsets.
    """
    case, found = question.case, retrieved(places, texts)
    within = cut(places, question.budget)
    recall = evidence_recall(case, retrieved(within, texts), len(within))
    scores = {
        "hit@1": float(evidence_recall(_ungrouped(case), found, 1) > 0),
        "touch@1": float(reciprocal_rank(case, found[:1]) > 0),
        "recall@5": evidence_recall(case, found, 5),
        "precision@5": precision_at(case, found, 5),
        "f1@5": f1_at(case, found, 5),
        "ndcg@5": ndcg_at(case, found, 5),
        "mrr": reciprocal_rank(case, found),
        "empty": float(is_missed(case, found)),
        "recall": recall,
        "chars": float(sum(len(place.span) for place in within)),
    }
    for share in SHARES:
        less = cut(places, question.budget * share // 100)
        scores[f"recall@{share}%"] = evidence_recall(case, retrieved(less, texts), len(less))
        scores[f"chars@{share}%"] = float(sum(len(place.span) for place in less))
    if case.evidence_mode != "relevant":
        scores["whole"] = float(recall == 1)
    gold = _gold(case, within)
    if gold:
        scores["iou"] = span_score(within, gold).iou
    return scores


def losses_of(
    question: Question, places: Sequence[Place], deeper: Sequence[Place], texts: Texts
) -> Iterator[Loss]:
    """What is missing within the budget; ``deeper`` as the system's ``deeper``."""
    within = retrieved(cut(places, question.budget), texts)
    found, below = retrieved(places, texts), retrieved(deeper, texts)
    for wanted in _wanted(question.case):
        if evidence_recall(wanted, within, len(within)) == 1:
            continue
        rank = next((n for n in range(1, len(below) + 1) if evidence_recall(wanted, below, n) == 1), 0)
        if evidence_recall(wanted, found, len(found)) == 1:
            stage = "budget"
        elif reciprocal_rank(wanted, found):
            stage = "part"
        else:
            stage = "depth" if reciprocal_rank(wanted, below) else "candidates"
        first = places[0] if places else None
        yield Loss(question=question, piece=wanted.evidence[0], stage=stage, rank=rank, first=first)


def _ungrouped(case: GoldCase) -> GoldCase:
    """One piece is a hit, whatever its group."""
    pieces = tuple(piece.model_copy(update={"group": None}) for piece in case.evidence)
    return case.model_copy(update={"evidence": pieces})


def _wanted(case: GoldCase) -> list[GoldCase]:
    """The case for each piece by itself, or in mode "any" for each group."""
    if case.evidence_mode != "any":
        groups = [[piece] for piece in case.evidence]
    else:
        by_group: dict[object, list[EvidencePiece]] = {}
        for piece in case.evidence:
            by_group.setdefault(piece.group, []).append(piece)
        groups = list(by_group.values())
    return [case.model_copy(update={"evidence": tuple(group)}) for group in groups]


def _gold(case: GoldCase, within: Sequence[Place]) -> list[Place]:
    """The characters that are wanted: in mode "any" the piece of each group that is found best."""
    chosen: list[Place] = []
    for wanted in _wanted(case):
        pieces = [
            Place(piece.doc, Span(piece.start, piece.end))
            for piece in wanted.evidence
            if piece.start is not None and piece.end is not None
        ]
        if pieces:
            chosen.append(max(pieces, key=lambda piece: span_score(within, [piece]).recall))
    return chosen
