"""The tables of ``docs/benchmarks.md`` out of stored runs: pure functions of what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evaluation.intervals import paired_difference
from evaluation.reporting.run_file import Made, RunFile, SystemRecord

Runs = Sequence[tuple[str, RunFile]]
Cells = list[str]

_SEARCH: Final = ("hit@1", "recall@5", "mrr", "recall", "whole", "iou")
_CHUNKS: Final = ("complete", "adjacent", "truncated", "case_complete")
_RECALLS: Final = ("headed_recall@800", "headed_recall@1600", "headed_recall@2400", "iou@1600")
_ANSWERS: Final = ("answer", "words", "precision", "held", "recall", "page")
_REFUSAL: Final = ("refusal_precision", "refusal_recall", "refusal_f1")
# A case has the one when the documents hold an answer, and the other when they do not.
_ASKED: Final = ("answered", "refused")
_TITLES: Final = {
    "search": "Search beside LangChain",
    "together": "Search, the Chinese sets in one base",
    "conversations": "Follow-up questions",
    "chunks": "Chunking strategies",
    "semantic-peers": "Semantic splitters of other programs, on a sample of documents",
    "answers": "Answers without a chat model",
    "verify": "Sentences held against their source",
    "claims": "What articles claim for semantic chunking",
}


def page(by_kind: Mapping[str, Runs], commands: Mapping[str, Sequence[str]], claims: str) -> str:
    """Everything in Markdown: what it was made with, then one section a kind with its commands and tables.

    ``claims`` is the text that the claims' command wrote."""
    parts = ["# Benchmarks", made_with([run.made for runs in by_kind.values() for _, run in runs])]
    for kind, title in _TITLES.items():
        if runs := by_kind.get(kind):
            shown = "\n".join(commands[kind])
            parts += [f"## {title}", f"```sh\n{shown}\n```", section(kind, runs, claims)]
    return "\n\n".join(parts) + "\n"


def made_with(made: Sequence[Made]) -> str:
    """Machine, commit and date in a sentence: all of them, where parts were run at different times."""
    machines = dict.fromkeys(f"{one.machine}, {one.cores} cores, Python {one.python}" for one in made)
    commits = dict.fromkeys(f"{one.commit or 'unknown'}{' with changes' * one.changed}" for one in made)
    dates = sorted(one.date for one in made)
    when = f"{dates[0]} to {dates[-1]}" if dates else "-"
    return f"Measured on {'; '.join(machines)}. Commit {', '.join(commits)}. {when}."


def section(kind: str, runs: Runs, claims: str = "") -> str:
    """The tables of one kind."""
    if kind in ("chunks", "semantic-peers"):
        return _chunks(runs)
    if kind == "answers":
        return _answers(runs)
    if kind == "verify":
        return _verify(runs)
    if kind == "claims":
        return claims.strip()
    return _search(runs)


def _search(runs: Runs) -> str:
    rows = [_search_row(system) for _, run in runs for system in _best_in_bold(run.systems, _SEARCH)]
    table = _table(["set (questions)", "system", *_SEARCH, "p50 / p95 ms"], rows)
    gains = [_gain_row(run, at, "whole") for _, run in runs for at in range(1, len(run.systems))]
    found = [row for row in gains if row]
    if not found:
        return table
    told = "Whole evidence, the first system against the others, paired by question, with 95 % intervals:"
    return f"{table}\n\n{told}\n\n{_table(['set', 'against', 'difference'], found)}"


def _search_row(found: tuple[SystemRecord, dict[str, str]]) -> Cells:
    system, shown = found
    spent = f"{system.facts.get('p50_ms', 0):.0f} / {system.facts.get('p95_ms', 0):.0f}"
    return [_named(system, "recall"), system.name, *(shown[name] for name in _SEARCH), spent]


def _chunks(runs: Runs) -> str:
    rows: list[Cells] = []
    for _, run in runs:
        for system, shown in _best_in_bold(run.systems, _RECALLS):
            facts = system.facts
            shares = [_value(system, name) for name in _CHUNKS]
            seconds = f"{facts.get('cut_s', 0):.1f} + {facts.get('cut_model_s', 0):.0f}"
            sizes = f"{facts.get('mean_tokens', 0):.0f} / {facts.get('max_tokens', 0):.0f}"
            recalls = [shown[name] for name in _RECALLS]
            rows.append(
                [
                    _named(system, "complete"),
                    system.name,
                    f"{facts['chunks']:.0f}",
                    sizes,
                    *shares,
                    *recalls,
                    seconds,
                ]
            )
    heads = [
        "set (questions)",
        "strategy",
        "chunks",
        "tokens, mean / max",
        "pieces whole",
        "joined",
        "truncated",
    ]
    heads += ["cases whole", "recall 800", "1,600", "2,400", "IoU 1,600", "cut s, without + in the model"]
    return _table(heads, rows)


def _answers(runs: Runs) -> str:
    rows = []
    for _, run in runs:
        for system in run.systems:
            shares = [_value(system, name) for name in _ANSWERS]
            refused = " / ".join(_value(system, name) for name in _REFUSAL if name in system.figures) or "-"
            chars = f"{system.figures['chars'].value:.0f}" if "chars" in system.figures else "-"
            spent = f"{system.facts.get('p50_ms', 0):.0f} / {system.facts.get('p95_ms', 0):.0f}"
            asked = " / ".join(str(sum(name in c.scores for c in system.cases)) for name in _ASKED)
            rows.append([f"{system.set} ({asked})", *shares, chars, refused, spent])
    heads = ["set (with / without an answer)", *_ANSWERS, "characters", "refusal P / R / F1", "p50 / p95 ms"]
    return _table(heads, rows)


def _verify(runs: Runs) -> str:
    names = ("right", "caught", "alarm", "goal_precision", "goal_recall")
    rows = [
        [f"{system.set} ({len(system.cases)})", system.name]
        + [_with_interval(system, name) for name in names]
        + [f"{system.facts.get('p50_ms', 0):.1f} / {system.facts.get('p95_ms', 0):.1f}"]
        for _, run in runs
        for system in run.systems
    ]
    return _table(["half (sentences)", "checker", *names, "p50 / p95 ms"], rows)


def _best_in_bold(
    systems: Sequence[SystemRecord], names: Sequence[str]
) -> list[tuple[SystemRecord, dict[str, str]]]:
    """Each system with its figures as shown; the highest of a set in bold."""
    found: list[tuple[SystemRecord, dict[str, str]]] = []
    for system in systems:
        others = [one for one in systems if one.set == system.set]
        shown = {}
        for name in names:
            text = _value(system, name)
            is_best = len(others) > 1 and text != "-" and text == max(_value(one, name) for one in others)
            shown[name] = f"**{text}**" if is_best else text
        found.append((system, shown))
    return found


def _gain_row(run: RunFile, at: int, figure: str) -> Cells | None:
    """The first system of the set against the one at ``at``; ``None`` for the set's first, or without the figure."""
    other = run.systems[at]
    first = next(system for system in run.systems if system.set == other.set)
    if first is other:
        return None
    ours = {case.id: case.scores[figure] for case in first.cases if figure in case.scores}
    pairs = [(c.scores[figure], ours[c.id]) for c in other.cases if figure in c.scores and c.id in ours]
    if not pairs:
        return None
    gain = paired_difference(*zip(*pairs, strict=True))
    return [other.set, other.name, f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"]


def _named(system: SystemRecord, figure: str) -> str:
    """The set, with the number of questions that have the figure."""
    return f"{system.set} ({system.figures[figure].cases if figure in system.figures else 0})"


def _value(system: SystemRecord, name: str) -> str:
    return f"{system.figures[name].value:.3f}" if name in system.figures else "-"


def _with_interval(system: SystemRecord, name: str) -> str:
    if name not in system.figures:
        return "-"
    one = system.figures[name]
    return f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def _table(columns: Sequence[str], rows: Sequence[Cells]) -> str:
    """A set's name stands in its first row alone."""
    shown, last = [], ""
    for row in rows:
        shown.append(["" if row[0] == last else row[0], *row[1:]])
        last = row[0]
    lines = [list(columns), ["---", "---", *("---:" for _ in columns[2:])], *shown]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
