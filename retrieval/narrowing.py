"""Which documents a command line searches."""

from __future__ import annotations

import argparse

from core.scope import Scope
from ingest.workspace import Workspace
from retrieval.typed_date import typed_date


def add_narrowing(command: argparse.ArgumentParser) -> None:
    """What is searched; lists are made by repeating an option."""
    narrow = command.add_argument_group("what is searched: the current version of all documents, or of those")
    narrow.add_argument("--collection", action="append", metavar="NAME", help="in this collection (or more)")
    narrow.add_argument("--document", action="append", metavar="NAME", help="of this name or id (or more)")
    narrow.add_argument("--kind", action="append", help="of this kind (or more): pdf, docx, md, image, ...")
    dates = "whose text names a date {} (2024, 2024-05, 2024-05-01); without any: stored then"
    narrow.add_argument("--since", type=_date, metavar="DATE", help=dates.format("since then"))
    narrow.add_argument("--until", type=_date, metavar="DATE", help=dates.format("until then"))


def scope_of(options: argparse.Namespace, workspace: Workspace) -> Scope:
    """What the options of ``add_narrowing`` leave.

    Raises ``UnknownDocumentError`` and ``AmbiguousDocumentError`` for a document that is not one.
    """
    collections = options.collection or []
    ids = []
    if options.document:
        place = collections[0] if len(collections) == 1 else None
        with workspace.store.read() as reader:
            ids = [reader.document(name, place).id for name in options.document]
    return Scope(
        collections=tuple(collections) or None,
        documents=tuple(ids) or None,
        kinds=tuple(options.kind or ()) or None,
        since=options.since,
        until=options.until,
    )


def _date(value: str) -> str:
    found = typed_date(value)
    if not found:
        raise argparse.ArgumentTypeError(
            f"expected a date such as 2024, 2024-05 or 2024-05-01, got {value!r}"
        )
    return found
