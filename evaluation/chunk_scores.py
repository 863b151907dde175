"""The figures of one chunking: of the chunks themselves, and of each question asked to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np
import numpy.typing as npt

from core.protocols import Vectors
from core.span import Span, union
from evaluation.chunk_metrics import Coverage, coverage
from evaluation.chunk_set import Question
from evaluation.passage import Passage, Place
from evaluation.ranking import Retrieved, evidence_recall
from evaluation.span_metrics import chroma_precision_omega, chroma_score, span_score, within_budget

# Tokens returned; the published rows of Chroma's benchmark return five chunks.
BUDGETS: Final = (800, 1600, 2400)
CHROMA_CHUNKS: Final = 5
FAILURE_BUDGET: Final = 1600

_NAMES: Final = {
    Coverage.WHOLE: "complete",
    Coverage.JOINED: "adjacent",
    Coverage.TRUNCATED: "truncated",
}

Order = npt.NDArray[np.int64]
Scores = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A piece of evidence that was not returned within ``FAILURE_BUDGET`` tokens, and whose fault it is.

    ``rank`` (from 1) is that of the passage that holds it best, ``share`` how much of it (0..1).
    """

    question: Question
    piece: Place
    stage: str
    rank: int
    share: float
    best: Passage | None
    first: Passage | None


def orders(questions: Vectors, chunks: Vectors) -> list[Order]:
    """Places of the chunks for each question, nearest first, ties in the order of the text."""
    return [np.argsort(-(chunks @ question), kind="stable") for question in questions]


def chunk_scores(question: Question, of_doc: Mapping[str, Sequence[Passage]]) -> Scores:
    """Shares of the evidence that are whole, joined and truncated; they add up to 1.

    For each piece by itself, and under ``case_`` for all that one document has to say to the question:
    "definition + condition + exception" are whole only in a chunk that holds them all (000, 9.3).
    """
    return _shares("", question.places, of_doc) | _shares("case_", _cases(question), of_doc)


def _shares(prefix: str, places: Sequence[Place], of_doc: Mapping[str, Sequence[Passage]]) -> Scores:
    found = Counter(coverage(of_doc.get(place.doc, ()), place.span) for place in places)
    return {prefix + _NAMES[kind]: found[kind] / len(places) for kind in Coverage}


def _cases(question: Question) -> list[Place]:
    """The evidence of each document from its first to its last character, where all of it is wanted."""
    if question.case.evidence_mode != "all":
        return list(question.places)
    hulls: dict[str, Span] = {}
    for place in question.places:
        hulls[place.doc] = hulls.get(place.doc, place.span).hull(place.span)
    return [Place(doc, span) for doc, span in hulls.items()]


def search_scores(question: Question, passages: Sequence[Passage], order: Order) -> Scores:
    """Evidence recall, whether all of it is there, and the fit of characters, for each budget."""
    scores: Scores = {}
    for budget in BUDGETS:
        returned = within_budget(_ranked(passages, order), budget)
        fit = span_score(returned, question.places)
        recall = _recall(question, returned)
        scores |= {
            f"recall@{budget}": recall,
            f"whole@{budget}": float(recall == 1),
            f"precision@{budget}": fit.precision,
            f"char_recall@{budget}": fit.recall,
            f"iou@{budget}": fit.iou,
        }
    return scores


def chroma_scores(
    question: Question,
    passages: Sequence[Passage],
    of_doc: Mapping[str, Sequence[Passage]],
    order: Order,
) -> Scores:
    """Their four metrics with their number of chunks."""
    gold = [
        Place(piece.doc, _span(piece.start, piece.end, place))
        for piece, place in zip(question.case.evidence, question.places, strict=True)
    ]
    first = [passages[place].place for place in order[:CHROMA_CHUNKS]]
    fit = chroma_score(first, gold)
    near = [passage.place for doc in {place.doc for place in gold} for passage in of_doc.get(doc, ())]
    return {
        "chroma_recall": fit.recall,
        "chroma_precision": fit.precision,
        "chroma_omega": chroma_precision_omega(near, gold),
        "chroma_iou": fit.iou,
    }


def failures(
    question: Question,
    passages: Sequence[Passage],
    of_doc: Mapping[str, Sequence[Passage]],
    order: Order,
) -> Iterator[Failure]:
    """The pieces of evidence that the budget did not bring.

    Stages: "chunking" (truncated), "overlap" (only two neighbours together hold it), "embedding" (a
    passage holds it and came too late).
    """
    returned = within_budget(_ranked(passages, order), FAILURE_BUDGET)
    stages = {Coverage.WHOLE: "embedding", Coverage.JOINED: "overlap", Coverage.TRUNCATED: "chunking"}
    for piece in question.places:
        if _is_held(piece, returned):
            continue
        near = of_doc.get(piece.doc, ())
        best = max(near, key=lambda passage: _share(passage, piece), default=None)
        yield Failure(
            question=question,
            piece=piece,
            stage=stages[coverage(near, piece.span)],
            rank=_rank(passages, order, best) if best else 0,
            share=_share(best, piece) if best else 0.0,
            best=best,
            first=passages[int(order[0])] if len(order) else None,
        )


def means(scores: Sequence[Scores]) -> Scores:
    """The mean of each figure over the questions."""
    return {name: fmean(row[name] for row in scores) for name in scores[0]} if scores else {}


def _ranked(passages: Sequence[Passage], order: Order) -> Iterator[Passage]:
    return (passages[place] for place in order)


def _recall(question: Question, returned: Sequence[Place]) -> float:
    found = [Retrieved(doc=place.doc, span=place.span, pages=()) for place in returned]
    pieces = [
        piece.model_copy(update={"start": place.span.start, "end": place.span.end})
        for piece, place in zip(question.case.evidence, question.places, strict=True)
    ]
    case = question.case.model_copy(update={"evidence": tuple(pieces)})
    return evidence_recall(case, found, len(found))


def _is_held(piece: Place, returned: Sequence[Place]) -> bool:
    spans = union((place.span for place in returned if place.doc == piece.doc), gap=2)
    return any(span.contains(piece.span) for span in spans)


def _rank(passages: Sequence[Passage], order: Order, wanted: Passage) -> int:
    return next(rank for rank, place in enumerate(order.tolist(), start=1) if passages[place] is wanted)


def _share(passage: Passage, piece: Place) -> float:
    shared = passage.place.span.intersection(piece.span)
    return len(shared) / len(piece.span) if shared else 0.0


def _span(start: int | None, end: int | None, place: Place) -> Span:
    """As the gold has it, white space included: their figures count it."""
    return place.span if start is None or end is None else Span(start, end)
