"""The command line of evaluation: score batch searches, compare chunkings, fine-tune an embedding model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

from core.errors import SettingsError
from core.json_lines import read_json_lines
from core.settings import load_settings
from core.span import Span
from core.terminal import OK, count, guarded, say, say_json, tell
from evaluation import chunks_command, ragas_command
from evaluation.answers import command as answers_command
from evaluation.benchmarks import command as benchmarks_command
from evaluation.comparing import command as compare_command
from evaluation.drafting import command as draft_command
from evaluation.finetune import Recipe, finetune
from evaluation.gate import command as gate_command
from evaluation.gold import read_gold
from evaluation.ranking import Retrieved, evidence_recall, reciprocal_rank
from evaluation.reporting import command as report_command
from evaluation.retrieval import command as retrieval_command
from evaluation.reviewing import command as review_command
from evaluation.studies import claims_command
from evaluation.studies import command as study_command
from evaluation.topic_groups import read_groups, section_groups
from evaluation.tuning import command as tune_command
from evaluation.verification import command as verification_command
from evaluation.views import finetune_text
from ingest.workspace import Workspace


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 failed, 2 wrong use)."""
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    usual = Recipe()
    command = commands.add_parser(
        "finetune", help="train an embedding model on topics of one's own documents"
    )
    command.add_argument("--model", required=True, help="sentence-transformers model by name or folder")
    command.add_argument("--out", type=Path, required=True, help="folder that the trained model becomes")
    command.add_argument(
        "--groups", type=Path, help="JSON lines with texts of one topic; default: the stored sections"
    )
    command.add_argument("--collection", help="knowledge base whose sections are the groups")
    command.add_argument("--epochs", type=count, default=usual.epochs)
    command.add_argument("--batch-size", type=count, default=usual.batch_size)
    command.add_argument("--learning-rate", type=float, default=usual.learning_rate)
    command.add_argument("--held-back", type=_share, default=usual.held_back, help="share to judge by")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=train)
    chunks_command.add_to(commands)
    retrieval_command.add_to(commands)
    command = retrieval_command.add_to(commands, "search")
    command.add_argument(
        "--results", type=Path, help="score what python -m retrieval search --out wrote, with --gold"
    )
    command.add_argument("--gold", type=Path, help="the questions that --results answers")
    command.set_defaults(run=search)
    answers_command.add_to(commands)
    verification_command.add_to(commands)
    gate_command.add_to(commands)
    compare_command.add_to(commands)
    report_command.add_to(commands)
    draft_command.add_to(commands)
    review_command.add_to(commands)
    study_command.add_to(commands)
    claims_command.add_to(commands)
    tune_command.add_to(commands)
    benchmarks_command.add_to(commands)
    ragas_command.add_to(commands)
    options = parser.parse_args(arguments)
    return guarded(lambda: int(options.run(options)))


def search(options: argparse.Namespace) -> int:
    """The command ``retrieval`` by its other name; with ``--results`` the figures of a batch search."""
    return score_search(options) if options.results else retrieval_command.run(options)


def score_search(options: argparse.Namespace) -> int:
    """Only questions with evidence count; a question without a result counts as not found."""
    if options.gold is None:
        raise SettingsError(name="--gold", reason="expected with --results")
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


def train(options: argparse.Namespace) -> int:
    """Fine-tune and print the figures before and after on the held-back topics."""
    settings = load_settings()
    if options.groups:
        groups = read_groups(options.groups)
    else:
        with Workspace(settings).store.read() as reader:
            groups = section_groups(reader, options.collection)
    recipe = Recipe(
        epochs=options.epochs,
        batch_size=options.batch_size,
        learning_rate=options.learning_rate,
        held_back=options.held_back,
    )
    # Imported here: only training needs torch.
    from evaluation.contrastive import ContrastiveModel

    outcome = finetune(ContrastiveModel(options.model), groups, recipe, options.out, _tick)
    if options.json:
        say_json(outcome.as_json())
    else:
        say(finetune_text(outcome, options.out, settings.interface_language))
    return OK


def _tick(done: int, total: int) -> None:
    if done == total or done * 10 // total != (done - 1) * 10 // total:
        tell(f"{done}/{total}")


def _share(value: str) -> float:
    number = float(value)
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"expected a share between 0 and 1, got {value}")
    return number


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
