"""``list``, ``show`` and ``remove``: the stored documents."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.terminal import OK, say, say_json
from ingest import views
from ingest.commands.opened import Commands, opened
from ingest.viewer.view import DocumentView
from ingest.workspace import Workspace


def add_to(commands: Commands) -> None:
    """The commands and their options."""
    command = commands.add_parser("list", help="list the stored documents")
    command.add_argument("--collection")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=list_documents)

    _add_show(commands)

    command = commands.add_parser("remove", help="delete documents")
    command.add_argument("documents", nargs="+", metavar="DOC")
    command.add_argument("--collection")
    command.set_defaults(run=remove)


def _add_show(commands: Commands) -> None:
    command = commands.add_parser("show", help="show one document")
    command.add_argument("document", metavar="DOC")
    command.add_argument("--collection")
    command.add_argument("--chunks", action="store_true", help="with its chunks and parents")
    output = command.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true")
    output.add_argument(
        "--html", type=Path, metavar="FILE", help="write a page that shows how the document was read"
    )
    command.add_argument(
        "--compare", default="", metavar="STRATEGY[,STRATEGY]",
        help="with --html: the text cut anew by two strategies side by side (one: beside the configured one)",
    )  # fmt: skip
    command.add_argument("--pages", default="", metavar="1-5,8", help="with --html: only these pages")
    command.add_argument("--password", default="", help="with --html: opens a protected original")
    command.set_defaults(run=show)


def list_documents(options: argparse.Namespace) -> int:
    """Print a line for each document."""
    workspace, language = opened()
    with workspace.store.read() as reader:
        rows = reader.documents([options.collection] if options.collection else None)
    if options.json:
        say_json([views.document_json(row, language) for row in rows])
    else:
        say(views.documents_text(rows, language))
    return OK


def show(options: argparse.Namespace) -> int:
    """Print one document, or write the page that shows how it was read."""
    if options.html:
        return _show_page(options)
    workspace, language = opened()
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

    workspace, language = opened()
    with workspace.store.read() as reader:
        row = reader.document(options.document, options.collection)
        view = load_view(reader, row, with_chunks=options.chunks)
    if options.compare:
        return _show_comparison(options, workspace, view)
    original = workspace.store.blobs.get(row.source_sha256)
    choice = Choice(pages=options.pages, password=options.password, language=language)
    say(views.page_written_text(options.html, write_view(view, original, options.html, choice), language))
    return OK


def _show_comparison(options: argparse.Namespace, workspace: Workspace, view: DocumentView) -> int:
    from ingest.viewer.compare import write_comparison
    from ingest.viewer.recut import cut_anew, strategies_of

    language = workspace.settings.interface_language
    names = strategies_of(options.compare, workspace.settings.chunking.strategy)
    left, right = (cut_anew(workspace, view, name) for name in names)
    size = write_comparison(view, left, right, options.html, language)
    say(views.page_written_text(options.html, size, language))
    return OK


def remove(options: argparse.Namespace) -> int:
    """Delete the named documents, all or none."""
    workspace, _ = opened()
    for name in workspace.remove(options.documents, options.collection):
        say(f"- {name}")
    return OK
