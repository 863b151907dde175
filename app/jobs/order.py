"""What a chat asks for when files are added: which ones, where they go, and who will look at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.scope import Visibility, is_ephemeral


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """``user`` is the identifier of who asked, in the chat ``thread``; there ``element`` of ``message``
    shows how far it is.

    ``owner`` and ``visibility`` are those of the documents to be (see ``ingest.place.Place``); ``strategy`` is
    the one they are cut by, ``None`` the one that is set. ``about`` is the collection that the chat is about, if
    it has one. ``files`` are their names, in order.
    """

    id: str
    thread: str
    user: str
    message: str
    element: str
    language: str
    collection: str
    owner: str | None = None
    visibility: Visibility | None = None
    strategy: str | None = None
    about: str = ""
    files: tuple[str, ...] = ()

    @property
    def is_for_chat(self) -> bool:
        """Whether only this chat will see the files."""
        return is_ephemeral(self.collection)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def order_of(stored: Mapping[str, Any]) -> Order:
    """The order again from its JSON. Raises ``KeyError``, ``TypeError`` and ``ValueError`` for what is none."""
    visibility = stored["visibility"]
    seen_by = Visibility(visibility) if visibility else None
    return Order(**dict(stored) | {"visibility": seen_by, "files": tuple(map(str, stored["files"]))})
