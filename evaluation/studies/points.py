"""The results of a study: one point a setting and set, each question scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.chunk_runs import ChunkRun
from evaluation.retrieval.runs import Run
from evaluation.studies.designs import Curve, Design

Scores = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One value of a curve. ``scores`` are of the judged figure, by question; ``facts`` are other means."""

    curve: str
    label: str
    spec: str
    is_shipped: bool
    scores: Scores
    facts: Scores

    @property
    def mean(self) -> float:
        return sum(self.scores.values()) / len(self.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPoints:
    """All points on the questions of one set."""

    name: str
    points: tuple[Point, ...]

    def of_curve(self, curve: str) -> list[Point]:
        return [point for point in self.points if point.curve == curve]


def chunk_points(design: Design, name: str, runs: Iterable[ChunkRun], figure: str) -> SetPoints:
    """Of a comparison of chunkings."""
    found = {run.name: (_figures(run.scores, figure), _chunk_facts(run)) for run in runs}
    return SetPoints(name=name, points=_points(design.curves, found))


def search_points(design: Design, name: str, runs: Iterable[Run], figure: str) -> SetPoints:
    """Of a comparison of searches."""
    found = {
        run.name: (_figures({row.question.key: row.scores for row in run.rows}, figure), _search_facts(run))
        for run in runs
    }
    return SetPoints(name=name, points=_points(design.curves, found))


def together(sets: Sequence[SetPoints], name: str) -> SetPoints:
    """Every question of every set; facts are means over the sets."""
    merged = []
    for at, first in enumerate(sets[0].points):
        rows = [found.points[at] for found in sets]
        scores = {
            f"{found.name}/{key}": value for found in sets for key, value in found.points[at].scores.items()
        }
        facts = {key: sum(row.facts[key] for row in rows) / len(rows) for key in first.facts}
        merged.append(
            Point(
                curve=first.curve,
                label=first.label,
                spec=first.spec,
                is_shipped=first.is_shipped,
                scores=scores,
                facts=facts,
            )
        )
    return SetPoints(name=name, points=tuple(merged))


def _points(curves: Iterable[Curve], found: dict[str, tuple[Scores, Scores]]) -> tuple[Point, ...]:
    """One for each value that has a score: what does not apply to a set has none there."""
    return tuple(
        Point(
            curve=curve.name,
            label=label,
            spec=curve.spec(label),
            is_shipped=label == curve.shipped,
            scores=found[curve.spec(label)][0],
            facts=found[curve.spec(label)][1],
        )
        for curve in curves
        for label in curve.values
        if curve.spec(label) in found and found[curve.spec(label)][0]
    )


def _figures(rows: dict[str, Scores], figure: str) -> Scores:
    return {key: row[figure] for key, row in rows.items() if figure in row}


def _chunk_facts(run: ChunkRun) -> Scores:
    return {
        "chunks": float(run.sizes.chunks),
        "tokens": run.sizes.mean_tokens,
        "complete": run.means["complete"],
        "truncated": run.means["truncated"],
        "whole": run.means["whole@1600"],
        "iou": run.means["iou@1600"],
        "model_s": run.cut_model_s + run.embed_s,
    }


def _search_facts(run: Run) -> Scores:
    named = {
        name: run.means.get(name, 0.0) for name in ("hit@1", "recall@5", "mrr", "recall", "whole", "chars")
    }
    return named | {"p50_ms": run.latency.p50}
