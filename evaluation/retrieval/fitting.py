"""The built-in reranker's weights, fitted on gold questions.

For each question the live search gathers its candidates with their signals; a candidate that holds at least
half of a piece of evidence is right. Weights: the best of a coarse grid by MRR, each set counting alike.
Whether they are worth taking is judged on other questions than they were fitted on (``halves``).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from retrieval.rank import Ranker, Wording
from retrieval.rerankers.builtin import FEATURES, BuiltinReranker, features
from retrieval.trace import Trace

Array = npt.NDArray[np.float64]

_HALF: Final = 0.5
_STEPS: Final = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)


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


def halves(sets: Sequence[Sequence[Example]]) -> list[list[Sequence[Example]]]:
    """Every other question of each set, and the rest: questions come in an order that is by chance."""
    return [[examples[at::2] for examples in sets] for at in range(2)]


def fit_weights(sets: Sequence[Sequence[Example]]) -> dict[str, float]:
    """By feature; they add up to 1 with that of numbers, which is fixed at its smallest step.

    Of grid points within a thousandth of the best mean reciprocal rank the one nearest to their mean.
    """
    prepared = [[_Prepared.of(example) for example in examples] for examples in sets]
    scored = [
        (float(np.mean([np.mean([one.reciprocal(weights) for one in own]) for own in prepared])), weights)
        for weights in _grid()
    ]
    best = max(score for score, _ in scored)
    near = np.stack([weights for score, weights in scored if score >= best - 1e-3])
    chosen = near[np.abs(near - near.mean(axis=0)).sum(axis=1).argmin()]
    return {name: round(float(weight), 3) for name, weight in zip(FEATURES, chosen, strict=True)}


def reciprocal_ranks(examples: Sequence[Example], weights: Mapping[str, float]) -> list[float]:
    """Of the first right candidate of each question; 0 where there is none."""
    row = np.array([weights[name] for name in FEATURES])
    return [_Prepared.of(example).reciprocal(row) for example in examples]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """What weights are tried on: the features, and what the question gives to the letter, which outweighs them."""

    features: Array
    exact: Array
    right: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, example: Example) -> _Prepared:
        exact = np.array([signal.exactness for signal in example.signals])
        return cls(features=features(example.signals), exact=exact, right=example.right)

    def reciprocal(self, weights: Array) -> float:
        if not self.right.any():
            return 0.0
        order = np.argsort(-(self.features @ weights + self.exact), kind="stable")
        return 1 / (int(np.argmax(self.right[order])) + 1)


def _grid() -> Iterator[Array]:
    smallest = _STEPS[0]
    for rest in itertools.product(_STEPS, repeat=len(FEATURES) - 1):
        if abs(sum(rest) + smallest - 1) < smallest / 2:
            yield np.array([*rest, smallest])
