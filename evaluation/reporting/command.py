"""``python -m evaluation report``: one page, and the same as JSON, of any stored runs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.settings import load_settings
from core.store.blobs import write_durably
from core.terminal import OK, say_json, tell


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser("report", help="one page of what stored runs came to, for people")
    command.add_argument(
        "runs", type=Path, nargs="+", metavar="RUN",
        help="a KIND.run.json, or a folder that a command was given as --out",
    )  # fmt: skip
    command.add_argument(
        "--out", type=Path, default=Path("report.html"), metavar="FILE",
        help="the page; beside it lies the JSON (default: report.html)",
    )  # fmt: skip
    command.add_argument("--language", choices=("zh", "en"), help="default: that of the settings")
    command.add_argument("--json", action="store_true", help="print the JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page and the JSON. Raises for a file that is no run, before anything is written."""
    from evaluation.reporting.digest import digest
    from evaluation.reporting.page import page
    from evaluation.reporting.run_file import runs_in
    from evaluation.reporting.texts import text

    language = options.language or load_settings().interface_language
    runs = runs_in(options.runs)
    found = digest(runs, language)
    _write(options.out, page(runs, language))
    _write(options.out.with_suffix(".json"), json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    if options.json:
        say_json(found)
    for path in (options.out, options.out.with_suffix(".json")):
        tell(text("written", language, path=path))
    return OK


def _write(path: Path, words: str) -> None:
    # Half a surrogate pair may come from a damaged document; a page cannot hold it.
    write_durably(path, words.encode("utf-8", "replace"))
