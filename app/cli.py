"""``youju``: one command in front of everything."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from core.account_errors import LoginMissingError
from core.settings import load_settings
from core.terminal import FAILED, OK, WRONG_USE, guarded, say, tell

_USAGE: Final = """\
youju COMMAND ...

  add PATH...       add files and folders to the knowledge base
  list | show DOC [--html FILE] | remove DOC... | check | rebuild | calibrate
  history DOC | diff DOC | original DOC     earlier versions, what changed, the file as it was added
  collections | share DOC                   knowledge bases, their members, who sees a document
  export FILE | import FILE                 a whole knowledge base as one archive
  search QUESTION   find the passages for a question
  ask QUESTION      answer a question with citations
  verify FILE       check a text sentence by sentence against the knowledge base   [--json | --html]
  answers list | show ID | export ID | delete ID... | purge     the answers that were given
  serve             open the chat on http://localhost:8000   [--host H] [--port N]
  users             who may log in: list | add NAME [--admin] | passwd NAME | remove NAME
  doctor            say what is configured, what works and what is missing

youju COMMAND --help tells the options."""
_INGEST: Final = (
    "add", "list", "show", "remove", "check", "rebuild", "calibrate", "history", "diff", "original",
    "collections", "share", "export", "import",
)  # fmt: skip
_RETRIEVAL: Final = ("search", "ask", "verify", "answers")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 failed, 2 wrong use)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name = given[0] if given else ""
    if name in _INGEST:
        from ingest.cli import main as command

        return command(given)
    if name in _RETRIEVAL:
        from retrieval.cli import main as command

        return command(given)
    own: dict[str, Callable[[Sequence[str]], int]] = {"serve": serve, "users": users, "doctor": doctor}
    if name in own:
        return guarded(lambda: own[name](given[1:]))
    help_wanted = name in ("-h", "--help", "help")
    (say if help_wanted else tell)(_USAGE)
    return OK if help_wanted else WRONG_USE


def serve(arguments: Sequence[str]) -> int:
    """Start the chat."""
    parser = argparse.ArgumentParser(prog="youju serve")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    language = load_settings().interface_language
    from app.server import serve as listen

    shown = "localhost" if options.host == "127.0.0.1" else options.host
    try:
        listen(options.host, options.port, lambda: say(f"Youju: http://{shown}:{options.port}"))
    except LoginMissingError as exc:
        tell(exc.message(language))
        return WRONG_USE
    return OK


def users(arguments: Sequence[str]) -> int:
    """Who may log in."""
    from app.login.commands import main as command

    return command(arguments)


def doctor(arguments: Sequence[str]) -> int:
    """Print the findings; fails when something that is configured does not work."""
    argparse.ArgumentParser(prog="youju doctor").parse_args(arguments)
    from app.doctor.command import findings

    found = []
    for finding in findings(load_settings()):
        found.append(finding)
        sign = {True: "✓", False: "✗", None: "·"}[finding.good]
        say(f"{sign} {finding.text}" + (f"\n  → {finding.mend}" if finding.mend else ""))
    return FAILED if any(finding.good is False for finding in found) else OK


if __name__ == "__main__":
    sys.exit(main())
