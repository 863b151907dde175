"""Which plots a group of systems has, each with a caption that says how to read it."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.reporting.figures import keys_of, meaning_of, name_of
from evaluation.reporting.grouping import Group
from evaluation.reporting.markup import Markup, el
from evaluation.reporting.plots.axes import legend
from evaluation.reporting.plots.lines import curves, reliability_curves, within_time
from evaluation.reporting.plots.shapes import histogram, radar
from evaluation.reporting.run_file import SIZE_STEP, CaseRecord, SystemRecord
from evaluation.reporting.texts import text
from evaluation.retrieval.reliability import Reliability, reliability

_SPOKES = 7
# A curve of fewer questions says nothing.
_LEAST_SURE = 20


def pictures(group: Group, language: str) -> list[Markup]:
    """Those that the data is there for."""
    made = [
        _quality(group, language),
        _radar(group, language),
        _reliability(group, language),
        _latency(group, language),
        _sizes(group, language),
    ]
    return [picture for picture in made if picture is not None]


def _figure(code: str, drawn: Markup, names: Sequence[str], language: str) -> Markup:
    caption = el("figcaption", text(f"{code}_how", language))
    return el("figure", el("h4", text(code, language)), drawn, legend(names), caption)


def _quality(group: Group, language: str) -> Markup | None:
    """Recall at each budget: of chunks in tokens, of searches in characters."""
    of = _by_tokens if group.kind == "chunks" else _by_characters
    series = {name: points for name, system in group.systems.items() if len(points := of(system)) > 1}
    if group.kind not in ("chunks", "retrieval") or not series:
        return None
    x_title = text("tokens" if group.kind == "chunks" else "budget", language)
    y_title = text("share_found", language)
    drawn = curves(series, text("quality", language), x_title, y_title)
    return _figure("quality", drawn, list(series), language)


def _by_tokens(system: SystemRecord) -> list[tuple[float, float]]:
    found = [
        (float(name.removeprefix("recall@")), figure.value)
        for name, figure in system.figures.items()
        if name.startswith("recall@")
    ]
    return sorted(found)


def _by_characters(system: SystemRecord) -> list[tuple[float, float]]:
    ends = ["", *(name.removeprefix("chars") for name in system.figures if name.startswith("chars@"))]
    pairs = [(system.figures.get(f"chars{end}"), system.figures.get(f"recall{end}")) for end in ends]
    return sorted((round(chars.value), recall.value) for chars, recall in pairs if chars and recall)


def _radar(group: Group, language: str) -> Markup | None:
    """The key figures that are shares; those that should be small turned round."""
    shared = set.intersection(*(set(system.figures) for system in group.systems.values()))
    # The overlap of characters is a few per cent whoever searches: its spoke would tell nothing.
    keys = [
        name
        for name in keys_of(group.kind, shared)
        if meaning_of(group.kind, name).is_share and not name.startswith("iou")
    ][:_SPOKES]
    if len(keys) < 3:
        return None
    names = [_spoke(group.kind, name, language) for name in keys]
    series = {
        name: [_outwards(group.kind, key, system) for key in keys] for name, system in group.systems.items()
    }
    return _figure("radar", radar(names, series, text("radar", language)), list(series), language)


def _spoke(kind: str, name: str, language: str) -> str:
    title = name_of(kind, name, language)
    return text("not", language, name=title) if meaning_of(kind, name).better < 0 else title


def _outwards(kind: str, name: str, system: SystemRecord) -> float:
    value = system.figures[name].value
    return 1 - value if meaning_of(kind, name).better < 0 else value


def _reliability(group: Group, language: str) -> Markup | None:
    series = {name: curve for name, system in group.systems.items() if (curve := curve_of(system.cases))}
    if not series:
        return None
    x_title, y_title = text("sureness", language), text("came_true", language)
    drawn = reliability_curves(series, text("reliability", language), x_title, y_title)
    names = [f"{name}: ECE {curve.ece:.3f}, Brier {curve.brier:.3f}" for name, curve in series.items()]
    return _figure("reliability", drawn, names, language)


def curve_of(cases: Sequence[CaseRecord]) -> Reliability | None:
    """``None`` of too few cases that say how sure they are."""
    sure = [(c.sureness, c.is_right) for c in cases if c.sureness is not None and c.is_right is not None]
    if len(sure) < _LEAST_SURE:
        return None
    return reliability([score for score, _ in sure], [right for _, right in sure])


def _latency(group: Group, language: str) -> Markup | None:
    series = {
        name: times
        for name, system in group.systems.items()
        if (times := [case.latency_ms for case in system.cases if case.latency_ms is not None])
    }
    if not series:
        return None
    titles = (text("latency", language), text("ms", language), text("share_done", language))
    return _figure("latency", within_time(series, *titles), list(series), language)


def _sizes(group: Group, language: str) -> Markup | None:
    series = {
        name: {int(low): count for low, count in system.sizes.items()}
        for name, system in group.systems.items()
        if system.sizes
    }
    if not series:
        return None
    titles = (text("sizes", language), text("size", language), text("share_chunks", language))
    return _figure("sizes", histogram(series, SIZE_STEP, *titles), list(series), language)
