"""How well a model's vectors keep chunks of one topic together and others apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from core.protocols import Vectors
from evaluation.topic_groups import TopicGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicFigures:
    """Each chunk asks for the others of its group among all chunks of all groups and negatives.

    ``recall_at_1`` is the share of chunks whose nearest other chunk is of the same group,
    ``recall_at_5`` that with one of the same group among the nearest five, ``mrr`` the mean reciprocal
    rank of the first. ``same`` and ``near`` are mean cosines inside groups and to hard negatives.
    """

    chunks: int
    recall_at_1: float
    recall_at_5: float
    mrr: float
    same: float
    near: float

    def as_json(self) -> dict[str, float]:
        return {name: round(float(value), 4) for name, value in asdict(self).items()}


def topic_figures(groups: Sequence[TopicGroup], encode: Callable[[Sequence[str]], Vectors]) -> TopicFigures:
    """``encode`` gives ``(n, dimension) float32``, L2-normalised. ``groups`` must not be empty."""
    texts = list(dict.fromkeys(text for group in groups for text in (*group.texts, *group.negatives)))
    row_of = {text: row for row, text in enumerate(texts)}
    vectors = encode(texts)
    cosines = vectors @ vectors.T
    ranks: list[int] = []
    same: list[float] = []
    near: list[float] = []
    for group in groups:
        rows = list(dict.fromkeys(row_of[text] for text in group.texts))
        apart = [row_of[text] for text in group.negatives if row_of[text] not in rows]
        for row in rows:
            others = [other for other in rows if other != row]
            if not others:
                continue
            ranks.append(_first_rank(cosines[row], row, others))
            same.append(float(cosines[row, others].mean()))
            if apart:
                near.append(float(cosines[row, apart].mean()))
    return TopicFigures(
        chunks=len(ranks),
        recall_at_1=_mean([rank <= 1 for rank in ranks]),
        recall_at_5=_mean([rank <= 5 for rank in ranks]),
        mrr=_mean([1 / rank for rank in ranks]),
        same=_mean(same),
        near=_mean(near),
    )


def _first_rank(cosines: Vectors, asking: int, wanted: Sequence[int]) -> int:
    """1-based rank of the best of ``wanted``; the one that asks does not count, ties count against it."""
    best = float(cosines[list(wanted)].max())
    better = np.flatnonzero(cosines >= best)
    return sum(1 for row in better if row != asking and row not in wanted) + 1


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
