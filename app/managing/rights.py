"""Who may open and who may change a stored document, for requests and for the buttons of the chat."""

from __future__ import annotations

from dataclasses import replace

import anyio
from chainlit.user import User

from app import state
from core.errors import UnknownDocumentError
from core.scope import EPHEMERAL_PREFIX, Scope, is_ephemeral
from core.store import DocumentRow, Reader, StoredVersion


def opened_version(reader: Reader, version_id: str, user: User | None) -> StoredVersion:
    """A version that the user may see, be it the current one or an earlier one.

    To be called in a thread of the server. Raises ``UnknownDocumentError``, the same for one that is hidden
    from him as for one that is not there.
    """
    version = reader.version(version_id)
    if not reader.can_see(version_id, scope_of(user, version.collection)):
        raise UnknownDocumentError(name=version_id)
    return version


def opened_document(reader: Reader, document_id: str, user: User | None) -> DocumentRow:
    """The document of that id, as ``opened_version``."""
    row = reader.document_by_id(document_id)
    if row is None or not _shows(reader, row, user):
        raise UnknownDocumentError(name=document_id)
    return row


def scope_of(user: User | None, collection: str = "") -> Scope:
    """What a user may see outside of a chat; files of a single chat where ``collection`` is that of his own."""
    scope = Scope(viewer=state.viewer_of(user))
    if not is_ephemeral(collection) or user is None:
        return scope
    thread_id = collection.removeprefix(EPHEMERAL_PREFIX)
    # The history answers in the event loop alone.
    author = anyio.from_thread.run(state.chats().get_thread_author, thread_id)
    return replace(scope, chat=collection) if author == user.identifier else scope


def may_manage(row: DocumentRow, user: User | None) -> bool:
    """Whether the user may delete a document or cut it anew: it is his, or he manages what is everybody's."""
    identifier = user.identifier if user else None
    return bool(row.owner and row.owner == identifier) or state.entry().is_admin(identifier)


def _shows(reader: Reader, row: DocumentRow, user: User | None) -> bool:
    return reader.can_see(row.version_id, scope_of(user, row.collection))
