"""What a run over answers writes: JSON with all figures, a Markdown table, every question, the worst cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core.settings import Settings
from core.store.blobs import write_durably
from evaluation.answers.runs import Row, Run
from evaluation.intervals import Interval

Json = dict[str, object]

_SHARES: Final = ("answer", "words", "rouge", "precision", "held", "recall", "page")
_WORST: Final = 40
_HEADS: Final = {
    "zh": "数据集|可答 / 不可答|答案原文|关键词|ROUGE-L|引用精度|含半条证据|引用召回|页码|引用字数|拒答精度 / 召回 / F1|p50 / p95 毫秒",
    "en": "set|with / without an answer|answer string|words|ROUGE-L|citation precision|holds half|citation recall|page"
    "|chars cited|refusal P / R / F1|p50 / p95 ms",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One set and its run."""

    name: str
    documents: int
    model: str
    run: Run


def report_of(stamp: Json, settings: Settings, method: str, done: Sequence[Done]) -> Json:
    """All figures but those of each question, with what they were made with."""
    groups = {"chunking", "embedding", "retrieval"}
    return {
        "run": stamp,
        "method": method,
        "settings": settings.model_dump(mode="json", include=groups),
        "sets": [_set_json(one) for one in done],
    }


def table_of(done: Sequence[Done], language: str) -> str:
    """Markdown: one row a set; shares with their 95 % intervals."""
    head = _HEADS[language].split("|")
    rows = [head, ["---", *("---:" for _ in head[1:])], *map(_cells, done)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def write_report(folder: Path, report: Json, table: str, done: Sequence[Done]) -> None:
    """``answers.json``, ``answers.md``, ``questions.jsonl`` and ``worst.jsonl``, each replaced whole."""
    write_durably(folder / "answers.json", json.dumps(report, ensure_ascii=False, indent=1).encode())
    write_durably(folder / "answers.md", (table + "\n").encode())
    _write_lines(
        folder / "questions.jsonl", (_row_json(one.name, row) for one in done for row in one.run.rows)
    )
    worst = (
        {**row.question.gold.model_dump(), **_row_json(one.name, row), "cited": [c.text for c in row.cited]}
        for one in done
        for row in sorted(one.run.rows, key=lambda row: row.worth)[:_WORST]
    )
    _write_lines(folder / "worst.jsonl", worst)


def _set_json(one: Done) -> Json:
    run = one.run
    return {
        "set": one.name,
        "documents": one.documents,
        "model": one.model,
        "answerable": sum(bool(row.scores) for row in run.rows),
        "unanswerable": sum(not row.scores for row in run.rows),
        "means": {name: asdict(mean) | {"questions": run.counts[name]} for name, mean in run.means.items()},
        "precision_pooled": run.pooled,
        "refusal": asdict(run.refusal) if run.refusal else None,
        "latency_ms": asdict(run.latency),
    }


def _cells(one: Done) -> list[str]:
    run = one.run
    answerable = sum(bool(row.scores) for row in run.rows)
    shares = [_shown(run.means.get(name)) for name in _SHARES]
    chars = f"{run.means['chars'].value:.0f}" if "chars" in run.means else "-"
    refused = run.refusal
    figures = (refused.precision, refused.recall, refused.f1) if refused else ()
    return [
        one.name,
        f"{answerable} / {len(run.rows) - answerable}",
        *shares,
        chars,
        " / ".join(f"{figure.value:.3f}" for figure in figures) or "-",
        f"{run.latency.p50:.0f} / {run.latency.p95:.0f}",
    ]


def _shown(mean: Interval | None) -> str:
    return f"{mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}]" if mean else "-"


def _row_json(name: str, row: Row) -> Json:
    return {
        "set": name,
        "id": row.question.case.id,
        "answered": row.answered,
        "method": row.method,
        "route": row.route,
        "probability": row.probability,
        **{figure: round(value, 4) for figure, value in row.scores.items()},
        "latency_ms": round(row.latency_ms, 2),
        "citations": [[c.place.doc, c.place.span.start, c.place.span.end] for c in row.cited],
    }


def _write_lines(path: Path, rows: Iterable[Json]) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_durably(path, lines.encode("utf-8", "surrogatepass"))
