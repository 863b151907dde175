"""The stop button, without the English message that Chainlit would write into the chat and its history."""

from __future__ import annotations

from chainlit.config import config
from chainlit.context import init_ws_context
from chainlit.server import sio
from chainlit.session import WebsocketSession


def take_over() -> None:
    """Answer the button ourselves; what was stopped says so itself, in the user's language."""
    sio.on("stop", _stop)


async def _stop(sid: str) -> None:
    session = WebsocketSession.get(sid)
    if session is None:
        return
    init_ws_context(session)
    if session.current_task:
        session.current_task.cancel()
    if config.code.on_stop:
        await config.code.on_stop()
