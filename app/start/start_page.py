"""What the start page says of what a new chat is about: the user's own view of it, drawn by public/start.js."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import chainlit as cl

from app import state
from app.start.starting import lasting_documents
from app.texts import text
from core.errors import YoujuError
from core.store import DocumentRow

_START: Final = "youju_start"


async def draw_start() -> None:
    """Have the lines drawn below the logo; none when the store cannot be read, which the form's offer tells."""
    name = state.collection()
    try:
        rows = await asyncio.to_thread(lasting_documents, state.viewer())
    except YoujuError:
        return
    own = rows if name is None else [row for row in rows if row.collection == name]
    has_model = state.knowledge_base().settings.has_chat_model
    lines = start_lines(own, state.language(), has_model=has_model, name=name)
    await cl.send_window_message({"type": _START, "lines": lines})


def start_lines(
    rows: Sequence[DocumentRow], language: str, *, has_model: bool, name: str | None = None
) -> list[str]:
    """What is there, what came last, and what works without a chat model.

    ``name`` is the knowledge base that ``rows`` are of; ``None``: all that there are.
    """
    without = [] if has_model else [text("start_no_model", language)]
    where = text("start_in", language, name=name) if name else text("start_in_all", language)
    if not rows:
        return [text("start_empty", language, where=where[:1].upper() + where[1:]), *without]
    pages = sum(row.page_count for row in rows)
    last = max(rows, key=lambda row: (row.updated_at, row.name))
    key = "start_holds" if len(rows) > 1 else "start_holds_one"
    holds = text(key, language, documents=len(rows), where=where)
    if pages:
        holds += text("start_pages", language, pages=pages)
    added = text("start_last", language, name=last.name, day=last.updated_at[:10])
    return [holds, added, *without]
