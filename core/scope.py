"""Who may see what: one rule, asked before every search and before every document is shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Final

from core.period import Period

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

    ``kinds`` (pdf, docx, image, ...: see ``wants_kind``) and the days from ``since`` to ``until`` (see
    ``wants_dates``; dates as in ``core.period``) narrow it further. Raises ``ValueError`` for what is no date.
    """

    collections: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    chat: str | None = None
    viewer: str | None = None
    kinds: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        _ = self.period

    @property
    def is_whole(self) -> bool:
        """Whether all lasting documents are looked at, whoever they belong to."""
        named = (self.collections, self.documents, self.viewer)
        return not self.looks_inside and all(name is None for name in named)

    @property
    def looks_inside(self) -> bool:
        """Whether it asks for more than where a document lies and whose it is."""
        return self.kinds is not None or not self.period.is_endless

    @property
    def period(self) -> Period:
        return Period(since=self.since, until=self.until)

    def names(self, collection: str) -> bool:
        """Whether documents of ``collection`` are looked at; those of single chats must be named."""
        if collection == self.chat:
            return True
        if self.collections is None:
            return not is_ephemeral(collection)
        return collection in self.collections

    def wants_kind(self, name: str, media_type: str) -> bool:
        """Whether a document of that name and type is looked at.

        A kind is an extension (docx) or either half of a media type: "pdf" and "html" without an
        extension, "image" for all pictures, "text" for all that is text.
        """
        if self.kinds is None:
            return True
        own = {kind_of(name, media_type), *media_type.split("/")}
        return any(kind.lower().lstrip(".") in own for kind in self.kinds)

    def wants_dates(self, dates: Collection[str], stored_at: str) -> bool:
        """Whether a document is looked at whose text names ``dates``.

        One that lies in the period is enough. A text that names none counts as of the day when it was
        stored (ISO 8601): all there is to go by.
        """
        return self.period.meets_one(dates or (stored_at[:10],))

    def admits(self, owner: str, visibility: str, members: Collection[str]) -> bool:
        """Whether the viewer may see a document; ``members`` are its collection's, empty means everyone."""
        if self.viewer is None or (owner and owner == self.viewer):
            return True
        if visibility == Visibility.COLLECTION:
            return not members or self.viewer in members
        return visibility == Visibility.ALL


def kind_of(name: str, media_type: str) -> str:
    """What people call a kind of file: its extension in small letters, else the second half of its type."""
    return PurePath(name).suffix[1:].lower() or media_type.rpartition("/")[2]


def is_ephemeral(collection: str) -> bool:
    """Whether a collection holds the files of one chat."""
    return collection.startswith(EPHEMERAL_PREFIX)
