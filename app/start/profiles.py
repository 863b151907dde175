"""Knowledge bases as chat profiles: a chat is about one of them, or about everything."""

from __future__ import annotations

from collections.abc import Sequence

import chainlit as cl

from app import state
from app.start.starting import starters_about
from app.texts import text
from core.inert import inert
from core.messages import language_of_tag
from core.scope import Scope, Visibility, is_ephemeral
from core.store import DocumentRow

_EVERYTHING = "all"


def profiles_for(user: cl.User | None, browser_language: str | None) -> list[cl.ChatProfile]:
    """Everything, and each knowledge base that the user may open or sees a document of; none for a single one."""
    viewer = state.viewer_of(user)
    scope = Scope(viewer=viewer)
    with state.knowledge_base().workspace.store.read() as reader:
        rows = reader.visible_documents(scope)
        named = {
            row.name
            for row in reader.collection_rows()
            if not is_ephemeral(row.name) and scope.admits("", Visibility.COLLECTION, row.members)
        }
    names = sorted(named | {row.collection for row in rows})
    if len(names) < 2:
        return []
    language = language_of_tag(browser_language or "")
    everything = cl.ChatProfile(
        name=_EVERYTHING,
        display_name=text("profile_all", language),
        markdown_description=_about("profile_all_about", rows, language),
        default=True,
    )
    return [everything, *(_one(name, rows, language) for name in names)]


def _one(name: str, rows: Sequence[DocumentRow], language: str) -> cl.ChatProfile:
    own = [row for row in rows if row.collection == name]
    return cl.ChatProfile(
        name=state.ABOUT_ONE + name,
        display_name=name,
        markdown_description=_about("profile_about", own, language, name=name),
        starters=starters_about(own, language),
    )


def _about(key: str, rows: Sequence[DocumentRow], language: str, **values: str) -> str:
    chunks = sum(row.chunk_count for row in rows)
    return inert(text(key, language, documents=len(rows), chunks=f"{chunks:,}", **values))
