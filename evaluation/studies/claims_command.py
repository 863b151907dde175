"""``python -m evaluation claims``: what articles say of semantic chunking, measured again on gold sets."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.settings import load_settings
from core.terminal import OK, count, say, say_json


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "claims", help="retest what is claimed for semantic against fixed and recursive chunking"
    )
    command.add_argument(
        "--data", type=Path, action="append", required=True, metavar="DIR",
        help="folder with corpus/ and gold.jsonl; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--documents", type=count, default=0, help="take a sample of so many documents a set"
    )
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions a set")
    command.add_argument(
        "--no-answers", action="store_true", help="searches alone: whole answers index every set five times"
    )
    command.add_argument("--out", type=Path, help="folder for claims.json, claims.md and claims.run.json")
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, judge, print, and keep after each set."""
    # Imported here: other commands need none of it.
    from evaluation.reporting.recording import envelope
    from evaluation.retrieval.base import Models
    from evaluation.retrieval.progress import Progress
    from evaluation.run_stamp import run_stamp
    from evaluation.studies.claim_report import Retested, report_of, systems_of, tables_of, write_claims
    from evaluation.studies.claim_runs import Limits, SetClaims, whole_set
    from evaluation.vector_cache import VectorCache

    settings, stamp = load_settings(), run_stamp()
    limits = Limits(documents=options.documents, questions=options.questions)
    progress = Progress(settings.interface_language)
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    sets = list[SetClaims]()
    try:
        models = Models(cache, progress.of("embed", least=500))
        model = models.of(settings).embedder.fingerprint
        for folder in options.data:
            one = whole_set(folder, settings, models, limits, progress, with_answers=not options.no_answers)
            sets.append(one)
            found = Retested(sets=tuple(sets))
            tables = tables_of(found, settings.interface_language)
            report = report_of(found, stamp.as_json(), model)
            if options.out:
                chosen = {"documents": limits.documents, "questions": limits.questions}
                made = envelope(
                    "claims", stamp, settings, model, [one.data for one in sets], systems_of(found), chosen
                )
                write_claims(options.out, report, tables, made)
    finally:
        cache.close()
    if options.json:
        say_json(report)
    else:
        say(tables)
    return OK
