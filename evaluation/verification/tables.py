"""The figures of checkers as Markdown tables, in Chinese and English: pure functions of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from core.verdict import Verdict
from evaluation.intervals import Interval, paired_difference
from evaluation.verification.checkers import Judged
from evaluation.verification.metrics import (
    GOAL,
    NUMERIC,
    Figures,
    Split,
    confusion,
    figures_of,
    milliseconds,
    not_supported,
    rightness,
)

Runs = Mapping[str, Sequence[Judged]]
Cells = list[str]

_LANGUAGES: Final = ("zh", "en")
_TEXTS: Final = {
    "zh": {
        "head": "### {half}：{cases} 个句子（真 {true}，假 {false}，部分 {partly}），{documents} 份文档",
        "goal": "数字、单位、日期与否定的改动（方括号内为 95% 区间；精确率按真假句数相等计算）",
        "groups": "全部|数字、单位、日期|否定|目标：两者合计|目标，zh|目标，en",
        "columns": "系统|改动|句数|精确率|召回率|召回率（含“部分支持”）|误报",
        "kinds": "每种改动判为“不支持”的比例（判为“部分支持”或“不支持”的比例）",
        "true": "真句被判为“不支持”的比例（被判为“部分支持”或“不支持”的比例）",
        "kind": "改动",
        "form": "写法",
        "confusion": "{name}：应为（行）与判定（列）",
        "expected": "应为",
        "time": "每次核对的毫秒数：中位数，第 95 百分位",
        "paired": "{name} 与 {baseline} 逐句相减的正确率：{mean:+.3f} [{low:+.3f}, {high:+.3f}]",
        "system": "系统",
    },
    "en": {
        "head": "### {half}: {cases} sentences ({true} true, {false} false, {partly} partly true), {documents} documents",
        "goal": "Changed numbers, units, dates and negations (95 % intervals; precision at as many false as true sentences)",
        "groups": "all|number, unit, date|negation|goal: both|goal, zh|goal, en",
        "columns": "system|changed|cases|precision|recall|recall with partly|false alarms",
        "kinds": 'Share called unsupported, and in brackets called "partly" or unsupported',
        "true": 'True sentences called unsupported, and in brackets called "partly" or unsupported',
        "kind": "changed",
        "form": "written",
        "confusion": "{name}: expected (rows) and said (columns)",
        "expected": "expected",
        "time": "Milliseconds a check: median, 95th percentile",
        "paired": "{name} less {baseline}, right verdicts sentence by sentence: {mean:+.3f} [{low:+.3f}, {high:+.3f}]",
        "system": "system",
    },
}  # fmt: skip


def tables_of(half: str, runs: Runs, language: str) -> str:
    """All tables of one half of the cases."""
    words = _TEXTS[language]
    first = next(iter(runs.values()))
    split = Split.of(first)
    facts = {
        "half": half, "cases": len(first), "documents": len({one.case.source for one in first}),
        "true": len(split.true), "false": len(split.false), "partly": len(split.partly),
    }  # fmt: skip
    parts = [words["head"].format(**facts), words["goal"], _goal_table(runs, words)]
    parts += [words["kinds"], _kind_table(runs, words["kind"], true=False)]
    parts += [words["true"], _kind_table(runs, words["form"], true=True)]
    for name, judged in runs.items():
        parts += [words["confusion"].format(name=name), _confusion_table(judged, words)]
    rows = [[name, *(f"{value:.2f}" for value in milliseconds(judged))] for name, judged in runs.items()]
    parts += [words["time"], _table([words["system"], "p50", "p95"], rows)]
    return "\n\n".join([*parts, *_paired(runs, words)])


def groups_of(judged: Sequence[Judged]) -> list[tuple[Figures | None, Figures | None]]:
    """Figures as unsupported, and as not supported, in the order of the text "groups"."""
    every, zh, en = (Split.of(judged, lang) for lang in ("", *_LANGUAGES))
    cut = [
        (every.false, every.true),
        (every.false_of(NUMERIC), every.true),
        (every.false_of(frozenset({"negation"})), every.true),
        (every.false_of(GOAL), every.true),
        (zh.false_of(GOAL), zh.true),
        (en.false_of(GOAL), en.true),
    ]
    return [(figures_of(*pair), figures_of(*pair, not_supported)) for pair in cut]


def _goal_table(runs: Runs, words: Mapping[str, str]) -> str:
    rows: list[Cells] = []
    for name, judged in runs.items():
        for group, (strict, loose) in zip(words["groups"].split("|"), groups_of(judged), strict=True):
            if strict and loose:
                shown = (strict.precision, strict.recall, loose.recall, strict.alarms)
                rows.append([name, group, str(strict.positives), *map(_with_interval, shown)])
    return _table(words["columns"].split("|"), rows)


def _kind_table(runs: Runs, head: str, *, true: bool) -> str:
    """One row for each kind and detail, one column for each checker and language."""
    columns = [(name, lang) for name in runs for lang in _LANGUAGES]
    cells: dict[tuple[str, str], dict[tuple[str, str], list[Judged]]] = {}
    for name, judged in runs.items():
        for one in judged:
            case = one.case
            if (case.expected is Verdict.SUPPORTED) is true:
                row = cells.setdefault((case.kind, case.detail), {column: [] for column in columns})
                row[name, case.lang].append(one)
    rows = [[": ".join(kind), *(_shares(row[column]) for column in columns)] for kind, row in cells.items()]
    return _table([head, *map(" ".join, columns)], rows)


def _shares(judged: Sequence[Judged]) -> str:
    if not judged:
        return "-"
    strict = sum(one.verdict is Verdict.UNSUPPORTED for one in judged) / len(judged)
    loose = sum(map(not_supported, judged)) / len(judged)
    return f"{strict:.2f} ({loose:.2f}) / {len(judged)}"


def _confusion_table(judged: Sequence[Judged], words: Mapping[str, str]) -> str:
    counts = confusion(judged)
    rows = [[expected, *(str(counts[expected, said]) for said in Verdict)] for expected in Verdict]
    return _table([words["expected"], *Verdict], [list(map(str, row)) for row in rows])


def _paired(runs: Runs, words: Mapping[str, str]) -> list[str]:
    (baseline, before), *others = runs.items()
    found = []
    for name, judged in others:
        gain = paired_difference(rightness(before), rightness(judged))
        facts = {"mean": gain.mean, "low": gain.low, "high": gain.high}
        found.append(words["paired"].format(name=name, baseline=baseline, **facts))
    return found


def _with_interval(figure: Interval) -> str:
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def _table(columns: Sequence[str], rows: Sequence[Cells]) -> str:
    rule = ["---", *("---:" for _ in columns[1:])]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [list(columns), rule, *rows])
