"""The figures that the gate watches, of each case: chunks, search, citations, refusals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from core.answer import Answer, SearchResult
from evaluation.attribution.answering import citation_precision, citation_recall
from evaluation.attribution.chunking import chunk_losses
from evaluation.attribution.failures import losses_of, parser_loss
from evaluation.attribution.loss import Loss, Stored, wanted
from evaluation.attribution.searching import is_returned, search_losses
from evaluation.chunk_scores import Scores, chunk_scores
from evaluation.chunk_set import Question
from evaluation.gate.corpus import Corpus, Tick
from evaluation.gold import GoldCase, evidence_fault
from retrieval.options import AskOptions

# Of a small base the first passages tell more than the usual five, which hold everything.
K: Final = 3
# Figure -> whether more is better. Each is 0..1.
FIGURES: Final = {
    "truncated": False,
    "complete": True,
    f"recall@{K}": True,
    "whole": True,
    "citation_precision": True,
    "citation_recall": True,
    "refused": True,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """One case. ``scores`` has the figures that apply to it, ``losses`` by figure what keeps it from its best."""

    case: GoldCase
    scores: Scores
    losses: dict[str, tuple[Loss, ...]]


def run_cases(cases: Iterable[GoldCase], corpus: Corpus, on_case: Tick) -> list[CaseRun]:
    """Each case asked once, answered from the source's own words. Raises what asking raises."""
    cases = list(cases)
    runs: list[CaseRun] = []
    for done, case in enumerate(cases, start=1):
        runs.append(_run(case, corpus))
        on_case(done, len(cases))
    return runs


def _run(case: GoldCase, corpus: Corpus) -> CaseRun:
    stored = corpus.stored
    if fault := evidence_fault(case, stored.texts):
        worst = {name: float(not more) for name, more in FIGURES.items() if name != "refused"}
        return CaseRun(case=case, scores=worst, losses=dict.fromkeys(worst, (parser_loss(case, fault),)))
    answer = corpus.base.ask(case.question, options=AskOptions(method="extractive"))
    if not case.evidence:
        scores = {"refused": float(not answer.answered)}
        return CaseRun(case=case, scores=scores, losses={"refused": losses_of(case, answer, stored)})
    # A document that was read whole took the place of what the search had found.
    result = answer.search if answer.read is None else corpus.base.search(case.question)
    return CaseRun(
        case=case,
        scores=_scores(case, answer, result, stored),
        losses=dict(_losses(case, answer, result, stored)),
    )


def _scores(case: GoldCase, answer: Answer, result: SearchResult, stored: Stored) -> Scores:
    places = tuple(stored.place(piece) for piece in case.evidence)
    of_doc = {doc: stored.passages(doc) for doc in {place.doc for place in places}}
    chunks = chunk_scores(Question(case=case, places=places), of_doc)
    return {
        "truncated": chunks["truncated"],
        "complete": chunks["case_complete"],
        f"recall@{K}": _recall(case, result, stored, K),
        "whole": float(_recall(case, result, stored) == 1),
        "citation_precision": citation_precision(case, answer, stored),
        "citation_recall": citation_recall(case, answer, stored),
    }


def _recall(case: GoldCase, result: SearchResult, stored: Stored, first: int | None = None) -> float:
    groups = wanted(case)
    found = [any(is_returned(stored.place(piece), result, first) for piece in group) for group in groups]
    return fmean(found)


def _losses(
    case: GoldCase, answer: Answer, result: SearchResult, stored: Stored
) -> Iterator[tuple[str, tuple[Loss, ...]]]:
    cut = tuple(chunk_losses(case, stored))
    yield "truncated", cut
    yield "complete", cut
    yield f"recall@{K}", tuple(search_losses(case, result, stored, K))
    yield "whole", tuple(search_losses(case, result, stored))
    of_answer = losses_of(case, answer, stored)
    yield "citation_precision", of_answer
    yield "citation_recall", of_answer


def means(runs: Iterable[CaseRun]) -> Scores:
    """The mean of each figure over the cases that have it."""
    values: dict[str, list[float]] = {}
    for run in runs:
        for name, value in run.scores.items():
            values.setdefault(name, []).append(value)
    return {name: fmean(values[name]) for name in FIGURES if name in values}
