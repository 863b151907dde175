"""The figures of one set as Markdown tables, in Chinese and English: pure functions of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evaluation.retrieval.reliability import Reliability
from evaluation.retrieval.runs import Run
from evaluation.retrieval.scores import STAGES

Cells = list[str]

_FIGURES: Final = ("hit@1", "recall@5", "mrr", "recall", "whole", "iou", "chars")
_COMPARED: Final = _FIGURES[:-1]

_TEXTS: Final = {
    "zh": {
        "head": "### {set}：{documents} 份文档，{characters} 个字符，{chunks} 个块，{questions} 个问题（{model}）",
        "left": "未计入：证据不在解析结果中 {misread}，文档未取 {elsewhere}；无法读取的文件 {refused}。",
        "none": "没有可用的问题。",
        "found": "检索（证据召回、整题、IoU 按 2400 / 6000 字符计；毫秒含问题嵌入）",
        "columns": "系统|首条命中|召回@5|MRR|证据召回|整题|IoU|字符|p50|p95|嵌入 p50|嵌入 p95",
        "paired": "与 {baseline} 逐题相减（均值，方括号内为 95% 区间；* 表示区间不含零）",
        "lost": "丢失的证据（条数）：budget 在字符预算之后，part 只有一部分，depth 排得更靠后，candidates 没有找到",
        "steps": "各步毫秒（p50 / p95）",
        "routes": "判断（可答 / 不可答的问题数）",
        "curve": "可靠性：{name}，n = {count}，ECE {ece:.3f}，Brier {brier:.3f}",
        "bins": "分数|问题数|平均分数|正确率",
        "system": "系统",
    },
    "en": {
        "head": "### {set}: {documents} documents, {characters} characters, {chunks} chunks, {questions} questions ({model})",
        "left": "Left out: evidence not in the parsed text {misread}, documents not taken {elsewhere}; unreadable files {refused}.",
        "none": "No question can be used.",
        "found": "Search (recall, whole and IoU within 2,400 / 6,000 characters; ms with the question's embedding)",
        "columns": "system|hit@1|recall@5|MRR|recall|whole|IoU|chars|p50|p95|embed p50|embed p95",
        "paired": "Paired differences from {baseline} (mean and 95 % interval; * where it leaves out zero)",
        "lost": "Lost evidence (pieces): budget = behind its end, part = only some of it, depth = ranked further down, "
        "candidates = not found",
        "steps": "Steps in ms (p50 / p95)",
        "routes": "Routes (questions with / without an answer)",
        "curve": "Reliability: {name}, n = {count}, ECE {ece:.3f}, Brier {brier:.3f}",
        "bins": "score|questions|mean score|right",
        "system": "system",
    },
}


def tables_of(facts: Mapping[str, object], runs: Sequence[Run], language: str) -> str:
    """Figures, differences from the first run, losses, steps, routes and reliability."""
    words = _TEXTS[language]
    parts = [words["head"].format(**facts), words["left"].format(**facts)]
    if not runs:
        return "\n\n".join([*parts, words["none"]])
    name = words["system"]
    parts += [words["found"], _table(words["columns"].split("|"), [_found_row(run) for run in runs])]
    if len(runs) > 1:
        parts.append(words["paired"].format(baseline=runs[0].name))
        parts.append(_table([name, *_COMPARED], [_paired_row(run) for run in runs[1:]]))
    parts += [words["lost"], _table([name, *STAGES], [_lost_row(run) for run in runs])]
    steps = list(dict.fromkeys(step for run in runs for step in run.steps))
    if steps:
        rows = [_steps_row(run, steps) for run in runs if run.steps]
        parts += [words["steps"], _table([name, *steps], rows)]
    parts += _routes(runs, words)
    for run in runs:
        if run.curve:
            parts += _curve(run.name, run.curve, words)
    return "\n\n".join(parts)


def _found_row(run: Run) -> Cells:
    mean = run.means
    shares = [f"{mean[name]:.3f}" if name in mean else "-" for name in _FIGURES[:-1]]
    spent = (run.latency.p50, run.latency.p95, run.embedding.p50, run.embedding.p95)
    return [run.name, *shares, f"{mean['chars']:.0f}", *(f"{value:.1f}" for value in spent)]


def _paired_row(run: Run) -> Cells:
    gains = [run.gains.get(name) for name in _COMPARED]
    return [
        run.name,
        *(
            f"{d.mean:+.3f} [{d.low:+.3f}, {d.high:+.3f}]{'*' if d.is_certain else ''}" if d else "-"
            for d in gains
        ),
    ]


def _lost_row(run: Run) -> Cells:
    return [run.name, *(str(sum(loss.stage == stage for loss in run.losses)) for stage in STAGES)]


def _steps_row(run: Run, steps: Sequence[str]) -> Cells:
    spent = [run.steps.get(step) for step in steps]
    return [run.name, *(f"{one.p50:.1f} / {one.p95:.1f}" if one else "-" for one in spent)]


def _routes(runs: Sequence[Run], words: Mapping[str, str]) -> list[str]:
    routes = list(dict.fromkeys(r for run in runs for found in run.routes.values() for r in found))
    if not routes:
        return []
    rows = [[run.name, *(_both(run, route) for route in routes)] for run in runs if run.routes]
    return [words["routes"], _table([words["system"], *routes], rows)]


def _both(run: Run, route: str) -> str:
    counts = [run.routes.get(kind, {}).get(route, 0) for kind in ("answerable", "unanswerable")]
    return " / ".join(map(str, counts))


def _curve(name: str, curve: Reliability, words: Mapping[str, str]) -> list[str]:
    rows = [
        [f"{one.low:.1f}-{one.high:.1f}", str(one.count), f"{one.score:.3f}", f"{one.right:.3f}"]
        for one in curve.bins
    ]
    head = words["curve"].format(name=name, count=curve.count, ece=curve.ece, brier=curve.brier)
    return [head, _table(words["bins"].split("|"), rows)]


def _table(columns: Sequence[str], rows: Sequence[Cells]) -> str:
    rule = ["---", *("---:" for _ in columns[1:])]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [list(columns), rule, *rows])
