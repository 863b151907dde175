"""The chat's handlers. Run with ``youju serve`` or ``chainlit run app/main.py``; nobody imports this."""

from __future__ import annotations

import asyncio

import chainlit as cl
from chainlit.types import ThreadDict

from app import actions, opening, state
from app.commands import offer_commands
from app.form.filtering import change_settings, offer_form
from app.form.preferences import carry_over
from app.guarding import guarded
from app.history.layer import History
from app.interrupted import interruptions
from app.managing.scoping import hear_window
from app.messages import handle
from app.start.profiles import profiles_for
from app.start.start_page import draw_start
from app.start.starting import starters_for

opening.open_app()
actions.register()


@cl.data_layer
def data_layer() -> History:
    return state.chats()


@cl.on_app_startup
async def on_app_startup() -> None:
    await opening.start()


@cl.set_starters
async def set_starters(user: cl.User | None = None, language: str | None = None) -> list[cl.Starter]:
    return await asyncio.to_thread(starters_for, language, state.viewer_of(user))


@cl.set_chat_profiles
async def set_chat_profiles(user: cl.User | None = None, language: str | None = None) -> list[cl.ChatProfile]:
    return await asyncio.to_thread(profiles_for, user, language)


@cl.on_window_message
async def on_window_message(data: object) -> None:
    await guarded(hear_window(data))


@cl.on_chat_start
async def on_chat_start() -> None:
    await guarded(carry_over())
    await guarded(draw_start())
    await _offer()


@cl.on_chat_resume
async def on_chat_resume(thread: ThreadDict) -> None:
    """What the session held is back by now; what is drawn from it is not."""
    await guarded(interruptions.resumed(thread))
    await _offer()


@cl.on_settings_update
async def on_settings_update(values: dict[str, object]) -> None:
    await guarded(change_settings(values))
    # In the language that now holds.
    await guarded(offer_commands())
    await guarded(state.keep())


@cl.on_message
async def on_message(message: cl.Message) -> None:
    # Before the answer too: a window that comes back after a restart is known by what is kept.
    await guarded(state.keep())
    await guarded(handle(message))
    await guarded(state.keep())


async def _offer() -> None:
    await guarded(offer_form())
    await guarded(offer_commands())
