"""What a comparison of two runs says, in Chinese and English: pure functions of what it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from evaluation.comparing.compare import CaseChange, Compared, FigureChange, is_judged, is_key
from evaluation.reporting.figures import meaning_of, name_of, shown
from evaluation.reporting.run_file import RunFile

_SHOWN_CASES: Final = 8
_SHOWN_CHARS: Final = 90
_VERDICTS: Final = {1: "better", -1: "worse", 0: "same"}

_TEXTS: Final = {
    "zh": {
        "sides": "前：{before}\n后：{now}",
        "head": "### {kind}，{set}：{before} -> {now}",
        "columns": "指标|题数|前|后|差（95% 区间）|p|p（Holm）|变好 / 变差|结论",
        "better": "变好",
        "worse": "**变差**",
        "same": "噪声以内",
        "neutral": "–",
        "only": "只在一次运行里的题不比较：前 {before}，后 {now}。",
        "cases_worse": "{figure} 变差的题（按环节：{stages}）：",
        "cases_better": "{figure} 变好的题（原来丢在：{stages}）：",
        "more": "  …另有 {count} 题",
        "unknown": "环节不明",
        "fail": "变差且超出噪声：{names}",
        "pass": "没有关键指标变差到超出噪声。",
        "many": "共看了 {count} 个关键指标；按 Holm 校正多重比较后仍成立（p < 0.05）：{names}。",
        "none": "没有",
    },
    "en": {
        "sides": "before: {before}\nnow: {now}",
        "head": "### {kind}, {set}: {before} -> {now}",
        "columns": "figure|cases|before|now|difference (95 % interval)|p|p (Holm)|better / worse|verdict",
        "better": "better",
        "worse": "**worse**",
        "same": "within noise",
        "neutral": "–",
        "only": "Cases of one run alone are not compared: before {before}, now {now}.",
        "cases_worse": "Cases with a worse {figure} (by stage: {stages}):",
        "cases_better": "Cases with a better {figure} (lost before at: {stages}):",
        "more": "  ... and {count} more",
        "unknown": "stage unknown",
        "fail": "Worse beyond noise: {names}",
        "pass": "No key figure is worse beyond noise.",
        "many": "{count} key figures were looked at; what stands (p < 0.05) when adjusted for that many (Holm): {names}.",
        "none": "nothing",
    },
}


def comparison_text(
    before: Sequence[RunFile],
    now: Sequence[RunFile],
    found: Sequence[Compared],
    language: str,
    *,
    every: bool = False,
) -> str:
    """Markdown: what the two were made with, a table for each system and set, the cases, the verdict last."""
    words = _TEXTS[language]
    kinds = {one.kind for one in found}
    sides = {
        name: [run for run in runs if run.kind in kinds] for name, runs in (("before", before), ("now", now))
    }
    parts = [words["sides"].format(**{name: _made(runs) for name, runs in sides.items()})]
    for one in found:
        parts += _system(one, language, every=every)
    judged = [
        (f"{name_of(one.kind, change.figure, language)} ({one.set}, {one.now})", change)
        for one in found
        for change in one.changes
        if is_judged(one.kind, change.figure)
    ]
    if len(judged) > 1:
        standing = [f"{name}: {words[_VERDICTS[change.verdict]]}" for name, change in judged if change.stands]
        parts.append(words["many"].format(count=len(judged), names=", ".join(standing) or words["none"]))
    worse = [name for name, change in judged if change.verdict < 0]
    parts.append(words["fail"].format(names=", ".join(worse)) if worse else words["pass"])
    return "\n\n".join(parts)


def _made(runs: Sequence[RunFile]) -> str:
    """Commit, date, and what was not set as by default."""
    made = [
        ", ".join(
            [
                f"{run.made.commit or '–'}{'+' if run.made.changed else ''} {run.made.date}",
                *(f"{name}={value}" for name, value in run.settings.items()),
            ]
        )
        for run in runs
    ]
    return "; ".join(dict.fromkeys(made))


def _system(one: Compared, language: str, *, every: bool) -> list[str]:
    words = _TEXTS[language]
    kept = [change for change in one.changes if every or is_key(one.kind, change.figure)]
    parts = [words["head"].format(kind=one.kind, set=one.set, before=one.before, now=one.now)]
    head = words["columns"].split("|")
    rows = [head, ["---", *("---:" for _ in head[1:])], *(_row(one.kind, c, language) for c in kept)]
    parts.append("\n".join("| " + " | ".join(row) + " |" for row in rows))
    if one.only_before or one.only_now:
        parts.append(words["only"].format(before=one.only_before, now=one.only_now))
    for change in kept:
        if change.verdict:
            parts += _moved(one.kind, change, language)
    return parts


def _row(kind: str, change: FigureChange, language: str) -> list[str]:
    words, gap = _TEXTS[language], change.difference
    scale = 100 if meaning_of(kind, change.figure).is_share else 1
    verdict = _VERDICTS[change.verdict]
    if not meaning_of(kind, change.figure).better:
        verdict = "neutral"
    return [
        name_of(kind, change.figure, language),
        str(change.cases),
        shown(kind, change.figure, change.before),
        shown(kind, change.figure, change.now),
        f"{gap.mean * scale:+.2f} [{gap.low * scale:+.2f}, {gap.high * scale:+.2f}]",
        f"{change.p:.3f}",
        f"{change.p_holm:.3f}" if is_judged(kind, change.figure) else "–",
        f"{len(change.better)} / {len(change.worse)}",
        words[verdict],
    ]


def _moved(kind: str, change: FigureChange, language: str) -> list[str]:
    code, cases = ("cases_worse", change.worse) if change.verdict < 0 else ("cases_better", change.better)
    words = _TEXTS[language]
    stages = Counter(case.stage or words["unknown"] for case in cases)
    named = ", ".join(f"{stage} {count}" for stage, count in stages.most_common())
    lines = [words[code].format(figure=name_of(kind, change.figure, language), stages=named)]
    lines += [_case(kind, change.figure, case, words["unknown"]) for case in cases[:_SHOWN_CASES]]
    if len(cases) > _SHOWN_CASES:
        lines.append(words["more"].format(count=len(cases) - _SHOWN_CASES))
    return ["\n".join(lines)]


def _case(kind: str, figure: str, case: CaseChange, unknown: str) -> str:
    flat = " ".join(case.question.split())
    question = flat if len(flat) <= _SHOWN_CHARS else flat[: _SHOWN_CHARS - 1] + "…"
    values = f"{shown(kind, figure, case.before)} -> {shown(kind, figure, case.now)}"
    return f"  {case.id}  {values}  [{case.stage or unknown}]  {question}"
