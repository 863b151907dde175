"""The weights by which the built-in reranker blends its signals, each swept by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.settings import Settings
from evaluation.chunkers import spec_of
from evaluation.retrieval.base import Models, open_base
from evaluation.retrieval.fitting import Example, examples, reciprocal_ranks
from evaluation.retrieval.progress import Progress
from evaluation.retrieval.questions import asked_of, read_set
from evaluation.studies.designs import Curve, Design
from evaluation.studies.points import Point, SetPoints
from evaluation.studies.sample import Sample
from evaluation.vector_cache import VectorCache
from retrieval.rerankers.builtin import FEATURES, blend

FIGURE: Final = "mrr"
_FACTORS: Final = (0.0, 0.5, 1.0, 2.0)


def blend_design() -> Design:
    """One curve a signal: without it, at half its weight, as shipped, at twice."""
    shipped = blend().weights
    return Design(
        kind="blend",
        figure=FIGURE,
        curves_compare=True,
        curves=tuple(_curve(name, shipped[name]) for name in FEATURES),
    )


def _curve(name: str, weight: float) -> Curve:
    values = {f"{weight * factor:g}": f"{name}={weight * factor:g}" for factor in _FACTORS}
    return Curve(name=name, base="blend", values=values, shipped=f"{weight:g}")


def weights_of(spec: str) -> dict[str, float]:
    """The shipped weights with one changed, so that they still add up to what they did."""
    changed = {name: float(value) for name, value in spec_of(spec, "--curves").options.items()}
    shipped = blend().weights
    made = shipped | changed
    scale = sum(shipped.values()) / sum(made.values())
    return {name: weight * scale for name, weight in made.items()}


def blend_points(design: Design, settings: Settings, sample: Sample) -> tuple[list[SetPoints], str]:
    """The reciprocal rank of the first candidate that holds half of a piece of evidence, by question.

    The candidates are gathered once and ordered anew for each value. Raises what reading sets, adding files and
    searching raise."""
    progress = Progress(settings.interface_language)
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    sets: list[SetPoints] = []
    try:
        model = Models(cache, progress.of("embed", least=500)).of(settings)
        for folder in sample.folders:
            found = read_set(folder.resolve().name, [folder], sample.max_documents)
            base = open_base(found, settings, model, progress.of("ingest", least=20))
            asked = asked_of(found, base.texts, base.twins, sample.max_questions)
            gathered = examples(base, asked.questions, progress.of("ask", least=100))
            sets.append(SetPoints(name=found.name, points=points_of(design, gathered)))
    finally:
        cache.close()
    return sets, model.embedder.fingerprint


def points_of(design: Design, gathered: Sequence[Example]) -> tuple[Point, ...]:
    """One for each value; questions are known by their place."""
    return tuple(
        Point(
            curve=curve.name,
            label=label,
            spec=curve.spec(label),
            is_shipped=label == curve.shipped,
            scores=dict(zip(map(str, range(len(gathered))), ranks, strict=True)),
            facts={"first": sum(rank == 1 for rank in ranks) / len(ranks)},
        )
        for curve in design.curves
        for label in curve.values
        if (ranks := reciprocal_ranks(gathered, weights_of(curve.spec(label))))
    )
