"""The retested claims in Markdown and JSON: what holds, what does not, with figures and intervals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core.store.blobs import write_durably
from evaluation.reporting.recording import figures_of, rounded
from evaluation.reporting.run_file import CaseRecord, RunFile, SystemRecord, write_run
from evaluation.studies.claim_runs import Scores, SetClaims
from evaluation.studies.claims import LABELS, LATENCY, Retest, retests

Json = dict[str, object]
Rows = dict[str, dict[str, Scores]]
ALL: Final = "all"

_TEXTS: Final = {
    "zh": {
        "all": "全部数据集（{questions} 个问题）",
        "set": "{set}（{questions} 个问题）",
        "means": "策略|P@5|R@5|MRR|F1@5|同等 token 上下文召回|前五块含答案|回答正确|回答 p50 毫秒（处理器）"
        "|检索毫秒|块数|平均 token|切分秒（其中模型）|嵌入秒",
        "claims": "文章|指标|基线 → 当前|文章所称|此处|差（95% 区间）|偶然概率|结论",
        "none": "（本项目默认）",
        "better": "更高",
        "level": "噪声之内",
        "worse": "更低",
        "holds": "成立",
        "smaller": "方向成立，幅度小于所称",
        "not shown": "不成立（噪声之内）",
        "reversed": "不成立（相反）",
    },
    "en": {
        "all": "All sets together ({questions} questions)",
        "set": "{set} ({questions} questions)",
        "means": "strategy|P@5|R@5|MRR|F1@5|context recall, equal tokens|answer in five chunks|answer right|answer p50 CPU ms"
        "|search ms|chunks|mean tokens|cut s (in the model)|embed s",
        "claims": "article|figure|baseline → current|claimed|here|difference (95 % interval)|chance|verdict",
        "none": "(our default)",
        "better": "higher",
        "level": "level (within noise)",
        "worse": "lower",
        "holds": "holds",
        "smaller": "holds in direction, smaller than claimed",
        "not shown": "does not hold (within noise)",
        "reversed": "does not hold (the other way)",
    },
}  # fmt: skip
# Of our default nothing is claimed.
_UNCLAIMED: Final = {"holds": "better", "smaller": "better", "not shown": "level", "reversed": "worse"}
_FIGURES: Final = ("precision@5", "recall@5", "mrr", "f1@5", "context recall", "answer held", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retested:
    """All sets, in their order; ``every`` holds the questions of all."""

    sets: tuple[SetClaims, ...]

    @property
    def every(self) -> Rows:
        names = list(dict.fromkeys(name for one in self.sets for name in one.rows))
        return {
            name: {
                f"{one.name}/{key}": scores
                for one in self.sets
                for key, scores in one.rows.get(name, {}).items()
            }
            for name in names
        }


def tables_of(found: Retested, language: str) -> str:
    """Markdown: of each set the means and the claims, of all sets the claims."""
    words = _TEXTS[language]
    parts: list[str] = []
    for one in found.sets:
        title = words["set"].format(set=one.name, questions=_questions(one.rows))
        parts += [f"### {title}", _means(one, words["means"]), _claims(retests(one.rows), language)]
    if len(found.sets) > 1:
        every = found.every
        parts.append("### " + words["all"].format(questions=_questions(every)))
        parts.append(_claims(retests(every), language))
    return "\n\n".join(parts)


def report_of(found: Retested, stamp: Json, model: str) -> Json:
    """All means and verdicts."""
    scopes: list[tuple[str, Rows]] = [(one.name, one.rows) for one in found.sets]
    if len(found.sets) > 1:
        scopes.append((ALL, found.every))
    costs = {one.name: {name: asdict(cost) for name, cost in one.costs.items()} for one in found.sets}
    return {
        "run": stamp,
        "embedder": model,
        "costs": costs,
        "sets": [
            {
                "set": name,
                "means": {strategy: _mean(scores) for strategy, scores in rows.items()},
                "retests": [asdict(one) for one in retests(rows)],
            }
            for name, rows in scopes
        ],
    }


def systems_of(found: Retested) -> list[SystemRecord]:
    """Each strategy on each set, question by question."""
    return [
        SystemRecord(
            set=one.name,
            name=name,
            figures=figures_of(cases),
            facts=rounded(asdict(one.costs[name])),
            cases=cases,
        )
        for one in found.sets
        for name, rows in one.rows.items()
        for cases in [tuple(_case(key, scores) for key, scores in rows.items())]
    ]


def write_claims(folder: Path, report: Json, tables: str, run: RunFile) -> None:
    """``claims.json``, ``claims.md`` and the run, each replaced whole."""
    write_durably(folder / "claims.json", json.dumps(report, ensure_ascii=False, indent=1).encode())
    write_durably(folder / "claims.md", (tables + "\n").encode())
    write_run(folder, run)


def _case(key: str, scores: Scores) -> CaseRecord:
    shares = {name: value for name, value in scores.items() if name != LATENCY}
    return CaseRecord(id=key, scores=rounded(shares), latency_ms=scores.get(LATENCY))


def _questions(rows: Rows) -> int:
    return max((len(found) for found in rows.values()), default=0)


def _mean(rows: dict[str, Scores]) -> Scores:
    names = dict.fromkeys(name for scores in rows.values() for name in scores)
    means: Scores = {}
    for name in names:
        values = sorted(scores[name] for scores in rows.values() if name in scores)
        means[name] = values[len(values) // 2] if name == LATENCY else sum(values) / len(values)
    return means


def _means(one: SetClaims, columns: str) -> str:
    rows = []
    for name, scores in one.rows.items():
        mean, cost = _mean(scores), one.costs[name]
        shares = [f"{mean[figure]:.3f}" if figure in mean else "-" for figure in _FIGURES]
        answer_ms = f"{mean[LATENCY]:.0f}" if LATENCY in mean else "-"
        rows.append(
            [
                _label(name),
                *shares,
                answer_ms,
                f"{cost.search_ms:.2f}",
                str(cost.chunks),
                f"{cost.tokens:.0f}",
                f"{cost.cut_s + cost.cut_model_s:.1f} ({cost.cut_model_s:.1f})",
                f"{cost.embed_s:.1f}",
            ]
        )
    return _table(columns.split("|"), rows)


def _claims(found: Sequence[Retest], language: str) -> str:
    words = _TEXTS[language]
    rows = []
    for one in found:
        claim = one.claim
        claimed = f"{claim.claimed_baseline:g} → {claim.claimed:g} ({claim.gain:+.3g})" if claim else ""
        gain = one.gain
        rows.append(
            [
                claim.article if claim else words["none"],
                one.figure,
                f"{_label(one.baseline)} → {_label(one.current)}",
                claimed,
                f"{one.baseline_mean:.3f} → {one.current_mean:.3f}",
                f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]",
                f"{one.chance:.3f}",
                words[one.outcome if claim else _UNCLAIMED[one.outcome]],
            ]
        )
    return _table(words["claims"].split("|"), rows)


def _label(strategy: str) -> str:
    return LABELS.get(strategy, strategy)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [list(columns), ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
