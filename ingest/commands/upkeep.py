"""``check`` and ``rebuild``: that what is stored belongs together, and making it so."""

from __future__ import annotations

import argparse
import time
from typing import Final

from core.terminal import FAILED, OK, say, say_json, tell
from ingest import views
from ingest.check import index_problems, leftovers, problems
from ingest.commands.opened import Commands, opened
from ingest.embed_again import Embedded, embed_again
from ingest.mending import mend

_EVERY_S: Final = 2.0


def add_to(commands: Commands) -> None:
    """The commands and their options."""
    command = commands.add_parser("check", help="prove that what is stored belongs together")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=check)

    command = commands.add_parser("rebuild", help="restore what is broken and make the search indexes anew")
    command.add_argument(
        "--embed", action="store_true", help="make the vectors anew with the configured model"
    )
    command.set_defaults(run=rebuild)


def check(options: argparse.Namespace) -> int:
    """Print every broken invariant; fails when there is one."""
    workspace, language = opened()
    found = problems(workspace.store)
    found += leftovers(workspace.store)
    if not found:
        with workspace.store.read() as reader:
            found += index_problems(reader, workspace.indexes.at(reader))
    if options.json:
        say_json({"problems": [one.text(language) for one in found]})
    else:
        say(views.check_text(found, language))
    return FAILED if found else OK


def rebuild(options: argparse.Namespace) -> int:
    """Restore what can be restored and make the indexes anew, the vectors too when asked for.

    Fails when something stays broken, and says what.
    """
    workspace, language = opened()
    if options.embed:
        count = embed_again(workspace, _Pace(language))
        tell(views.embedded_again_text(count, language))
    rows, left = mend(workspace, lambda key, **values: tell(views.word(key, language, **values)))
    say(views.rebuilt_text(rows, language))
    if left:
        say(views.check_text(left, language))
    return FAILED if left else OK


class _Pace:
    """Tells how far it is, at most once in two seconds."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._told = 0.0

    def __call__(self, progress: Embedded) -> None:
        now = time.monotonic()
        if now - self._told >= _EVERY_S:
            self._told = now
            tell(views.embedding_text(progress, self._language))
