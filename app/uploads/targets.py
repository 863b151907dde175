"""Which knowledge bases a user may add files to, and who sees them there."""

from __future__ import annotations

from app.uploads.table import Target
from core.errors import UnknownCollectionError
from core.scope import Scope, Visibility, is_ephemeral
from core.store import Reader
from ingest.workspace import DEFAULT_COLLECTION


def targets_for(reader: Reader, viewer: str | None, *, is_admin: bool) -> list[Target]:
    """All that are open to the user, by name; the default one even before it is made.

    Where he is a member, the other members see what he adds. What everyone may open he adds to for himself
    alone: only who manages the others' documents adds for everyone.
    """
    members = {row.name: row.members for row in reader.collection_rows() if not is_ephemeral(row.name)}
    members.setdefault(DEFAULT_COLLECTION, ())
    scope = Scope(viewer=viewer)
    return [
        Target(collection=name, is_private=not is_admin and not named)
        for name, named in sorted(members.items())
        if is_admin or scope.admits("", Visibility.COLLECTION, named)
    ]


def target_named(targets: list[Target], collection: str) -> Target:
    """The one of that name. Raises ``UnknownCollectionError`` for one that is not open to the user."""
    for target in targets:
        if target.collection == collection:
            return target
    known = ", ".join(target.collection for target in targets)
    raise UnknownCollectionError(name=collection, known=known)
