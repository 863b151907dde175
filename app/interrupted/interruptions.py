"""After a cut: a window that comes back sees what happened meanwhile, whether the network or the server was gone.

Takes the place of Chainlit's own handler, which leaves a window that comes back with what it had, takes a
chat whose server was restarted for a new one, and tells nobody that an answer was never finished.
"""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any, cast

import chainlit as cl
from chainlit.chat_context import chat_contexts
from chainlit.context import init_ws_context
from chainlit.server import sio
from chainlit.session import WebsocketSession
from chainlit.socket import connection_successful
from chainlit.types import ThreadDict
from chainlit.utils import utc_now

from app import state
from app.interrupted.cut_off import is_busy, tell_of
from app.interrupted.onlookers import look_over_its_shoulder, others_at_work
from app.interrupted.unfinished import unfinished_in, with_live
from app.uploads.cards import redraw


def take_over() -> None:
    """Answer a window that connects ourselves."""
    _began_at()
    sio.on("connection_successful", _connected)


async def resumed(thread: ThreadDict) -> None:
    """Put what is going on into a stored chat before it is drawn, and say later what was cut off."""
    session = cast(WebsocketSession, cl.context.session)
    await asyncio.to_thread(redraw, thread, state.language())
    busy = others_at_work(session)
    if busy:
        for other in busy:
            look_over_its_shoulder(session, other)
            _put_live(thread, other)
        return
    for cut in unfinished_in(thread["steps"], _began_at()):
        await state.chats().close_step(cut.run)
        thread["steps"] = [step for step in thread["steps"] if step["id"] not in cut.empty]
        await tell_of(thread, cut, state.language())


async def _connected(sid: str) -> None:
    session = WebsocketSession.require(sid)
    if session.restored and session.has_first_interaction:
        await _come_back(session)
        return
    init_ws_context(session)
    if not session.restored and not session.thread_id_to_resume:
        await _find_its_chat(session)
    await connection_successful(sid)
    if session.thread_id_to_resume and is_busy(session):
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
    if is_busy(session):
        await emitter.task_start()


async def _find_its_chat(session: WebsocketSession) -> None:
    """A window that was open when the server ended names no chat, but the chat names the window."""
    user_id = str(getattr(session.user, "id", ""))
    if thread_id := await state.chats().chat_of_window(user_id, session.id):
        session.thread_id = session.thread_id_to_resume = thread_id


def _put_live(thread: ThreadDict, session: WebsocketSession) -> None:
    live = [message.to_dict() for message in chat_contexts.get(session.id, ())]
    thread["steps"] = with_live(thread["steps"], live)


@cache
def _began_at() -> str:
    """When this server began: what nobody ended before was cut off."""
    return str(utc_now())
