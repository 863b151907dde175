"""``python -m evaluation answers``: whole answers on gold questions, with and without an answer."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.settings import load_settings
from core.terminal import OK, count, say, say_json


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "answers", help="what answers hold, what they cite, and what is refused, on gold questions"
    )
    command.add_argument(
        "--data", type=Path, action="append", required=True, metavar="DIR",
        help="folder with corpus/ and gold.jsonl, indexed alone; may be given several times",
    )  # fmt: skip
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions a set")
    command.add_argument(
        "--method", choices=["extractive", "llm", "step-by-step"], default="extractive", help="how to answer"
    )
    command.add_argument(
        "--out", type=Path, help="folder for answers.json, answers.md, questions.jsonl and worst.jsonl"
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Ask, print, and keep; what is finished is kept when the rest is interrupted."""
    # Imported here: other commands need no search.
    from evaluation.answers.sets import run_sets

    settings = load_settings()
    report, table = run_sets(
        settings, options.data, method=options.method, max_questions=options.questions, out=options.out
    )
    if options.json:
        say_json(report)
    else:
        say(table)
    return OK
