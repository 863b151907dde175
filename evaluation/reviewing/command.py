"""``python -m evaluation review``: drafts and feedback, one after the other, in the terminal."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from core.settings import load_settings
from core.terminal import OK, say


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "review", help="accept, edit or reject drafted cases and feedback of the chat; can be interrupted"
    )
    command.add_argument("file", type=Path, metavar="FILE", help="what draft wrote, or a file of feedback")
    command.add_argument(
        "--out", type=Path, help="gold file for what was accepted; default: FILE with .gold before its ending"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Review what is open; the gold file is written anew at the end, also after an interruption."""
    # Imported here: other commands need none of it.
    from evaluation.reviewing.decisions import Decisions, read_drafts, write_gold
    from evaluation.reviewing.screen import line
    from evaluation.reviewing.session import Session

    language = load_settings().interface_language
    drafts = read_drafts(options.file)
    decisions = Decisions(options.file)
    out = options.out or options.file.with_suffix(f".gold{options.file.suffix}")
    try:
        Session(drafts, decisions, _asked, say, language).run()
    finally:
        write_gold(out, decisions.accepted(drafts))
        counts = Counter(decisions.status(draft) for draft in drafts)
        shown = {name: counts[name] for name in ("accepted", "rejected", "open")}
        say(line("done", language, out=out, **shown))
    return OK


def _asked(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None
