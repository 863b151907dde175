"""The command line of the knowledge base: add, list, show, remove, check, rebuild, calibrate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from getpass import getpass
from pathlib import Path, PurePosixPath

from core.settings import Settings, load_settings
from core.terminal import FAILED, OK, guarded, say, say_json, tell
from ingest import calibrate_command, views
from ingest.check import problems
from ingest.pipeline import Ingest
from ingest.report import Outcome, Progress
from ingest.workspace import DEFAULT_COLLECTION, Workspace


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 failed, 2 wrong use)."""
    options = _parser().parse_args(arguments)
    return guarded(lambda: int(options.run(options)))


def add(options: argparse.Namespace) -> int:
    settings = load_settings()
    if options.strategy:
        chunking = settings.chunking.model_copy(update={"strategy": options.strategy})
        settings = settings.model_copy(update={"chunking": chunking})
    ingest = Ingest(
        Workspace(settings),
        on_progress=_Ticker(),
        on_result=lambda result: tell(views.result_line(result, settings.interface_language)),
        on_password=_Passwords(options.password, settings.interface_language),
    )
    report = ingest.add(options.paths, options.collection)
    if options.json:
        say_json(report.as_json(settings.interface_language))
    else:
        say(views.report_text(report, settings.interface_language))
    nothing_taken = report.files and all(r.outcome is Outcome.REFUSED for r in report.files)
    return FAILED if nothing_taken or not report.files else OK


def list_documents(options: argparse.Namespace) -> int:
    workspace, language = _workspace()
    with workspace.store.read() as reader:
        rows = reader.documents([options.collection] if options.collection else None)
    if options.json:
        say_json([views.document_json(row, language) for row in rows])
    else:
        say(views.documents_text(rows, language))
    return OK


def show(options: argparse.Namespace) -> int:
    if options.html:
        return _show_page(options)
    workspace, language = _workspace()
    with workspace.store.read() as reader:
        row = reader.document(options.document, options.collection)
        version = reader.version(row.version_id)
        value = views.document_json(row, language) | {"text_characters": len(version.text)}
        chunks = reader.chunks_of(row.version_id)
        if options.chunks:
            value["parents"] = [
                {"id": p.id, "start": p.span.start, "end": p.span.end, "tokens": p.token_count}
                for p in reader.parents(row.version_id)
            ]
            value["chunks"] = [views.chunk_json(chunk, version.text) for chunk in chunks]
    if options.json:
        say_json(value)
    else:
        say(views.document_text(row, chunks if options.chunks else (), version.text, language))
    return OK


def _show_page(options: argparse.Namespace) -> int:
    from ingest.viewer.view import load_view
    from ingest.viewer.write import Choice, write_view

    workspace, language = _workspace()
    with workspace.store.read() as reader:
        row = reader.document(options.document, options.collection)
        view = load_view(reader, row, with_chunks=options.chunks)
    original = workspace.store.blobs.get(row.source_sha256)
    choice = Choice(pages=options.pages, password=options.password, language=language)
    say(views.page_written_text(options.html, write_view(view, original, options.html, choice), language))
    return OK


def remove(options: argparse.Namespace) -> int:
    workspace, _ = _workspace()
    for name in workspace.remove(options.documents, options.collection):
        say(f"- {name}")
    return OK


def check(options: argparse.Namespace) -> int:
    workspace, language = _workspace()
    found = problems(workspace.store)
    if options.json:
        say_json({"problems": found})
    else:
        say(views.check_text(found, language))
    return FAILED if found else OK


def rebuild(options: argparse.Namespace) -> int:
    workspace, language = _workspace()
    if options.embed:
        tell(views.embedded_again_text(workspace.embed_again(), language))
    with workspace.store.write() as writer:
        writer.touch()
    with workspace.store.read() as reader:
        say(views.rebuilt_text(len(workspace.indexes.at(reader)), language))
    return OK


def _workspace() -> tuple[Workspace, str]:
    settings: Settings = load_settings()
    return Workspace(settings), settings.interface_language


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ingest", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("add", help="add files and folders")
    command.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    command.add_argument("--collection", default=DEFAULT_COLLECTION)
    command.add_argument("--strategy", help="chunking strategy; default from the settings")
    command.add_argument(
        "--password", action="append", default=[], metavar="[NAME=]PASSWORD",
        help="opens protected files: all of them, or the one of that name; may be repeated",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    command.set_defaults(run=add)

    command = commands.add_parser("list", help="list the stored documents")
    command.add_argument("--collection")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=list_documents)

    _add_show(commands)

    command = commands.add_parser("remove", help="delete documents")
    command.add_argument("documents", nargs="+", metavar="DOC")
    command.add_argument("--collection")
    command.set_defaults(run=remove)

    command = commands.add_parser("check", help="prove that what is stored belongs together")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=check)

    command = commands.add_parser("rebuild", help="make the search indexes anew from the store")
    command.add_argument(
        "--embed", action="store_true", help="make the vectors anew with the configured model"
    )
    command.set_defaults(run=rebuild)
    calibrate_command.add_to(commands)
    return parser


def _add_show(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("show", help="show one document")
    command.add_argument("document", metavar="DOC")
    command.add_argument("--collection")
    command.add_argument("--chunks", action="store_true", help="with its chunks and parents")
    output = command.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true")
    output.add_argument(
        "--html", type=Path, metavar="FILE", help="write a page that shows how the document was read"
    )
    command.add_argument("--pages", default="", metavar="1-5,8", help="with --html: only these pages")
    command.add_argument("--password", default="", help="with --html: opens a protected original")
    command.set_defaults(run=show)
