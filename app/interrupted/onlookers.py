"""A second window on a chat whose answer was begun in another: the same page, before it was loaded again."""

from __future__ import annotations

from typing import Any, cast

from chainlit.session import WebsocketSession
from chainlit.user_session import user_sessions

from app.interrupted.cut_off import is_busy
from app.uploads.cards import windows_of


def others_at_work(session: WebsocketSession) -> list[WebsocketSession]:
    """The other windows of the same chat and user in which something is being answered."""
    user = session.user.identifier if session.user else ""
    return [other for other in windows_of(session.thread_id, user) if other is not session and is_busy(other)]


def look_over_its_shoulder(session: WebsocketSession, other: WebsocketSession) -> None:
    """Show in this window what the other one's task goes on to say: the same page before it was loaded again."""
    theirs = other.emit

    async def both(event: str, data: Any) -> None:
        await cast(Any, theirs(event, data))
        await cast(Any, session.emit(event, data))

    other.emit = both  # type: ignore[assignment]
    session.current_task = other.current_task
    if kept := user_sessions.get(other.id):
        user_sessions[session.id] = kept
