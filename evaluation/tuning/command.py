"""``python -m evaluation tune``: settings for one's own documents, from one's own gold questions."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.settings import load_settings
from core.terminal import OK, count, say, say_json, tell


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "tune", help="pick settings on half of the gold questions and judge them on the other half"
    )
    command.add_argument(
        "--gold", type=Path, required=True, metavar="FILE", help="gold questions (JSON lines)"
    )
    command.add_argument(
        "--corpus", type=Path, required=True, metavar="DIR", help="folder of their documents"
    )
    command.add_argument(
        "--knobs", default="search", metavar="KNOBS",
        help="search (default), chunks (indexes anew for each value), all, or "
        "'retrieval.passages=8|16;retrieval.rrf_k=10|60'",
    )  # fmt: skip
    command.add_argument(
        "--figure", default="recall", help="what to pick by: recall (default), whole, mrr, hit@1"
    )
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions")
    command.add_argument("--out", type=Path, help="folder for tune.json, tune.md and tune.run.json")
    command.add_argument("--json", action="store_true", help="print JSON instead of text")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Pick, judge, print what to set, if anything; bases and vectors stay for the next time."""
    # Imported here: other commands need none of it.
    from evaluation.reporting.recording import envelope
    from evaluation.reporting.run_file import write_run
    from evaluation.retrieval.base import Models
    from evaluation.retrieval.progress import Progress
    from evaluation.retrieval.record import data_of
    from evaluation.run_stamp import run_stamp
    from evaluation.tuning.knobs import knobs_of
    from evaluation.tuning.measuring import Bench, read_folder
    from evaluation.tuning.picking import tuned
    from evaluation.tuning.report import report_of, systems_of, text_of, write_tuned
    from evaluation.tuning.texts import TEXTS
    from evaluation.vector_cache import VectorCache

    settings, stamp, knobs = load_settings(), run_stamp(), knobs_of(options.knobs)
    language = settings.interface_language
    found, progress = read_folder(options.gold, options.corpus), Progress(language)
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    try:
        models = Models(cache, progress.of("embed", least=500))
        bench = Bench(found, settings, models, progress, options.figure)
        asked = bench.asked(options.questions)
        left = len(asked.misread) + asked.elsewhere
        if left:
            tell(TEXTS[language]["left"].format(count=left))
        made = tuned(bench, knobs, asked.questions)
    finally:
        cache.close()
    text, report = text_of(made, language), report_of(made, stamp.as_json())
    if options.out:
        fingerprint = bench.base.model.embedder.fingerprint
        data = [data_of(found, bench.base, asked)]
        chosen = {"knobs": options.knobs, "figure": options.figure, "chosen": made.climb.chosen}
        write_run(options.out, envelope("tune", stamp, settings, fingerprint, data, systems_of(made), chosen))
        write_tuned(options.out, report, text)
        tell(TEXTS[language]["kept"].format(out=options.out))
    if options.json:
        say_json(report)
    else:
        say(text)
    return OK
