"""The chat's handlers. Run with ``youju serve`` or ``chainlit run app/main.py``; nobody imports this."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Awaitable

import chainlit as cl

from app import state, views
from app.asking import answer_question
from app.citing import open_citation
from app.filtering import choose_filter, clear_filter, offer_filter
from app.starting import starters_for, welcome
from app.texts import text
from app.uploading import add_files, sources_of
from core.errors import YoujuError
from core.messages import render
from ingest.workspace import remove_ephemeral

_LOG = logging.getLogger("youju.app")


@cl.on_app_startup
async def on_app_startup() -> None:
    """Forget files of chats that ended long ago; load the models while the first page opens."""
    base = state.knowledge_base()
    await asyncio.to_thread(remove_ephemeral, base.workspace)
    threading.Thread(target=_warm_up, daemon=True).start()


@cl.set_starters
async def set_starters(user: cl.User | None = None, language: str | None = None) -> list[cl.Starter]:
    return await asyncio.to_thread(starters_for, language)


@cl.on_chat_start
async def on_chat_start() -> None:
    await _guarded(welcome())
    await _guarded(offer_filter())


@cl.on_settings_update
async def on_settings_update(values: dict[str, object]) -> None:
    await _guarded(choose_filter(values))


@cl.action_callback("clear_filter")
async def on_clear_filter(action: cl.Action) -> None:
    await _guarded(clear_filter())


@cl.on_message
async def on_message(message: cl.Message) -> None:
    await _guarded(_handle(message))


@cl.action_callback("open_citation")
async def on_open_citation(action: cl.Action) -> None:
    await _guarded(open_citation(action.payload))


@cl.on_chat_end
async def on_chat_end() -> None:
    """Files of this chat end with it."""
    base = state.knowledge_base()
    await asyncio.to_thread(remove_ephemeral, base.workspace, state.chat_collection())


def _warm_up() -> None:
    try:
        state.knowledge_base().warm_up()
    except YoujuError as exc:
        # The first question will tell the user; the server itself is sound.
        _LOG.error("%s", exc)


async def _handle(message: cl.Message) -> None:
    sources = sources_of(message.elements)
    if sources:
        usable = await add_files(sources)
        await offer_filter()
        if not usable:
            return
    if message.content.strip():
        await answer_question(message.content, exactly=views.is_exact(message.command))
    elif not sources:
        await cl.Message(content=text("nothing_typed", state.language()), author="Youju").send()


async def _guarded(work: Awaitable[None]) -> None:
    """Every failure of a handler reaches the user as a message; Chainlit itself would only log it."""
    try:
        await work
    except YoujuError as exc:
        await cl.ErrorMessage(content=exc.message(state.language()), author="Youju").send()
    except Exception:  # noqa: BLE001 - the outermost border of the chat
        error_id = uuid.uuid4().hex[:8]
        _LOG.exception("unforeseen error %s", error_id)
        content = render("internal", state.language(), id=error_id)
        await cl.ErrorMessage(content=content, author="Youju").send()
