"""What a study writes: a table and plain sentences in Markdown, all points in JSON, a drawing of each set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.store.blobs import write_durably
from evaluation.intervals import Difference, Interval, interval
from evaluation.studies.designs import Design
from evaluation.studies.plot import Mark, study_svg
from evaluation.studies.points import Point, SetPoints, together
from evaluation.studies.texts import TEXTS
from evaluation.studies.verdicts import Verdict, difference, verdict

Json = dict[str, object]
_ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A finished study. ``sets`` end with all sets together, where there are several."""

    name: str
    design: Design
    figure: str
    sets: tuple[SetPoints, ...]
    stamp: Json
    model: str

    @classmethod
    def of(
        cls, name: str, design: Design, figure: str, sets: Sequence[SetPoints], stamp: Json, model: str
    ) -> Study:
        every = [*sets, together(sets, _ALL)] if len(sets) > 1 else sets
        return cls(name=name, design=design, figure=figure, sets=tuple(every), stamp=stamp, model=model)

    def scopes(self, found: SetPoints) -> list[tuple[str, Verdict]]:
        """What is decided about a set: all curves, where they may be compared, and each that has several values."""
        scopes: list[tuple[str, Verdict]] = []
        if self.design.curves_compare and len(self.design.curves) > 1 and found.points:
            shipped = next(point for point in found.points if point.is_shipped)
            scopes.append(("", verdict(found.points, shipped)))
        for curve in self.design.curves:
            points = found.of_curve(curve.name)
            shipped_here = next((point for point in points if point.is_shipped), None)
            if shipped_here and len(points) > 1:
                scopes.append((curve.name, verdict(points, shipped_here)))
        return scopes


def tables_of(study: Study, language: str) -> str:
    """Markdown: of each set the sentences and the table."""
    return "\n\n".join(_set_text(study, found, language) for found in study.sets)


def sentences_of(study: Study, found: SetPoints, language: str) -> list[str]:
    """What is best, and whether it differs beyond noise, in plain words."""
    return [_sentence(scope, one, language) for scope, one in study.scopes(found)]


def report_of(study: Study) -> Json:
    """Every point with its interval, and the verdicts."""
    return {
        "run": study.stamp,
        "study": study.name,
        "figure": study.figure,
        "embedder": study.model,
        "sets": [_set_json(study, found) for found in study.sets],
    }


def write_study(folder: Path, study: Study, language: str) -> None:
    """``NAME.json``, ``NAME.md`` and ``NAME.SET.svg``, each replaced whole."""
    report = json.dumps(report_of(study), ensure_ascii=False, indent=1)
    write_durably(folder / f"{study.name}.json", report.encode())
    write_durably(folder / f"{study.name}.md", (tables_of(study, language) + "\n").encode())
    for found in study.sets:
        write_durably(folder / f"{study.name}.{found.name}.svg", _drawing(study, found, language).encode())


def _set_text(study: Study, found: SetPoints, language: str) -> str:
    words = TEXTS[language]
    questions = len(next(iter(found.points)).scores)
    title = words["all"] if found.name == _ALL and len(study.sets) > 1 else found.name
    head = words["head"].format(study=study.name, set=title, questions=questions, figure=study.figure)
    sentences = "\n".join(f"- {one}" for one in sentences_of(study, found, language))
    return f"{head}\n\n{sentences}\n\n{_table(study, found, language)}"


def _table(study: Study, found: SetPoints, language: str) -> str:
    facts = list(found.points[0].facts)
    columns = [*TEXTS[language]["columns"].format(figure=study.figure).split("|"), *facts]
    rows = [columns, ["---", "---", *("---:" for _ in columns[2:])]]
    for point in found.points:
        shipped = _shipped_of(found, point)
        label = f"{point.label} ({TEXTS[language]['shipped']})" if point.is_shipped else point.label
        gain = "" if point is shipped or shipped is None else _gain(difference(shipped, point))
        rows.append(
            [point.curve, label, _shown(_interval(point)), gain, *(_fact(point.facts[f]) for f in facts)]
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _shipped_of(found: SetPoints, point: Point) -> Point | None:
    return next((one for one in found.of_curve(point.curve) if one.is_shipped), None)


def _sentence(scope: str, found: Verdict, language: str) -> str:
    words = TEXTS[language]
    kind = "better" if found.matters else "tiny" if found.is_certain else "noise"
    if found.best is found.shipped:
        kind = "keep"
    told = words[kind].format(
        scope=scope or words["every"],
        best=_named(found.best, scope),
        shipped=_named(found.shipped, scope),
        value=found.best.mean,
        gain=_gain(found.gain),
        chance=found.chance,
    )
    for name, points in (("level", found.level), ("worse", found.worse)):
        if points:
            told += " " + words[name].format(names=_names(points, scope))
    return told


def _names(points: Sequence[Point], scope: str) -> str:
    """The labels; of several curves each once before its own."""
    by_curve: dict[str, list[str]] = {}
    for point in points:
        by_curve.setdefault(point.curve, []).append(point.label)
    return "; ".join(("" if scope else f"{curve} ") + ", ".join(found) for curve, found in by_curve.items())


def _named(point: Point, scope: str) -> str:
    return point.label if scope else f"{point.curve} {point.label}"


def _set_json(study: Study, found: SetPoints) -> Json:
    return {
        "set": found.name,
        "points": [
            {
                "curve": point.curve,
                "value": point.label,
                "spec": point.spec,
                "shipped": point.is_shipped,
                "questions": len(point.scores),
                study.figure: asdict(_interval(point)),
                "facts": point.facts,
            }
            for point in found.points
        ],
        "verdicts": [
            {
                "scope": scope,
                "best": one.best.spec,
                "shipped": one.shipped.spec,
                "gain": asdict(one.gain),
                "chance": one.chance,
                "beyond_noise": one.is_certain,
                "matters": one.matters,
                "level": [point.spec for point in one.level],
                "worse": [point.spec for point in one.worse],
            }
            for scope, one in study.scopes(found)
        ],
    }


def _drawing(study: Study, found: SetPoints, language: str) -> str:
    curves = [
        (
            curve.name,
            [
                Mark(label=p.label, figure=_interval(p), is_shipped=p.is_shipped)
                for p in found.of_curve(curve.name)
            ],
        )
        for curve in study.design.curves
    ]
    title = f"{study.name}, {found.name}: {study.figure}"
    return study_svg(title, [pair for pair in curves if pair[1]], TEXTS[language]["legend"])


def _interval(point: Point) -> Interval:
    return interval(lambda mean: mean, list(point.scores.values()))


def _shown(found: Interval) -> str:
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _gain(found: Difference) -> str:
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def _fact(value: float) -> str:
    return f"{value:.3f}" if abs(value) <= 1 else f"{value:.0f}"
