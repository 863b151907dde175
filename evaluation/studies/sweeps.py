"""Running a study: every value of every curve on every set, with the comparisons of chunkings and searches."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import SettingsError, UnknownNameError
from core.settings import Settings
from evaluation.chunk_comparison import compare
from evaluation.retrieval.comparison import Comparison, Plan
from evaluation.studies.blend import FIGURE, blend_design, blend_points
from evaluation.studies.designs import STUDIES, Design
from evaluation.studies.points import SetPoints, chunk_points, search_points
from evaluation.studies.sample import Sample


def design_of(name: str, curves: Sequence[str] = ()) -> Design:
    """The study, or some of its curves alone. Raises ``UnknownNameError``."""
    studies = {**STUDIES, "blend": blend_design()}
    if name not in studies:
        raise UnknownNameError(seam="study", name=name, known=", ".join(studies))
    design = studies[name]
    known = [curve.name for curve in design.curves]
    for wanted in curves:
        if wanted not in known:
            raise UnknownNameError(seam="curve", name=wanted, known=", ".join(known))
    chosen = tuple(curve for curve in design.curves if not curves or curve.name in curves)
    return Design(kind=design.kind, curves=chosen, figure=design.figure, curves_compare=design.curves_compare)


def sweep(design: Design, settings: Settings, sample: Sample, figure: str) -> tuple[list[SetPoints], str]:
    """The points of each set that has questions, and the embedding model.

    What is finished is kept under ``sample.out`` and vectors stay in the cache, so that an interrupted study goes
    on where it was. Raises what the comparisons raise, and ``SettingsError`` for a figure they do not have.
    """
    if design.kind == "blend":
        if figure != FIGURE:
            raise SettingsError(name="--figure", reason=f"this study has {FIGURE} alone, got {figure!r}")
        return blend_points(design, settings, sample)
    specs = list(dict.fromkeys(curve.spec(label) for curve in design.curves for label in curve.values))
    made = _chunks if design.kind == "chunks" else _search
    sets, model = made(design, settings, sample, specs, figure)
    found = [one for one in sets if one.points]
    if not found:
        raise SettingsError(name="--figure", reason=f"no question has {figure!r}")
    return found, model


def _chunks(
    design: Design, settings: Settings, sample: Sample, specs: list[str], figure: str
) -> tuple[list[SetPoints], str]:
    done = compare(
        settings,
        sample.folders,
        strategies=specs,
        peers=(),
        baseline=None,
        max_documents=sample.max_documents,
        max_questions=sample.max_questions,
        out=sample.out,
    )
    sets = [chunk_points(design, found.name, runs, figure) for found, runs in done.done]
    return sets, str(done.report()["embedder"])


def _search(
    design: Design, settings: Settings, sample: Sample, specs: list[str], figure: str
) -> tuple[list[SetPoints], str]:
    plan = Plan(
        folders=sample.folders,
        variants=tuple(specs),
        max_documents=sample.max_documents,
        max_questions=sample.max_questions,
        out=sample.out,
    )
    comparison = Comparison(settings, plan)
    comparison.run()
    sets = [search_points(design, facts.name, runs, figure) for facts, runs in comparison.done]
    return sets, next((facts.model for facts, _ in comparison.done), "")
