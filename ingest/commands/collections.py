"""``collections`` and ``share``: knowledge bases, who may open them, and who sees a document."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Final

from core.errors import SettingsError
from core.scope import Visibility, is_ephemeral
from core.store import CollectionRow, DocumentRow, Reader
from core.terminal import OK, say, say_json
from ingest.commands.opened import Commands, opened
from ingest.removal import remove_collection

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "line": {
        "zh": "{name}  {documents} 份文档，{chunks} 块，{size:.1f} MB  {members}",
        "en": "{name}  {documents} documents, {chunks} chunks, {size:.1f} MB  {members}",
    },
    "everyone": {"zh": "对所有人开放", "en": "open to everyone"},
    "members": {"zh": "成员：{names}", "en": "members: {names}"},
    "none": {"zh": "还没有知识库。", "en": "There are no collections yet."},
    "created": {"zh": "已建立知识库 {name}，{members}。", "en": "Collection {name} was made, {members}."},
    "exists": {
        "zh": "知识库 {name} 已经有了，{members}。",
        "en": "Collection {name} exists already, {members}.",
    },
    "set": {"zh": "知识库 {name}：{members}。", "en": "Collection {name}: {members}."},
    "removed": {
        "zh": "已删除知识库 {name} 和其中的 {count} 份文档。",
        "en": "Removed collection {name} with its {count} documents.",
    },
    "shared": {"zh": "{name}：{access}", "en": "{name}: {access}"},
    "owner": {"zh": "属于 {name}", "en": "owner {name}"},
    "no_owner": {"zh": "没有所有者", "en": "no owner"},
    "private": {"zh": "仅所有者可见", "en": "seen by the owner alone"},
    "collection": {"zh": "知识库的成员可见", "en": "seen by those who may open the collection"},
    "all": {"zh": "所有人可见", "en": "seen by everyone"},
    "ownerless": {
        "zh": "没有所有者的文档不能设为仅所有者可见；请同时用 --owner 指明所有者",
        "en": "a document without an owner cannot be private; name one with --owner",
    },
}


def add_to(commands: Commands) -> None:
    """The commands and their options."""
    command = commands.add_parser("collections", help="list, make, open to members and remove collections")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=list_collections)
    actions = command.add_subparsers(metavar="ACTION")

    action = actions.add_parser("create", help="make an empty collection")
    action.add_argument("name", metavar="NAME", type=_name)
    action.add_argument("--members", nargs="*", default=[], metavar="USER", help="default: everyone")
    action.set_defaults(run=create)

    action = actions.add_parser("members", help="say who may open a collection; nobody named: everyone")
    action.add_argument("name", metavar="NAME")
    action.add_argument("members", nargs="*", metavar="USER")
    action.set_defaults(run=set_members)

    action = actions.add_parser("remove", help="delete a collection with all its documents")
    action.add_argument("name", metavar="NAME")
    action.set_defaults(run=remove)

    command = commands.add_parser("share", help="say whose a document is, and who sees it")
    command.add_argument("document", metavar="DOC")
    command.add_argument("--collection")
    add_access_to(command)
    command.set_defaults(run=share)


def add_access_to(command: argparse.ArgumentParser) -> None:
    """The options that say whose a document is, and who sees it."""
    command.add_argument("--owner", metavar="USER", help='whose it is; "" for nobody')
    command.add_argument(
        "--visibility", type=Visibility, choices=list(Visibility),
        help="seen by its owner (private), by those who may open its collection, or by all",
    )  # fmt: skip


def require_owner(owner: str, visibility: Visibility | None, language: str) -> None:
    """Raises ``SettingsError`` for a document that nobody could ever see."""
    if visibility is Visibility.PRIVATE and not owner:
        raise SettingsError(name="--visibility", reason=_text("ownerless", language))


def _name(text: str) -> str:
    if not text.strip() or is_ephemeral(text):
        raise argparse.ArgumentTypeError(f"{text!r} cannot be the name of a collection")
    return text


def list_collections(options: argparse.Namespace) -> int:
    """Print a line for each lasting collection."""
    workspace, language = opened()
    with workspace.store.read() as reader:
        rows = [row for row in reader.collection_rows() if not is_ephemeral(row.name)]
        values = [_value(row, reader.documents([row.name])) for row in rows]
    if options.json:
        say_json(values)
        return OK
    for row, value in zip(rows, values, strict=True):
        size = max(float(str(value["bytes"])) / 1e6, 0.1)
        members = _members_text(row.members, language)
        say(_text("line", language, **{**value, "size": size, "members": members}))
    if not rows:
        say(_text("none", language))
    return OK


def _value(row: CollectionRow, documents: tuple[DocumentRow, ...]) -> dict[str, object]:
    seen = Counter(document.visibility.value for document in documents)
    return {
        "name": row.name,
        "members": list(row.members),
        "documents": len(documents),
        "chunks": sum(document.chunk_count for document in documents),
        "bytes": sum(document.source_bytes for document in documents),
        "visibility": {name.value: seen[name.value] for name in Visibility},
        "created_at": row.created_at,
    }


def create(options: argparse.Namespace) -> int:
    """Make the collection; one that exists keeps its members."""
    workspace, language = opened()
    with workspace.store.write() as writer:
        found = _find(writer.reader, options.name)
        if found is None:
            writer.ensure_collection(options.name)
            writer.set_members(options.name, options.members)
    members = found.members if found else tuple(options.members)
    key = "exists" if found else "created"
    say(_text(key, language, name=options.name, members=_members_text(members, language)))
    return OK


def set_members(options: argparse.Namespace) -> int:
    """Replace the members of a collection."""
    workspace, language = opened()
    with workspace.store.write() as writer:
        writer.set_members(options.name, options.members)
    say(_text("set", language, name=options.name, members=_members_text(options.members, language)))
    return OK


def remove(options: argparse.Namespace) -> int:
    """Delete the collection and everything in it."""
    workspace, language = opened()
    count = remove_collection(workspace, options.name)
    say(_text("removed", language, name=options.name, count=count))
    return OK


def share(options: argparse.Namespace) -> int:
    """Change whose a document is and who sees it; without either option only say it."""
    workspace, language = opened()
    with workspace.store.write() as writer:
        row = writer.reader.document(options.document, options.collection)
        owner = row.owner if options.owner is None else options.owner
        visibility = options.visibility or row.visibility
        require_owner(owner, visibility, language)
        writer.share(row.id, owner=options.owner, visibility=options.visibility)
    whose = _text("owner", language, name=owner) if owner else _text("no_owner", language)
    access = f"{whose}{'，' if language == 'zh' else ', '}{_text(visibility, language)}"
    say(_text("shared", language, name=f"{row.collection}/{row.name}", access=access))
    return OK


def _find(reader: Reader, name: str) -> CollectionRow | None:
    return next((row for row in reader.collection_rows() if row.name == name), None)


def _members_text(members: tuple[str, ...] | list[str], language: str) -> str:
    if not members:
        return _text("everyone", language)
    return _text("members", language, names=", ".join(members))


def _text(key: str, language: str, **values: object) -> str:
    return _TEXTS[key][language].format(**values)
