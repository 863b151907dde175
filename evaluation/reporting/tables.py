"""The tables of the report: figures with their intervals, kinds of questions, stages, other numbers."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.reporting.figures import keys_of, name_of, plain, shown, text_of
from evaluation.reporting.grouping import Group, by_type, stages_of
from evaluation.reporting.markup import Markup, el, joined
from evaluation.reporting.run_file import Figure, RunFile
from evaluation.reporting.texts import kind_name, stage_text, text

_HASH_SHOWN = 12


Cell = tuple[str, float | str]


def table(head: Sequence[tuple[str, str]], rows: Sequence[Sequence[Cell]], *, prose: bool = False) -> Markup:
    """``head`` are (name, explanation), cells (what is shown, what is sorted by); the first column is text, of
    ``prose`` all are."""
    names = [
        el(
            "th",
            el("button", name, type="button"),
            title=why or None,
            scope="col",
            class_="text" if n == 0 else None,
        )
        for n, (name, why) in enumerate(head)
    ]
    body = [el("tr", *(el("td", written, data_v=value) for written, value in row)) for row in rows]
    made = el("table", el("thead", el("tr", *names)), el("tbody", *body))
    return el("div", made, class_="wide prose" if prose else "wide")


def figures_table(group: Group, language: str, *, every: bool = False) -> Markup:
    """The kind's key figures of each system, or all of them."""
    present = list(dict.fromkeys(name for system in group.systems.values() for name in system.figures))
    names = present if every else keys_of(group.kind, set(present))
    head = [(text("system", language), "")]
    head += [(name_of(group.kind, n, language), text_of(group.kind, n, language)) for n in names]
    rows = [
        [(name, name), *(_cell(group.kind, n, system.figures.get(n)) for n in names)]
        for name, system in group.systems.items()
    ]
    return table(head, rows)


def _cell(kind: str, name: str, figure: Figure | None) -> Cell:
    if figure is None:
        return "–", -1.0
    value = el("b", shown(kind, name, figure.value))
    low, high = (shown(kind, name, end).removesuffix("\u00a0%") for end in (figure.low, figure.high))
    return joined(value, " ", el("small", f"[{low}, {high}]")), figure.value


def types_table(group: Group, figure: str, language: str) -> Markup | None:
    """The figure for each kind of question; ``None`` where there is but one kind."""
    rows = {name: by_type(system.cases, figure) for name, system in group.systems.items()}
    kinds = sorted({kind for row in rows.values() for kind in row})
    if len(kinds) < 2:
        return None
    head = [(text("system", language), ""), *((kind or "–", "") for kind in kinds)]
    body = [
        [(name, name), *(_share(group.kind, figure, row.get(kind)) for kind in kinds)]
        for name, row in rows.items()
    ]
    return table(head, body)


def _share(kind: str, figure: str, found: tuple[float, int] | None) -> Cell:
    if found is None:
        return "–", -1.0
    value, count = found
    return joined(el("b", shown(kind, figure, value)), " ", el("small", f"({count})")), value


def stages_table(group: Group, language: str) -> Markup | None:
    """How many cases each stage lost, with a bar; ``None`` where nothing was lost."""
    counts = {name: stages_of(system.cases) for name, system in group.systems.items()}
    stages = list(dict.fromkeys(stage for found in counts.values() for stage in found))
    if not stages:
        return None
    most = max(count for found in counts.values() for count in found.values())
    head = [(text("stage", language), ""), (text("means", language), "")]
    head += [(name, "") for name in counts]
    rows = [
        [
            (el("b", stage), stage),
            (stage_text(stage, language), stage),
            *(_bar(found.get(stage, 0), most) for found in counts.values()),
        ]
        for stage in stages
    ]
    return table(head, rows, prose=True)


def _bar(count: int, most: int) -> Cell:
    bar = el("span", "", class_="bar", style=f"width:{round(60 * count / most)}px")
    return joined(bar, f" {count}"), count


def facts_table(group: Group, language: str) -> Markup | None:
    """Numbers without cases, as the run calls them."""
    names = list(dict.fromkeys(name for system in group.systems.values() for name in system.facts))
    if not names:
        return None
    head = [(text("system", language), ""), *((name.replace("_", " "), "") for name in names)]
    rows: list[list[Cell]] = [
        [
            (name, name),
            *((plain(v), v) if (v := s.facts.get(n)) is not None else ("–", -1.0) for n in names),
        ]
        for name, s in group.systems.items()
    ]
    return table(head, rows)


def settings_table(runs: Sequence[RunFile], language: str) -> Markup:
    """What each run was made with."""
    codes = ("run", "made", "model", "set_settings", "data", "fingerprint")
    rows: list[list[Cell]] = [[(cell, str(cell)) for cell in _settings(run, language)] for run in runs]
    return table([(text(code, language), "") for code in codes], rows, prose=True)


def _settings(run: RunFile, language: str) -> list[Markup]:
    made = run.made
    commit = f"{made.commit or '–'} {text('changed', language) if made.changed else ''}".strip()
    machine = f"{made.machine}, {made.cores} cores, Python {made.python}"
    changed = [f"{name} = {value}" for name, value in run.settings.items()]
    changed += [f"{name} = {value}" for name, value in run.options.items() if value not in (False, None)]
    data = [
        joined(
            f"{one.name}: {one.documents} {text('documents', language)}, "
            f"{one.questions} {text('questions', language)} ",
            el("code", one.sha256[:_HASH_SHOWN], title=one.sha256),
        )
        for one in run.data
    ]
    return [
        joined(kind_name(run.kind, language)),
        _lines([f"{commit}, Youju {made.version}", f"{made.date[:16].replace('T', ' ')} UTC", machine]),
        joined(run.model or "–"),
        _lines(changed or [text("usual", language)]),
        _lines(data),
        el("code", run.fingerprint[:_HASH_SHOWN], title=run.fingerprint),
    ]


def _lines(parts: Sequence[str]) -> Markup:
    return joined(*(joined(Markup("<br>"), part) if n else joined(part) for n, part in enumerate(parts)))
