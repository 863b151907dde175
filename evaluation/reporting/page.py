"""The whole report as one page that loads nothing from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from evaluation.reporting.figures import keys_of, name_of
from evaluation.reporting.grouping import Group, groups_of
from evaluation.reporting.markup import Markup, el, joined
from evaluation.reporting.pictures import pictures
from evaluation.reporting.run_file import RunFile
from evaluation.reporting.summary import sentences_of
from evaluation.reporting.tables import (
    facts_table,
    figures_table,
    settings_table,
    stages_table,
    types_table,
)
from evaluation.reporting.texts import kind_name, text
from evaluation.reporting.worst import worst_cases

_HERE: Final = Path(__file__).parent
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page(runs: Sequence[RunFile], language: str) -> str:
    """HTML. ``runs`` must not be empty."""
    groups = groups_of(runs)
    style = Markup((_HERE / "page.css").read_text("utf-8"))
    script = Markup((_HERE / "page.js").read_text("utf-8"))
    head = joined(
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        el("title", text("title", language)),
        el("style", style),
    )
    sections = [_section(group, f"g{n}", language) for n, group in enumerate(groups)]
    main = el("main", _opening(runs, groups, language), *sections, _settings(runs, language))
    body = el("body", main, el("script", script))
    html = el("html", el("head", head), body, lang="zh-CN" if language == "zh" else "en")
    return f"<!doctype html>\n{html}\n"


def _opening(runs: Sequence[RunFile], groups: Sequence[Group], language: str) -> Markup:
    sets = ", ".join(dict.fromkeys(one.name for run in runs for one in run.data))
    dates = sorted({run.made.date[:10] for run in runs})
    date = dates[0] if len(dates) == 1 else f"{dates[0]} – {dates[-1]}"
    items = [
        el(
            "section",
            el("h3", el("a", f"{kind_name(group.kind, language)} · {group.set}", href=f"#g{n}")),
            *(el("p", sentence) for sentence in sentences),
        )
        for n, group in enumerate(groups)
        if (sentences := sentences_of(group, language))
    ]
    lead = el("p", text("lead", language, date=date, sets=sets), class_="lead")
    summary = el("div", *items, class_="summary")
    return joined(el("h1", text("title", language)), lead, el("h2", text("summary", language)), summary)


def _section(group: Group, name: str, language: str) -> Markup:
    drawn = pictures(group, language)
    parts = [el("h2", f"{kind_name(group.kind, language)} · {group.set}")]
    parts.append(_block("figures", figures_table(group, language), language))
    if drawn:
        parts.append(el("div", *drawn, class_="plots"))
    parts += [part for part in (_types(group, language), _lost(group, language)) if part is not None]
    worst = worst_cases(group, language)
    if worst is not None:
        parts.append(_block("worst", el("div", worst, class_="worst"), language))
    every = [figures_table(group, language, every=True)]
    facts = facts_table(group, language)
    if facts is not None:
        every += [el("h4", text("facts", language)), facts]
    parts.append(el("details", el("summary", text("all_figures", language)), *every, class_="all"))
    return el("section", *parts, id=name)


def _block(code: str, inner: Markup, language: str, **details: str) -> Markup:
    how = Markup(text(f"{code}_how", language, **details))
    return joined(el("h3", text(code, language)), el("p", how, class_="how"), inner)


def _types(group: Group, language: str) -> Markup | None:
    """Of the first key figure that questions of several kinds have."""
    for key in keys_of(group.kind, set(group.leading.figures)):
        made = types_table(group, key, language)
        if made is not None:
            return _block("types", made, language, figure=name_of(group.kind, key, language))
    return None


def _lost(group: Group, language: str) -> Markup | None:
    made = stages_table(group, language)
    return None if made is None else _block("lost", made, language)


def _settings(runs: Sequence[RunFile], language: str) -> Markup:
    return el("section", _block("settings", settings_table(runs, language), language))
