"""Removing documents so that nothing of them stays: not in the tables, their files, the index, or a cache."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from core.chat.forgetting import forget_decisions
from core.errors import YoujuError
from core.scope import EPHEMERAL_PREFIX, is_ephemeral
from core.store import DocumentRow, Writer

if TYPE_CHECKING:
    from ingest.workspace import Workspace

_LOG = logging.getLogger(__name__)
_EPHEMERAL_LIFETIME: Final = timedelta(days=2)


def remove_documents(workspace: Workspace, names: Sequence[str], collection: str | None = None) -> list[str]:
    """Delete documents with their history; unreachable at once. All or none.

    Returns the names. Raises ``UnknownDocumentError``.
    """

    def chosen(writer: Writer) -> tuple[list[DocumentRow], frozenset[str]]:
        rows = [writer.reader.document(name, collection) for name in names]
        return rows, writer.remove([row.id for row in rows])

    rows = _remove(workspace, chosen)
    forget_decisions(workspace.settings.home)
    return [row.name for row in rows]


def remove_collection(workspace: Workspace, name: str) -> int:
    """Delete a collection with all its documents, in one transaction. Returns how many there were.

    Raises ``UnknownCollectionError``.
    """

    def chosen(writer: Writer) -> tuple[list[DocumentRow], frozenset[str]]:
        rows = list(writer.reader.documents([name]))
        return rows, writer.remove_collection(name)

    rows = _remove(workspace, chosen)
    forget_decisions(workspace.settings.home)
    return len(rows)


def remove_ephemeral(
    workspace: Workspace, collection: str | None = None, *, kept: Collection[str] = ()
) -> None:
    """Delete the files of one chat; without a name those of all chats whose collections are not ``kept``.

    Another program may serve chats of the same knowledge base, so what is young stays.
    """
    oldest = (datetime.now(UTC) - _EPHEMERAL_LIFETIME).isoformat(timespec="seconds")

    def chosen(writer: Writer) -> tuple[list[DocumentRow], frozenset[str]]:
        rows = [row for row in writer.reader.documents() if is_ephemeral(row.collection)]
        gone = [
            row
            for row in rows
            if row.collection == collection
            or (not collection and row.updated_at < oldest and row.collection not in kept)
        ]
        orphans = writer.remove([row.id for row in gone])
        writer.drop_empty_collections(EPHEMERAL_PREFIX)
        return gone, orphans

    _remove(workspace, chosen)


def _remove(
    workspace: Workspace, chosen: Callable[[Writer], tuple[list[DocumentRow], frozenset[str]]]
) -> list[DocumentRow]:
    with workspace.store.write() as writer:
        rows, orphans = chosen(writer)
    if rows:
        workspace.drop_originals(orphans)
        clear_traces(workspace)
    return rows


def clear_traces(workspace: Workspace) -> None:
    """Leave nothing of what is no longer stored in the database's files and in the index."""
    workspace.store.compact()
    try:
        with workspace.store.read() as reader:
            workspace.indexes.at(reader)
    except YoujuError as exc:
        # Without the index's model nothing can be brought up to date; the next start makes it anew.
        _LOG.warning("the index is deleted, since it cannot be brought up to date: %s", exc)
        shutil.rmtree(workspace.settings.home / "index", ignore_errors=True)
