"""The command line of evaluation: score the results of a batch search against gold questions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

from core.json_lines import read_json_lines
from core.span import Span
from core.terminal import OK, guarded, say, say_json
from evaluation.gold import read_gold
from evaluation.ranking import Retrieved, evidence_recall, reciprocal_rank


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 failed, 2 wrong use)."""
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("search", help="evidence recall, MRR and latency of a batch search")
    command.add_argument("--gold", type=Path, required=True)
    command.add_argument("--results", type=Path, required=True, help="what retrieval search --out wrote")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=score_search)
    options = parser.parse_args(arguments)
    return guarded(lambda: int(options.run(options)))


def score_search(options: argparse.Namespace) -> int:
    """Only questions with evidence count; a question without a result counts as not found."""
    cases = [case for case in read_gold(options.gold) if case.evidence]
    results = read_results(options.results)
    passages = {case.id: results[case.id][0] if case.id in results else [] for case in cases}
    latencies = sorted(latency for _, latency in results.values())
    figures: dict[str, float] = {"questions": len(cases)}
    for k in (1, 3, 5, 10):
        figures[f"evidence_recall@{k}"] = fmean(evidence_recall(c, passages[c.id], k) for c in cases)
    figures["mrr"] = fmean(reciprocal_rank(case, passages[case.id]) for case in cases)
    cuts = quantiles(latencies, n=20) if len(latencies) > 1 else latencies * 19
    figures |= {"latency_p50_ms": cuts[9], "latency_p95_ms": cuts[18]}
    if options.json:
        say_json(figures)
    else:
        for name, value in figures.items():
            say(f"{name:20} {value:10.4g}")
    return OK


def read_results(path: Path) -> dict[str, tuple[list[Retrieved], float]]:
    """Passages and latency in ms by question id.

    Raises ``FileMissingError`` and ``SettingsError`` with the number of a wrong line.
    """
    return dict(read_json_lines(path, "--results", _result))


def _result(row: dict[str, Any]) -> tuple[str, tuple[list[Retrieved], float]]:
    passages = [
        Retrieved(doc=p["doc"], span=Span(p["start"], p["end"]), pages=tuple(p["pages"]))
        for p in row["passages"]
    ]
    return str(row["id"]), (passages, float(row["latency_ms"]))
