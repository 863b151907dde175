"""``python -m evaluation study NAME``: thresholds, sizes, overlap, k and fusion swept over gold sets."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.settings import load_settings
from core.terminal import OK, count, say, say_json, tell

# As ``evaluation.studies.designs`` has them, which is not imported for a help text.
_NAMES = ("similarity", "size", "overlap", "k", "fusion", "blend")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "study", help="sweep a setting over gold sets and say whether its values differ beyond noise"
    )
    command.add_argument("study", choices=_NAMES, help="what is swept")
    command.add_argument(
        "--data", type=Path, action="append", required=True, metavar="DIR",
        help="folder with corpus/ and gold.jsonl; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--curves", default="", metavar="NAMES", help="some of its curves alone, with commas between"
    )
    command.add_argument(
        "--figure", help="what to judge by; default: the study's own, for example recall@1600"
    )
    command.add_argument(
        "--documents", type=count, default=0, help="take a sample of so many documents a set"
    )
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions a set")
    command.add_argument(
        "--out", type=Path, help="folder for the table, JSON and drawings, and runs/ beneath"
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Sweep, print, and keep; interrupted, it goes on from its cached vectors and bases."""
    # Imported here: other commands need none of it.
    from evaluation.run_stamp import run_stamp
    from evaluation.studies.report import Study, report_of, tables_of, write_study
    from evaluation.studies.sample import Sample
    from evaluation.studies.sweeps import design_of, sweep
    from evaluation.studies.texts import TEXTS

    settings = load_settings()
    language = settings.interface_language
    design = design_of(options.study, [name.strip() for name in options.curves.split(",") if name.strip()])
    figure = options.figure or design.figure
    sample = Sample(
        folders=tuple(options.data),
        max_documents=options.documents,
        max_questions=options.questions,
        out=options.out / "runs" if options.out else None,
    )
    sets, model = sweep(design, settings, sample, figure)
    study = Study.of(options.study, design, figure, sets, run_stamp().as_json(), model)
    if options.out:
        write_study(options.out, study, language)
        tell(TEXTS[language]["kept"].format(out=options.out))
    if options.json:
        say_json(report_of(study))
    else:
        say(tables_of(study, language))
    return OK
