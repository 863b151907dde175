"""What answering without a model is fitted on: gold questions as the live search and the answerer see them.

``fit_relevance``: the weights of a unit's features, by the likelihood of the units that hold the answer.
``fit_odds``: the odds that one of the first passages holds evidence, which none does where there is no answer.
Halves are of documents: nothing that is fitted on one of them has seen the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.protocols import Embedder
from core.scope import Scope
from evaluation.answers.scores import Cited, answer_held, citation_recall, is_verbatim
from evaluation.passage import Place
from evaluation.retrieval.base import Base, settings_at
from evaluation.retrieval.questions import Question
from ingest.workspace import Workspace
from retrieval.answerers.relevance import FEATURES, Placed, features, placed_units
from retrieval.evidence import Evidence
from retrieval.names_held import NamesHeld
from retrieval.probability import Signs
from retrieval.rerankers.builtin import BuiltinReranker
from retrieval.search import Bounds, Found, Search
from retrieval.trace import Trace

Array = npt.NDArray[np.float64]

_LOOKED_AT: Final = 3
_RIDGE: Final = 0.05
_ROUNDS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question: ``units`` is ``(n, 5)``, ``right`` says which of them hold the answer; ``is_found`` whether one
    of the first three passages holds evidence. ``signs`` are ``None`` where another language was found."""

    half: int
    has_answer: bool
    is_found: bool
    signs: Signs | None
    units: Array
    right: npt.NDArray[np.bool_]


def examples(base: Base, questions: Sequence[Question], on_done: Callable[[int, int], None]) -> list[Example]:
    """One for each question that finds anything. Raises what searching raises."""
    workspace = Workspace(settings_at(base.home, base.settings))
    workspace.embedder = base.model.embedder
    names, found = NamesHeld(), list[Example]()
    try:
        for done, question in enumerate(questions, start=1):
            result = _search(workspace, names, question.case.question)
            placed = placed_units(result.result.searched, result.evidence)
            if placed:
                found.append(_example(question, result, placed, base))
            on_done(done, len(questions))
    finally:
        workspace.close()
    return found


def _search(workspace: Workspace, names: NamesHeld, question: str) -> Found:
    options = workspace.settings.retrieval
    search = Search(
        workspace=workspace,
        reranker=BuiltinReranker(workspace.settings),
        names=names,
        options=options,
        trace=Trace(),
    )
    bounds = Bounds(passages=options.passages, max_tokens=options.max_tokens)
    return search.run(question, question, Scope(), bounds)


def _example(question: Question, found: Found, placed: Sequence[Placed], base: Base) -> Example:
    case, evidence = question.case, found.evidence
    embedder: Embedder = base.model.embedder
    cited = [_cited(one, evidence, base) for one in placed]
    touching = [bool(case.evidence) and citation_recall(case, [one]) > 0 for one in cited]
    verbatim = is_verbatim(case)
    right = [
        touches and (not verbatim or answer_held(case, [one.text]) == 1)
        for one, touches in zip(cited, touching, strict=True)
    ]
    return Example(
        half=half_of(question),
        has_answer=bool(case.evidence),
        is_found=any(t and one.passage < _LOOKED_AT for t, one in zip(touching, placed, strict=True)),
        signs=found.signs,
        units=features(found.result.searched, placed, evidence, embedder),
        right=np.array(right),
    )


def _cited(one: Placed, evidence: Evidence, base: Base) -> Cited:
    passage = evidence.passages[one.passage]
    place = Place(base.keys[passage.document_id], one.unit.span)
    return Cited(place=place, text=one.unit.span.of(evidence.texts[passage.version_id]), pages=passage.pages)


def half_of(question: Question) -> int:
    """0 or 1, the same for all questions whose first evidence is in one document."""
    case = question.case
    group = case.evidence[0].doc if case.evidence else case.id
    return hashlib.sha256(group.encode()).digest()[0] % 2


def fit_relevance(sets: Sequence[Sequence[Example]]) -> dict[str, float]:
    """Weights by feature, each set counting alike; a question may be answered by several of its units.

    Source: McFadden 1974 (conditional logit), with the shares of the right units as their weights, which the
    current weights tell in each round.
    """
    usable = [[one for one in own if one.right.any()] for own in sets]
    beta = np.zeros(len(FEATURES))
    for _ in range(_ROUNDS):
        gradient, hessian = -2 * _RIDGE * beta, 2 * _RIDGE * np.eye(len(beta))
        for own in usable:
            for one in own:
                p = _softmax(one.units @ beta)
                q = p * one.right / float(p @ one.right)
                mean = p @ one.units
                gradient += 500 / len(own) * ((q - p) @ one.units)
                hessian += 500 / len(own) * ((one.units * p[:, None]).T @ one.units - np.outer(mean, mean))
        step = np.linalg.solve(hessian, gradient)
        # Several units may be right, so a whole step may lead too far.
        step /= max(1.0, float(np.abs(step).max()))
        beta += step
        if np.abs(step).max() < 1e-6:
            break
    return {name: round(float(weight), 2) for name, weight in zip(FEATURES, beta, strict=True)}


def _softmax(scores: Array) -> Array:
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def fit_odds(sets: Sequence[Sequence[Example]]) -> dict[str, float]:
    """The coefficients of ``Odds``, each set counting alike. Source: Platt 1999, by Newton's method."""
    kept = [[one for one in own if one.signs is not None] for own in sets]
    rows = [(one, 500 / len(own)) for own in kept for one in own]
    x = np.array([_signs(one) for one, _ in rows])
    y = np.array([one.has_answer and one.is_found for one, _ in rows])
    weight = np.array([w for _, w in rows])
    beta = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (weight * (y - p)) - 1e-3 * beta
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(len(beta))
        step = np.linalg.solve(hessian, gradient)
        beta += step
        if np.abs(step).max() < 1e-8:
            break
    return dict(zip(("intercept", "sentence", "coverage"), beta.round(3).tolist(), strict=True))


def _signs(example: Example) -> tuple[float, float, float]:
    assert example.signs is not None
    return 1.0, example.signs.sentence, example.signs.coverage
