"""``python -m evaluation verify``: how well sentences are checked, on cases made from gold sets."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.settings import load_settings
from core.terminal import OK, count, say, say_json


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "verify", help="how well true and changed sentences are told apart, on cases made from gold sets"
    )
    command.add_argument(
        "--data", type=Path, action="append", required=True, metavar="DIR",
        help="folder with corpus/ of plain text and gold.jsonl; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--half", choices=("dev", "test", "both"), default="test",
        help="half of the documents: dev to work with, test for figures (default: test)",
    )  # fmt: skip
    command.add_argument(
        "--cases", type=count, metavar="N",
        help="at most about so many cases of each kind, language and half (default: 30)",
    )  # fmt: skip
    command.add_argument(
        "--only-build", action="store_true", help="write the cases to --out and check none of them"
    )
    command.add_argument(
        "--out", type=Path,
        help="folder for verification.json, verification.md, cases.jsonl and verdicts.jsonl",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Build the cases, check them with every checker, print, and keep."""
    # Imported here: other commands need none of it.
    from evaluation.reporting.recording import envelope
    from evaluation.reporting.run_file import write_run
    from evaluation.run_stamp import run_stamp
    from evaluation.verification.build import QUOTA, build
    from evaluation.verification.case import Json
    from evaluation.verification.checkers import CHECKERS, judge
    from evaluation.verification.record import data_of, systems_of
    from evaluation.verification.report import half_json, write_cases, write_report
    from evaluation.verification.tables import Runs, tables_of

    settings, stamp = load_settings(), run_stamp()
    halves = ("dev", "test") if options.half == "both" else (options.half,)
    built = build(options.data, quota=options.cases or QUOTA)
    by_half = {half: [case for case in built.cases if case.half == half] for half in halves}
    if options.out:
        write_cases(options.out, [case for cases in by_half.values() for case in cases])
    if options.only_build:
        return OK
    judged: dict[str, Runs] = {
        half: {name: judge(check, cases, built.texts) for name, check in CHECKERS.items()}
        for half, cases in by_half.items()
        if cases
    }
    report: Json = {
        "run": stamp.as_json(),
        "data": [folder.resolve().name for folder in options.data],
        "halves": [half_json(half, runs) for half, runs in judged.items()],
    }
    tables = "\n\n".join(tables_of(half, runs, settings.interface_language) for half, runs in judged.items())
    if options.out:
        data = [data_of(folder, built.cases) for folder in options.data]
        given = {"half": options.half, "cases": options.cases or QUOTA}
        write_run(options.out, envelope("verify", stamp, settings, "", data, systems_of(judged), given))
        write_report(options.out, report, tables, judged)
    if options.json:
        say_json(report)
    else:
        say(tables)
    return OK
