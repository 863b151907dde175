"""Where added files go, and whether one has to be stored there at all."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import DocumentOwnedError
from core.scope import Scope, Visibility
from core.store import DocumentRow, Store
from core.store.writer import may_replace
from ingest.report import FileResult, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A collection, and whose the files in it will be; ``owner=None`` is the operator.

    A document that is replaced keeps its owner and visibility where none is given.
    """

    collection: str
    owner: str | None = None
    visibility: Visibility | None = None


def known(store: Store, place: Place, name: str, digest: str, fingerprint: str) -> FileResult | None:
    """The outcome when nothing has to be stored: the same file again, or its twin under another name.

    Raises ``DocumentOwnedError`` when the name is taken by another user's document. A twin that the owner
    may not see is none.
    """
    scope = Scope(collections=(place.collection,), viewer=place.owner)
    with store.read() as reader:
        stored = reader.find(name, place.collection)
        twins = [
            twin.name
            for twin in reader.same_source(place.collection, digest)
            if twin.name != name and reader.can_see(twin.version_id, scope)
        ]
    if stored is None:
        return FileResult(name=name, outcome=Outcome.DUPLICATE, same_as=twins[0]) if twins else None
    if not may_replace(place.owner, stored.owner):
        raise DocumentOwnedError(name=name)
    if (stored.source_sha256, stored.fingerprint) != (digest, fingerprint):
        return None
    _share(store, place, stored)
    return FileResult(
        name=name, outcome=Outcome.UNCHANGED, chunks=stored.chunk_count, pages=stored.page_count
    )


def _share(store: Store, place: Place, stored: DocumentRow) -> None:
    """The same bytes again may still be given to another owner, or shown to others."""
    wished = (place.owner or stored.owner, place.visibility or stored.visibility)
    if wished != (stored.owner, stored.visibility):
        with store.write() as writer:
            writer.share(stored.id, owner=place.owner, visibility=place.visibility)
