"""The built-in reranker's weights and the odds of its probability, fitted on gold questions.

For each question the live search gathers its candidates with their signals; a candidate that holds at least
half of a piece of evidence is right. Weights: the best of a coarse grid by MRR, each set counting alike.
Odds: logistic regression by Newton's method, without scaling, each set counting alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.protocols import Signals
from core.scope import Scope
from core.span import Span
from core.store import ChunkRow
from evaluation.retrieval.base import Base, settings_at
from evaluation.retrieval.questions import Question
from ingest.workspace import Workspace
from retrieval.names_held import NamesHeld
from retrieval.probability import lead
from retrieval.rank import Ranker, Wording
from retrieval.rerankers.builtin import FEATURES, BuiltinReranker, features
from retrieval.trace import Trace

Array = npt.NDArray[np.float64]

_HALF: Final = 0.5
_LOOKED_AT: Final = 3
_STEPS: Final = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
_RIDGE: Final = 1e-4
_ROUNDS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question: signals of its candidates in the built-in order, and which of them are right."""

    signals: tuple[Signals, ...]
    right: npt.NDArray[np.bool_]


def examples(base: Base, questions: Sequence[Question], on_done: Callable[[int, int], None]) -> list[Example]:
    """One for each question that has candidates; those without an answer have nothing right."""
    workspace = Workspace(settings_at(base.home, base.settings))
    workspace.embedder = base.model.embedder
    found: list[Example] = []
    try:
        names = NamesHeld()
        for done, question in enumerate(questions, start=1):
            example = _example(workspace, names, base, question)
            found += [example] if example else []
            on_done(done, len(questions))
    finally:
        workspace.close()
    return found


def _example(workspace: Workspace, names: NamesHeld, base: Base, question: Question) -> Example | None:
    options = workspace.settings.retrieval.model_copy(update={"reranker": "builtin"})
    with workspace.store.read() as reader:
        index = workspace.indexes.at(reader)
        understood, allowed = names.understood(
            question.case.question, reader, reader.visible_versions(Scope())
        )
        ranker = Ranker(
            workspace=workspace, reranker=BuiltinReranker(workspace.settings), options=options, trace=Trace()
        )
        ranked = ranker.run(index, reader, understood, allowed, Wording())
    if not ranked.hits:
        return None
    chunks = [ranked.chunks[hit.chunk_id] for hit in ranked.hits]
    return Example(
        signals=tuple(ranked.signals[chunk.id] for chunk in chunks),
        right=np.array([_is_right(chunk, base, question) for chunk in chunks]),
    )


def _is_right(chunk: ChunkRow, base: Base, question: Question) -> bool:
    pieces = [p for p in question.case.evidence if p.doc == base.keys.get(chunk.document_id) and p.end]
    return any(_share(chunk.span, Span(piece.start or 0, piece.end or 1)) >= _HALF for piece in pieces)


def _share(chunk: Span, piece: Span) -> float:
    common = chunk.intersection(piece)
    return len(common) / len(piece) if common else 0.0


def fit_weights(sets: Sequence[Sequence[Example]]) -> dict[str, float]:
    """By feature; they add up to 1 with that of numbers, which is fixed at its smallest step.

    Of grid points within a thousandth of the best mean reciprocal rank the one nearest to their mean.
    """
    answered = [[example for example in examples if example.right.any()] for examples in sets]
    columns = [[features(example.signals) for example in examples] for examples in answered]
    scored: list[tuple[float, Array]] = []
    for weights in _grid():
        means = [
            np.mean([_reciprocal(x @ weights, example.right) for x, example in zip(xs, own, strict=True)])
            for xs, own in zip(columns, answered, strict=True)
        ]
        scored.append((float(np.mean(means)), weights))
    best = max(score for score, _ in scored)
    near = np.stack([weights for score, weights in scored if score >= best - 1e-3])
    chosen = near[np.abs(near - near.mean(axis=0)).sum(axis=1).argmin()]
    return {name: round(float(weight), 3) for name, weight in zip(FEATURES, chosen, strict=True)}


def _grid() -> Iterator[Array]:
    smallest = _STEPS[0]
    for rest in itertools.product(_STEPS, repeat=len(FEATURES) - 1):
        if abs(sum(rest) - 1) < smallest / 2:
            yield np.array([*rest, smallest])


def _reciprocal(scores: Array, right: npt.NDArray[np.bool_]) -> float:
    order = np.argsort(-scores, kind="stable")
    return 1 / (int(np.argmax(right[order])) + 1)


def odds_features(example: Example) -> Array:
    """``(5,)``: 1, then what the probability looks at, in the order of ``Odds``."""
    first = example.signals[0]
    return np.array([1.0, first.whole, first.sentence, first.coverage, lead(example.signals)])


def is_answered(example: Example) -> bool:
    """Whether one of the first candidates is right."""
    return bool(example.right[:_LOOKED_AT].any())


def fit_odds(sets: Sequence[Sequence[Example]]) -> Array:
    """``(5,)``: the intercept and four coefficients. Source: Platt 1999; Newton's method (IRLS)."""
    x = np.concatenate([np.stack([odds_features(example) for example in examples]) for examples in sets])
    y = np.concatenate([np.array([is_answered(example) for example in examples]) for examples in sets])
    weight = np.concatenate([np.full(len(examples), 1000 / len(examples)) for examples in sets])
    beta = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (weight * (y - p)) - _RIDGE * beta
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + _RIDGE * np.eye(len(beta))
        step = np.linalg.solve(hessian, gradient)
        beta += step
        if np.abs(step).max() < 1e-8:
            break
    return beta
