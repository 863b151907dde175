"""What the gate says, in Chinese and English: pure functions of what it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from core.terminal import tell
from evaluation.attribution.loss import Loss
from evaluation.gate.baseline import Baseline
from evaluation.gate.corpus import Tick
from evaluation.gate.figures import CaseRun, means
from evaluation.gate.judgement import Change, WorseCase

_SHOWN_CASES: Final = 12
_SHOWN_CHARS: Final = 110

_TEXTS: Final = {
    "zh": {
        "read": "读取文档",
        "ask": "提问",
        "refused": "无法读取：{names}",
        "new": "基线里没有的问题：{count} 个，不参与比较。",
        "gone": "基线里有、现在没有的问题：{count} 个。",
        "settings": "基线是用别的设置生成的。基线：{before}；现在：{now}。",
        "usual": "默认设置",
        "head": "指标　　基线 -> 现在　　问题数，变好/变差，出于偶然的概率",
        "plain": "指标　　现在",
        "fails": "  <- 变差，超出噪声",
        "pass": "通过：没有哪项指标变差到超出噪声。",
        "fail": "未通过：{names} 变差，超出噪声。",
        "cases": "{figure} 变差的问题（按丢失的环节：{stages}）：",
        "noise": "{figure} 变差、但未超出噪声的问题：{cases}",
        "lost": "未做好的问题，按丢失的环节：{stages}",
        "more": "  …另有 {count} 个",
        "unknown": "环节不明",
        "written": "已写入 {path}",
    },
    "en": {
        "read": "reading documents",
        "ask": "asking",
        "refused": "Cannot be read: {names}",
        "new": "{count} questions are not in the baseline and are not compared.",
        "gone": "{count} questions of the baseline are not asked any more.",
        "settings": "The baseline was made with other settings. Baseline: {before}; now: {now}.",
        "usual": "as by default",
        "head": "figure    baseline -> now    cases, better/worse, likelihood by chance",
        "plain": "figure    now",
        "fails": "  <- worse beyond noise",
        "pass": "Passed: no figure is worse beyond noise.",
        "fail": "Failed: {names} worse beyond noise.",
        "cases": "Cases with a worse {figure} (by the stage that lost them: {stages}):",
        "noise": "Cases with a worse {figure}, within noise: {cases}",
        "lost": "Cases that went wrong, by the stage that lost them: {stages}",
        "more": "  ... and {count} more",
        "unknown": "stage unknown",
        "written": "Written to {path}",
    },
}


def line(code: str, language: str, **details: object) -> str:
    """One of the sentences above."""
    return _TEXTS[language][code].format(**details)


def progress(code: str, language: str) -> Tick:
    """What tells every quarter of the steps done."""
    last = -1

    def tick(done: int, total: int) -> None:
        nonlocal last
        if done * 4 // total != last:
            tell(f"{line(code, language)} {done}/{total}")
        last = done * 4 // total

    return tick


def figures_text(runs: Sequence[CaseRun], language: str) -> str:
    """The figures alone, and which stage lost how many cases, with examples."""
    lines = [line("plain", language)]
    lines += [f"{name:20} {value:.4f}" for name, value in means(runs).items()]
    lost = [losses[0] for run in runs if (losses := first_losses(run))]
    if lost:
        lines += ["", line("lost", language, stages=_stages(lost, language))]
        lines += _examples(lost, language)
    return "\n".join(lines)


def comparison_text(found: Sequence[Change], language: str) -> str:
    """Figure by figure; the cases that got worse, at length where that is beyond noise; the verdict last."""
    lines = [line("head", language)]
    for change in found:
        lines.append(_figure_line(change) + (line("fails", language) if change.fails else ""))
    failing = [change for change in found if change.fails]
    for change in failing:
        firsts = [case.losses[0] for case in change.worse if case.losses]
        stages = _stages(firsts, language)
        lines += ["", line("cases", language, figure=change.figure, stages=stages)]
        lines += [_case_line(case, language) for case in change.worse[:_SHOWN_CASES]]
        if len(change.worse) > _SHOWN_CASES:
            lines.append(line("more", language, count=len(change.worse) - _SHOWN_CASES))
    for change in found:
        if change.worse and not change.fails:
            cases = ", ".join(_named(case, language) for case in change.worse)
            lines += ["", line("noise", language, figure=change.figure, cases=cases)]
    names = ", ".join(change.figure for change in failing)
    lines += ["", line("fail" if failing else "pass", language, names=names)]
    return "\n".join(lines)


def advice_text(
    baseline: Baseline, runs: Sequence[CaseRun], changed: dict[str, object], language: str
) -> str:
    """In what else the two differ: questions and settings; empty for nothing."""
    lines: list[str] = []
    new = sum(not baseline.knows(run.case) for run in runs)
    gone = len(baseline.questions.keys() - {run.case.id for run in runs})
    if new:
        lines.append(line("new", language, count=new))
    if gone:
        lines.append(line("gone", language, count=gone))
    if baseline.settings != changed:
        sides = {
            name: ", ".join(f"{key}={value}" for key, value in side.items()) or line("usual", language)
            for name, side in (("before", baseline.settings), ("now", changed))
        }
        lines.append(line("settings", language, **sides))
    return "\n".join(lines)


def first_losses(run: CaseRun) -> tuple[Loss, ...]:
    """What went wrong with a case as a reader sees it: its answer, or what it should have refused."""
    return run.losses.get("citation_recall", ()) or run.losses.get("refused", ())


def _figure_line(change: Change) -> str:
    counts = f"{change.cases}, {len(change.better)}/{len(change.worse)}, {change.chance:.3f}"
    return f"{change.figure:20} {change.before:.4f} -> {change.now:.4f}    {counts}"


def _case_line(worse: WorseCase, language: str) -> str:
    case = worse.run.case
    head = f"  {case.id}  {worse.before:.2f} -> {worse.now:.2f}  {_short(case.question)}"
    blamed = [_loss_line(loss) for loss in worse.losses[:2]] or [f"      {line('unknown', language)}"]
    return "\n".join([head, *blamed])


def _named(worse: WorseCase, language: str) -> str:
    stage = worse.losses[0].stage.value if worse.losses else line("unknown", language)
    return f"{worse.run.case.id} ({stage})"


def _examples(losses: Iterable[Loss], language: str) -> list[str]:
    shown: list[str] = []
    seen: Counter[str] = Counter()
    for loss in losses:
        seen[loss.stage.value] += 1
        if seen[loss.stage.value] <= 3:
            shown += [f"  {loss.case.id}  {_short(loss.case.question)}", _loss_line(loss)]
    return shown


def _loss_line(loss: Loss) -> str:
    words = f": {_short(loss.evidence)}" if loss.evidence else ""
    return f"      {loss.stage.value}: {loss.reason}" + (f" | {loss.doc}{words}" if loss.doc else "")


def _stages(losses: Iterable[Loss], language: str) -> str:
    counted = Counter(loss.stage.value for loss in losses)
    return ", ".join(f"{name} {count}" for name, count in counted.most_common()) or line("unknown", language)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN_CHARS else flat[: _SHOWN_CHARS - 1] + "…"
