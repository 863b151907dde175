"""What a measurement of checkers writes: figures as JSON and Markdown, all cases, and the failed ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from core.store.blobs import write_durably
from core.verdict import Verdict
from evaluation.verification.case import Case, Json
from evaluation.verification.checkers import Judged
from evaluation.verification.metrics import confusion, milliseconds
from evaluation.verification.tables import Runs, groups_of

# Names of the groups of figures, in the order that ``groups_of`` yields them.
_GROUPS = ("all", "numeric", "negation", "goal", "goal_zh", "goal_en")
# Failed cases that are shown of each kind.
_SHOWN = 5


def half_json(half: str, runs: Runs) -> Json:
    """The figures of one half of the cases, by checker."""
    return {"half": half, "systems": {name: _system_json(judged) for name, judged in runs.items()}}


def _system_json(judged: Sequence[Judged]) -> Json:
    figures = zip(_GROUPS, groups_of(judged), strict=True)
    p50, p95 = milliseconds(judged)
    return {
        "figures": {
            name: {
                "unsupported": asdict(strict) if strict else None,
                "not_supported": asdict(loose) if loose else None,
            }
            for name, (strict, loose) in figures
        },
        "confusion": {f"{expected}/{said}": n for (expected, said), n in confusion(judged).items()},
        "kinds": _kinds_json(judged),
        "ms": {"p50": round(p50, 3), "p95": round(p95, 3)},
    }


def _kinds_json(judged: Sequence[Judged]) -> Json:
    """How often each verdict was given, by kind, detail and language."""
    counts: dict[str, dict[str, int]] = {}
    for one in judged:
        case = one.case
        row = counts.setdefault(f"{case.kind}/{case.detail}/{case.lang}", dict.fromkeys(Verdict, 0))
        row[one.verdict] += 1
    return dict(counts)


def write_cases(folder: Path, cases: Iterable[Case]) -> None:
    """``cases.jsonl``, replaced whole."""
    _write_lines(folder / "cases.jsonl", (case.as_json() for case in cases))


def write_report(folder: Path, report: Json, tables: str, halves: Mapping[str, Runs]) -> None:
    """``verification.json``, ``verification.md`` with the worst cases, and all verdicts in ``verdicts.jsonl``."""
    write_durably(folder / "verification.json", json.dumps(report, ensure_ascii=False, indent=1).encode())
    failed = [failures(name, judged) for runs in halves.values() for name, judged in list(runs.items())[-1:]]
    write_durably(folder / "verification.md", ("\n\n".join([tables, *failed]) + "\n").encode())
    _write_lines(
        folder / "verdicts.jsonl",
        (one.as_json(name) for runs in halves.values() for name, judged in runs.items() for one in judged),
    )


def failures(name: str, judged: Sequence[Judged]) -> str:
    """Some of the cases of each kind that did not get what was expected, with their passages."""
    lines = [f"### {name}"]
    wrong: dict[str, list[Judged]] = {}
    for one in judged:
        if one.verdict is not one.case.expected:
            wrong.setdefault(f"{one.case.kind}: {one.case.detail}, {one.case.lang}", []).append(one)
    for kind, row in wrong.items():
        lines.append(f"#### {kind}: {len(row)}")
        lines += [_failure(one) for one in row[:_SHOWN]]
    return "\n\n".join(lines)


def _failure(one: Judged) -> str:
    case = one.case
    rows = [
        f"{case.id}, {case.source}: {case.expected} -> {one.verdict} {'; '.join(one.reasons)}".rstrip(),
        f"- sentence: {_line(case.sentence)}",
        f"- original: {_line(case.original)}",
        f"- passage: {_line(case.passage_text)}",
    ]
    return "\n".join(rows)


def _line(text: str) -> str:
    return " ".join(text.split())


def _write_lines(path: Path, rows: Iterable[Json]) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_durably(path, lines.encode("utf-8", "surrogatepass"))
