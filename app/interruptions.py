"""After a cut: a window that comes back sees what happened meanwhile, whether the network or the server was gone.

Takes the place of Chainlit's own handler, which leaves a window that comes back with what it had, takes a
chat whose server was restarted for a new one, and tells nobody that an answer was never finished.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

import chainlit as cl
from chainlit.chat_context import chat_contexts
from chainlit.context import init_ws_context
from chainlit.server import sio
from chainlit.session import WebsocketSession, ws_sessions_id
from chainlit.socket import connection_successful
from chainlit.types import ThreadDict
from chainlit.user_session import user_sessions

from app import state
from app.job_cards import redraw, windows_of
from app.texts import text
from app.unfinished import Unfinished, unfinished_in, with_live

# What was written of an answer when the server is killed is at most that old.
_EVERY_S: Final = 2.0


def take_over() -> None:
    """Answer a window that connects ourselves."""
    sio.on("connection_successful", _connected)


async def keep_words_for_ever() -> None:
    """Store what is being written now and then while the server runs, so that a killed one leaves it behind."""
    while True:
        await asyncio.sleep(_EVERY_S)
        for session in list(ws_sessions_id.values()):
            if _is_busy(session):
                for message in list(chat_contexts.get(session.id, ())):
                    if message.streaming:
                        await state.chats().put_words(message.id, lambda m=message: _so_far(m))  # type: ignore[misc]


async def resumed(thread: ThreadDict) -> None:
    """Put what is going on into a stored chat before it is drawn, and say later what was cut off."""
    session = cast(WebsocketSession, cl.context.session)
    await asyncio.to_thread(redraw, thread, state.language())
    busy = _others_at_work(session)
    if busy:
        for other in busy:
            _look_over_its_shoulder(session, other)
            _put_live(thread, other)
        return
    for cut in unfinished_in(thread["steps"]):
        await state.chats().close_step(cut.run)
        thread["steps"] = [step for step in thread["steps"] if step["id"] not in cut.empty]
        await _tell(thread, cut)


async def _connected(sid: str) -> None:
    session = WebsocketSession.require(sid)
    if session.restored and session.has_first_interaction:
        await _come_back(session)
        return
    init_ws_context(session)
    if not session.restored and not session.thread_id_to_resume:
        await _find_its_chat(session)
    await connection_successful(sid)
    if _is_busy(session):
        await cl.context.emitter.task_start()


async def _come_back(session: WebsocketSession) -> None:
    """The network was gone: draw the chat anew, with what is being written just now."""
    emitter = init_ws_context(session).emitter
    await emitter.task_end()
    thread = await state.chats().get_thread(session.thread_id)
    if thread is not None:
        await asyncio.to_thread(redraw, thread, state.language())
        _put_live(thread, session)
        await cast(Any, emitter.resume_thread(thread))
    if _is_busy(session):
        await emitter.task_start()


async def _find_its_chat(session: WebsocketSession) -> None:
    """A window that was open when the server ended names no chat, but the chat names the window."""
    user_id = str(getattr(session.user, "id", ""))
    if thread_id := await state.chats().chat_of_window(user_id, session.id):
        session.thread_id = session.thread_id_to_resume = thread_id


def _others_at_work(session: WebsocketSession) -> list[WebsocketSession]:
    user = session.user.identifier if session.user else ""
    return [
        other for other in windows_of(session.thread_id, user) if other is not session and _is_busy(other)
    ]


def _look_over_its_shoulder(session: WebsocketSession, other: WebsocketSession) -> None:
    """Show in this window what the other one's task goes on to say: the same page before it was loaded again."""
    theirs = other.emit

    async def both(event: str, data: Any) -> None:
        await cast(Any, theirs(event, data))
        await cast(Any, session.emit(event, data))

    other.emit = both  # type: ignore[assignment]
    session.current_task = other.current_task
    if kept := user_sessions.get(other.id):
        user_sessions[session.id] = kept


def _put_live(thread: ThreadDict, session: WebsocketSession) -> None:
    live = [message.to_dict() for message in chat_contexts.get(session.id, ())]
    thread["steps"] = with_live(thread["steps"], live)


def _is_busy(session: WebsocketSession) -> bool:
    return session.current_task is not None and not session.current_task.done()


def _so_far(message: cl.Message) -> str | None:
    return message.content if message.streaming else None


async def _tell(thread: ThreadDict, cut: Unfinished) -> None:
    """A note below an answer that was cut off, with a button to ask again."""
    language = state.language()
    props = {
        "said": text("interrupted", language),
        "again": text("ask_again", language),
        "question": cut.question,
    }
    note = cl.CustomElement(name="Interrupted", props=props, display="inline")
    message = cl.Message(content="", author="Youju", elements=[note])
    await message.send()
    # What is sent before the chat is drawn is drawn over.
    thread["steps"].append(message.to_dict())
    thread["elements"] = [*(thread["elements"] or ()), note.to_dict()]
    for step_id in cut.empty:
        await state.chats().delete_step(step_id)
