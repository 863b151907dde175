"""Answers that a killed server leaves behind: their words so far, and the note below them."""

from __future__ import annotations

import asyncio
from typing import Final

import chainlit as cl
from chainlit.chat_context import chat_contexts
from chainlit.session import WebsocketSession, ws_sessions_id
from chainlit.types import ThreadDict

from app import state
from app.interrupted.unfinished import Unfinished
from app.texts import text

# What was written of an answer when the server is killed is at most that old.
_EVERY_S: Final = 2.0


async def keep_words_for_ever() -> None:
    """Store what is being written now and then while the server runs, so that a killed one leaves it behind."""
    while True:
        await asyncio.sleep(_EVERY_S)
        for session in list(ws_sessions_id.values()):
            if is_busy(session):
                for message in list(chat_contexts.get(session.id, ())):
                    if message.streaming:
                        await state.chats().put_words(message.id, lambda m=message: _so_far(m))  # type: ignore[misc]


def is_busy(session: WebsocketSession) -> bool:
    """Whether something is being answered in that window."""
    return session.current_task is not None and not session.current_task.done()


async def tell_of(thread: ThreadDict, cut: Unfinished, language: str) -> None:
    """A note below an answer that was cut off, with a button to ask again."""
    props = {
        "said": text("interrupted", language),
        "again": text("ask_again", language),
        "question": cut.question,
        "way": dict(cut.way),
    }
    note = cl.CustomElement(name="Interrupted", props=props, display="inline")
    message = cl.Message(content="", author="Youju", elements=[note])
    await message.send()
    # What is sent before the chat is drawn is drawn over.
    thread["steps"].append(message.to_dict())
    thread["elements"] = [*(thread["elements"] or ()), note.to_dict()]
    for step_id in cut.empty:
        await state.chats().delete_step(step_id)


def _so_far(message: cl.Message) -> str | None:
    return message.content if message.streaming else None
