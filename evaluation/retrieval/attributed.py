"""Which stage lost what of a question's evidence, for searches and answers over the base of a set."""

from __future__ import annotations

from dataclasses import replace

from core.answer import Answer, SearchResult
from evaluation.attribution.failures import losses_of
from evaluation.attribution.loss import Loss
from evaluation.attribution.searching import search_losses
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.retrieval.base import Base
from evaluation.retrieval.questions import Question


def lost_in_search(question: Question, result: SearchResult, base: Base) -> Loss | None:
    """The first loss; ``None`` when all is returned, and where the gold knows no offsets."""
    case = _placed(question.case, base)
    if case is None or not case.evidence:
        return None
    return next(search_losses(case, _keyed(result, base), base.stored), None)


def lost_in_answer(question: Question, answer: Answer, base: Base) -> Loss | None:
    """As ``lost_in_search``, to the citation; for what should have been refused, that it was not."""
    case = _placed(question.case, base)
    if case is None:
        return None
    keyed = replace(answer, search=_keyed(answer.search, base))
    return next(iter(losses_of(case, keyed, base.stored)), None)


def _keyed(result: SearchResult, base: Base) -> SearchResult:
    """Documents by key, as questions name them."""
    passages = tuple(replace(one, doc=base.keys[one.document_id]) for one in result.passages)
    return replace(result, passages=passages)


def _placed(case: GoldCase, base: Base) -> GoldCase | None:
    """The case with the words at its offsets, which may be a little less than the gold quotes."""
    pieces: list[EvidencePiece] = []
    for piece in case.evidence:
        if piece.start is None or piece.end is None:
            return None
        words = base.texts[piece.doc].text[piece.start : piece.end]
        pieces.append(piece.model_copy(update={"text": words}))
    return case.model_copy(update={"evidence": tuple(pieces)})
