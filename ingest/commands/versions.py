"""``history``, ``diff`` and ``original``: earlier versions of a document, what changed, and its stored file."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.store.blobs import write_durably
from core.terminal import OK, say, say_json
from core.view_errors import TargetUnwritableError
from ingest.commands.opened import Commands, opened
from ingest.versions.difference import load_difference
from ingest.versions.history import Step, history
from ingest.versions.page import write_page
from ingest.versions.plain import plain
from ingest.versions.texts import word


def add_to(commands: Commands) -> None:
    """The commands and their options."""
    command = commands.add_parser("history", help="list the versions of a document")
    _add_document(command)
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=run_history)

    command = commands.add_parser("diff", help="show what changed between two versions of a document")
    _add_document(command)
    command.add_argument("--from", dest="old", type=int, metavar="N", help="default: the version before")
    command.add_argument("--to", dest="new", type=int, metavar="M", help="default: the current version")
    command.add_argument("--html", type=Path, metavar="FILE", help="write a page with both side by side")
    command.set_defaults(run=run_diff)

    command = commands.add_parser("original", help="write the stored original of a document to a file")
    _add_document(command)
    command.add_argument("--version", type=int, metavar="N", help="default: the current version")
    command.add_argument("--out", type=Path, required=True, metavar="FILE")
    command.set_defaults(run=run_original)


def _add_document(command: argparse.ArgumentParser) -> None:
    command.add_argument("document", metavar="DOC")
    command.add_argument("--collection")


def run_history(options: argparse.Namespace) -> int:
    """Print a line for each version, the newest first."""
    workspace, language = opened()
    with workspace.store.read() as reader:
        row = reader.document(options.document, options.collection)
        steps = history(reader, row)
    if options.json:
        say_json([step.as_json() for step in steps])
    else:
        say("\n".join(_line(step, language) for step in reversed(steps)))
    return OK


def _line(step: Step, language: str) -> str:
    row = step.row
    facts = [
        word("version", language, number=row.number),
        row.created_at[:19].replace("T", " "),
        word("bytes", language, count=row.source_bytes),
        word("characters", language, count=step.characters),
        step.cause_text(language),
    ]
    return f"{'*' if row.is_current else ' '} " + " · ".join(facts)


def run_diff(options: argparse.Namespace) -> int:
    """Print the changes, or write them as a page."""
    workspace, language = opened()
    with workspace.store.read() as reader:
        row = reader.document(options.document, options.collection)
        difference = load_difference(reader, row, options.old, options.new)
    if options.html:
        write_page(difference, options.html, language)
        say(word("written", language, path=options.html))
    else:
        say(plain(difference, language))
    return OK


def run_original(options: argparse.Namespace) -> int:
    """Write the bytes that were added, after checking that they are still the same."""
    workspace, language = opened()
    with workspace.store.read() as reader:
        row = reader.document(options.document, options.collection)
        digest = reader.version_of(row, options.version).source_sha256
    data = workspace.store.blobs.get(digest)
    try:
        write_durably(options.out, data)
    except OSError as exc:
        raise TargetUnwritableError(path=options.out) from exc
    say(word("written", language, path=options.out))
    return OK
