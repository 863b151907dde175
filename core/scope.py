"""Who may see what: one rule, asked before every search and before every document is shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

# Collections of files that belong to one chat only; seen only by those who name them.
EPHEMERAL_PREFIX: Final = "chat:"


class Visibility(StrEnum):
    """Who sees a document beside its owner: nobody, who may open its collection, or every user."""

    PRIVATE = "private"
    COLLECTION = "collection"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a search may see: names of collections, ids of documents; ``None`` means all that is lasting.

    ``chat`` is the collection of the chat that asks, seen beside these. ``viewer`` is the name of the user
    who looks; ``None`` is the operator, who may see everything.
    """

    collections: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    chat: str | None = None
    viewer: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all lasting documents are looked at, whoever they belong to."""
        return self.collections is None and self.documents is None and self.viewer is None

    def names(self, collection: str) -> bool:
        """Whether documents of ``collection`` are looked at; those of single chats must be named."""
        if collection == self.chat:
            return True
        if self.collections is None:
            return not is_ephemeral(collection)
        return collection in self.collections

    def admits(self, owner: str, visibility: str, members: Collection[str]) -> bool:
        """Whether the viewer may see a document; ``members`` are its collection's, empty means everyone."""
        if self.viewer is None or (owner and owner == self.viewer):
            return True
        if visibility == Visibility.COLLECTION:
            return not members or self.viewer in members
        return visibility == Visibility.ALL


def is_ephemeral(collection: str) -> bool:
    """Whether a collection holds the files of one chat."""
    return collection.startswith(EPHEMERAL_PREFIX)
