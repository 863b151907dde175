"""What a comparison of chunkings writes: JSON with all figures, failing cases as gold, Markdown tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from core.store.blobs import write_durably
from evaluation.chunk_runs import HEADED, ChunkRun
from evaluation.chunk_scores import Failure
from evaluation.chunk_set import ChunkSet

_WORST: Final = 20
_SHOWN_CHARS: Final = 1500
Json = dict[str, object]
Cells = list[str]

_COMPARED: Final = (
    "complete", "truncated", "case_complete", "case_truncated", "recall@800", "recall@1600", "recall@2400",
    f"{HEADED}recall@1600", "whole@1600", "iou@1600",
)  # fmt: skip


def run_json(run: ChunkRun) -> Json:
    """All figures of one chunking but those of each question."""
    return {
        "name": run.name,
        "fingerprint": run.fingerprint,
        **asdict(run.sizes),
        "lost": run.lost,
        "header_inheritance": run.header_inheritance,
        "table_integrity": run.table_integrity,
        "page_retention": run.page_retention,
        "redundancy": run.redundancy,
        "judged": asdict(run.judged) if run.judged else None,
        "cut_s": run.cut_s,
        "cut_model_s": run.cut_model_s,
        "embed_s": run.embed_s,
        "means": run.means,
        "failures": {stage: sum(f.stage == stage for f in run.failures) for stage in _STAGES},
        "differences": {name: asdict(gain) for name, gain in run.gains.items()},
    }


_STAGES: Final = ("chunking", "overlap", "embedding")


def set_json(chunk_set: ChunkSet) -> Json:
    return {
        "set": chunk_set.name,
        "documents": len(chunk_set.documents),
        "characters": sum(len(document.text) for document in chunk_set.documents.values()),
        "questions": len(chunk_set.questions),
        "misread": len(chunk_set.misread),
        "unplaced": chunk_set.unplaced,
        "unreadable": list(chunk_set.unreadable),
    }


def write_report(
    folder: Path, report: Json, tables: str, done: Sequence[tuple[ChunkSet, Sequence[ChunkRun]]]
) -> None:
    """``chunks.json``, ``chunks.md``, ``scores.jsonl`` and ``failures.jsonl``, each replaced whole."""
    write_durably(folder / "chunks.json", json.dumps(report, ensure_ascii=False, indent=1).encode())
    write_durably(folder / "chunks.md", (tables + "\n").encode())
    runs = [run for _, made in done for run in made]
    _write_lines(folder / "scores.jsonl", (row for run in runs for row in _score_rows(run)))
    _write_lines(folder / "failures.jsonl", (row for pair in done for row in failing_cases(*pair)))


def _write_lines(path: Path, rows: Iterable[Json]) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_durably(path, lines.encode("utf-8", "surrogatepass"))


def _score_rows(run: ChunkRun) -> Iterator[Json]:
    """One line a question, for whoever compares this run with a later one."""
    for question, scores in run.scores.items():
        rounded = {name: round(value, 4) for name, value in scores.items()}
        yield {"set": run.set_name, "strategy": run.name, "id": question, **rounded}


def failing_cases(chunk_set: ChunkSet, runs: Sequence[ChunkRun]) -> Iterator[Json]:
    """Gold lines of the worst cases, with what went wrong: read again by whatever reads gold."""
    for case in chunk_set.misread:
        yield {**case.model_dump(), "set": chunk_set.name, "stage": "parser"}
    for run in runs:
        # First what chunking did; among what the model did, what it ranked lowest.
        worst = sorted(run.failures, key=lambda f: (_STAGES.index(f.stage), f.share, -f.rank))
        for stage in _STAGES:
            for failure in [f for f in worst if f.stage == stage][:_WORST]:
                yield _failing(run, failure)


def _failing(run: ChunkRun, failure: Failure) -> Json:
    best, first = failure.best, failure.first
    return {
        **failure.question.case.model_dump(),
        "set": run.set_name,
        "strategy": run.name,
        "stage": failure.stage,
        "missing": {
            "doc": failure.piece.doc,
            "start": failure.piece.span.start,
            "end": failure.piece.span.end,
        },
        "best_rank": failure.rank,
        "best_share": round(failure.share, 3),
        "best_chunk": best.text[:_SHOWN_CHARS] if best else "",
        "first_chunk": first.text[:_SHOWN_CHARS] if first else "",
    }


_TEXTS: Final = {
    "zh": {
        "head": "### {set}：{documents} 份文档，{characters} 个字符，{questions} 个问题（{model}）",
        "left": "未计入：解析后位置不符 {misread}，没有字符位置 {unplaced}，无法读取 {unreadable}。",
        "chunks": "分块",
        "search": "检索（仅向量，返回同样多的 token）",
        "paired": "与 {baseline} 逐题相减（均值，方括号内为 95% 区间；* 表示区间不含零）",
        "columns": "策略|块数|空块|token 均值|最大|超硬限|超窗口|完整|邻接|截断|整题完整|整题截断|带标题|表格行|邻块 ROUGE-L|"
        "切分秒|切分用模型秒|嵌入秒|未对齐",
        "none": "没有可用的问题。",
    },
    "en": {
        "head": "### {set}: {documents} documents, {characters} characters, {questions} questions ({model})",
        "left": "Left out: misread by the parser {misread}, without offsets {unplaced}, unreadable "
        "{unreadable}.",
        "chunks": "Chunks",
        "search": "Search (vectors alone, equal tokens returned)",
        "paired": "Paired differences from {baseline} (mean and 95 % interval; * where it leaves out zero)",
        "columns": "strategy|chunks|empty|mean tokens|max|over hard|over window|complete|adjacent|truncated|case complete|case truncated|"
        "header|table rows|neighbour ROUGE-L|cut s|cut model s|embed s|unaligned",
        "none": "No question can be used.",
    },
}
_SEARCH: Final = (
    "recall@800", "recall@1600", "recall@2400", f"{HEADED}recall@800", f"{HEADED}recall@1600",
    f"{HEADED}recall@2400", "whole@1600", "precision@1600", "char_recall@1600", "iou@1600",
    "chroma_recall", "chroma_precision", "chroma_omega", "chroma_iou",
)  # fmt: skip


def set_tables(chunk_set: ChunkSet, runs: Sequence[ChunkRun], model: str, language: str) -> str:
    """Markdown: sizes and completeness, search, and the differences from the first run."""
    words = _TEXTS[language]
    facts = set_json(chunk_set)
    facts["unreadable"] = len(chunk_set.unreadable)
    parts = [words["head"].format(**facts, model=model), words["left"].format(**facts)]
    if not chunk_set.questions:
        parts.append(words["none"])
    if not runs:
        return "\n\n".join(parts)
    name = words["columns"].partition("|")[0]
    parts += [
        words["chunks"],
        _table(words["columns"].split("|"), [_chunk_row(run) for run in runs]),
        words["search"],
        _table([name, *map(_title, _SEARCH)], [_search_row(run) for run in runs]),
    ]
    if len(runs) > 1:
        parts.append(words["paired"].format(baseline=runs[0].name))
        parts.append(_table([name, *map(_title, _COMPARED)], [_paired_row(run) for run in runs[1:]]))
    return "\n\n".join(parts)


def _chunk_row(run: ChunkRun) -> Cells:
    size, mean = run.sizes, run.means
    counts = (size.max_tokens, size.over_limit, size.over_window)
    shares = ("complete", "adjacent", "truncated", "case_complete", "case_truncated")
    return [
        run.name,
        str(size.chunks),
        f"{size.empty_rate:.3f}",
        f"{size.mean_tokens:.0f}",
        *map(str, counts),
        *(f"{mean[name]:.3f}" for name in shares),
        _or_dash(run.header_inheritance),
        _or_dash(run.table_integrity),
        f"{run.redundancy:.3f}",
        *(f"{seconds:.1f}" for seconds in (run.cut_s, run.cut_model_s, run.embed_s)),
        str(run.lost),
    ]


def _search_row(run: ChunkRun) -> Cells:
    return [run.name, *(f"{run.means[name]:.3f}" for name in _SEARCH)]


def _paired_row(run: ChunkRun) -> Cells:
    gains = [run.gains[name] for name in _COMPARED]
    return [
        run.name,
        *(f"{d.mean:+.3f} [{d.low:+.3f}, {d.high:+.3f}]{'*' if d.is_certain else ''}" for d in gains),
    ]


def _title(figure: str) -> str:
    return figure.replace(HEADED, "+header ").replace("_", " ")


def _or_dash(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _table(columns: Sequence[str], rows: Sequence[Cells]) -> str:
    rule = ["---", *("---:" for _ in columns[1:])]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [list(columns), rule, *rows])
