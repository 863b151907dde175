"""``add``: files and folders into the knowledge base."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from getpass import getpass
from pathlib import Path, PurePosixPath

from core.settings import load_settings
from core.terminal import FAILED, OK, say, say_json, tell
from ingest import views
from ingest.commands.collections import add_access_to, require_owner
from ingest.commands.opened import Commands, workspace_of
from ingest.pipeline import Ingest
from ingest.report import Outcome, Progress
from ingest.workspace import DEFAULT_COLLECTION


def add_to(commands: Commands) -> None:
    """The command and its options."""
    command = commands.add_parser("add", help="add files and folders")
    command.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    command.add_argument("--collection", default=DEFAULT_COLLECTION)
    command.add_argument("--strategy", help="chunking strategy; default from the settings")
    command.add_argument(
        "--password", action="append", default=[], metavar="[NAME=]PASSWORD",
        help="opens protected files: all of them, or the one of that name; may be repeated",
    )  # fmt: skip
    add_access_to(command)
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Add what is named; fails when nothing of it was taken."""
    settings = load_settings()
    require_owner(options.owner or "", options.visibility, settings.interface_language)
    if options.strategy:
        chunking = settings.chunking.model_copy(update={"strategy": options.strategy})
        settings = settings.model_copy(update={"chunking": chunking})
    ingest = Ingest(
        workspace_of(settings),
        on_progress=_Ticker(),
        on_result=lambda result: tell(views.result_line(result, settings.interface_language)),
        on_password=_Passwords(options.password, settings.interface_language),
    )
    report = ingest.add(options.paths, options.collection, owner=options.owner, visibility=options.visibility)
    if options.json:
        say_json(report.as_json(settings.interface_language))
    else:
        say(views.report_text(report, settings.interface_language))
    nothing_taken = report.files and all(r.outcome is Outcome.REFUSED for r in report.files)
    return FAILED if nothing_taken or not report.files else OK


class _Ticker:
    """Prints progress of long files, at most one line for each tenth."""

    def __init__(self) -> None:
        self._last: tuple[str, int] = ("", -1)

    def __call__(self, progress: Progress) -> None:
        tenth = 10 * progress.done // max(progress.total, 1)
        if progress.total < 64 or (progress.name, tenth) == self._last:
            return
        self._last = (progress.name, tenth)
        tell(
            f"  [{progress.file}/{progress.files}] {progress.name}: "
            f"{progress.stage.value} {progress.done}/{progress.total}"
        )


class _Passwords:
    """Those given on the command line, each tried once for a file; then what is typed at a terminal."""

    def __init__(self, given: Sequence[str], language: str) -> None:
        self._given = given
        self._language = language
        self._tried: set[tuple[str, str]] = set()

    def __call__(self, name: str) -> str:
        for password in self._candidates(name):
            if password and (name, password) not in self._tried:
                self._tried.add((name, password))
                return password
        if sys.stdin.isatty():
            return getpass(views.word("password", self._language, name=name))
        return ""

    def _candidates(self, name: str) -> Iterator[str]:
        """Those for this file's name first; any may also be a password with "=" in it."""
        for given in self._given:
            key, _, password = given.partition("=")
            if key in (name, PurePosixPath(name).name):
                yield password
        yield from self._given
