"""``python -m evaluation compare``: two stored runs, case by case."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.settings import load_settings
from core.terminal import FAILED, OK, say, say_json

if TYPE_CHECKING:
    from evaluation.comparing.compare import Compared


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "compare", help="what is better and worse in a later run, case by case, beyond noise or not"
    )
    where = "a KIND.run.json, or a folder that a command was given as --out"
    command.add_argument("before", type=Path, metavar="RUN_A", help=where)
    command.add_argument("now", type=Path, metavar="RUN_B", help="the same of the later run")
    command.add_argument(
        "--systems", type=_two, metavar="A,B",
        help="compare this system of RUN_A with that one of RUN_B; default: those of the same name",
    )  # fmt: skip
    command.add_argument("--all", action="store_true", help="all figures, not the key ones alone")
    command.add_argument(
        "--fail-on-worse", action="store_true", help="exit with 1 when a key figure is worse beyond noise"
    )
    command.add_argument("--language", choices=("zh", "en"), help="default: that of the settings")
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare and print. Raises for runs over different data."""
    from evaluation.comparing.compare import compared
    from evaluation.comparing.texts import comparison_text
    from evaluation.reporting.run_file import runs_in

    language = options.language or load_settings().interface_language
    before, now = runs_in([options.before]), runs_in([options.now])
    found = compared(before, now, options.systems)
    if options.json:
        say_json({"compared": _json(found)})
    else:
        say(comparison_text(before, now, found, language, every=options.all))
    return FAILED if options.fail_on_worse and any(one.is_worse for one in found) else OK


def _json(found: Sequence[Compared]) -> list[dict[str, object]]:
    return [asdict(one) | {"is_worse": one.is_worse} for one in found]


def _two(value: str) -> tuple[str, str]:
    names = value.split(",")
    if len(names) != 2 or not all(names):
        raise argparse.ArgumentTypeError(f"expected A,B, got {value!r}")
    return names[0], names[1]
