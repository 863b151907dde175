"""``/scope``: only the documents that are named are searched."""

from __future__ import annotations

import asyncio

import chainlit as cl

from app import state
from app.form.filtering import choose_filter, clear_filter, filter_line, visible_documents
from app.managing.naming import called, typed_names
from app.managing.scope_line import asks_to_clear
from app.texts import text
from core.inert import literal


async def scope_to(words: str) -> None:
    """Search only what is named; without a name say what is searched, and how to change it."""
    language, rows = state.language(), await asyncio.to_thread(visible_documents)
    meant = [called(typed, rows) for typed in typed_names(words, rows)]
    unknown = [text("doc_unknown", language, typed=literal(one.typed)) for one in meant if not one.rows]
    ids = tuple(dict.fromkeys(row.id for one in meant for row in one.rows))
    if ids:
        await choose_filter({"documents": ids})
    line = await asyncio.to_thread(filter_line)
    said = [
        *unknown,
        text("scope_now", language, line=literal(line)) if line else text("scope_all", language),
    ]
    if not ids:
        said.append(text("scope_how", language))
    clear = cl.Action(name="clear_filter", label=text("scope_clear", language), payload={})
    await cl.Message(content="\n\n".join(said), author="Youju", actions=[clear] if line else []).send()


async def hear_window(data: object) -> None:
    """What the browser's window says."""
    if asks_to_clear(data):
        await clear_filter({})
        await state.keep()
