"""The cards of orders: drawn again and again for every window that shows the chat, and stored in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Final, cast

from chainlit.element import ElementDict
from chainlit.session import WebsocketSession, ws_sessions_id
from chainlit.types import ThreadDict

from app import state
from app.guarding import guarded
from app.jobs.job import Job
from app.jobs.order import Order
from app.targets import targets_for
from app.upload_table import Props, Target, lost_shown, upload_shown
from core.errors import YoujuError
from ingest.removal import remove_ephemeral

CARD: Final = "Upload"
_EVERY_S: Final = 0.4
# Chainlit stores a message in tasks of its own; a quick file is done before.
_TRIES, _PAUSE_S = 60, 0.25

Then = Callable[[], Awaitable[None]]


def draw(job: Job) -> Props:
    """What the card shows now."""
    return upload_shown(job, state.jobs().ahead_of(job), _targets(job.order) if job.is_over else ())


def follow(job: Job, then: Then | None = None) -> None:
    """Draw the card until the order is over, then store it; ``then`` is done when its files can be asked about."""
    task = asyncio.create_task(_followed(job, then))
    _tasks().add(task)
    task.add_done_callback(_tasks().discard)


def redraw(thread: ThreadDict, language: str) -> None:
    """Put what is known now into the cards of a stored chat, in place."""
    for element in thread.get("elements") or ():
        props = element.get("props")
        if element.get("name") != CARD or not isinstance(props, dict):
            continue
        job = state.jobs().find(str(props.get("order")))
        if job is not None and job.order.element == element["id"]:
            element["props"] = draw(job)
        elif job is None and state.jobs().is_lost(str(props.get("order"))):
            element["props"] = lost_shown(props, language)


async def show(order: Order, props: Props) -> None:
    """Draw the card in every window of its user that shows the chat."""
    shown: dict[str, Any] = {
        "id": order.element,
        "threadId": order.thread,
        "forId": order.message,
        "type": "custom",
        "name": CARD,
        "display": "inline",
        "mime": "application/json",
        "props": props,
    }
    for session in windows_of(order.thread, order.user):
        await cast(Any, session.emit("element", cast(ElementDict, shown)))


def windows_of(thread: str, user: str) -> list[WebsocketSession]:
    """The windows in which that user has that chat open, or had it a moment ago."""
    return [
        session
        for session in list(ws_sessions_id.values())
        if session.thread_id == thread and (session.user.identifier if session.user else "") == user
    ]


async def _followed(job: Job, then: Then | None) -> None:
    shown: Props = {}
    while True:
        is_over = job.is_over
        props = await asyncio.to_thread(draw, job)
        if props != shown:
            shown = props
            await show(job.order, props)
        if is_over:
            break
        await asyncio.sleep(_EVERY_S)
    await _store(job.order, shown)
    await asyncio.to_thread(state.jobs().settle, job)
    if then is not None and job.is_usable:
        await guarded(then())


async def _store(order: Order, props: Props) -> None:
    for _ in range(_TRIES):
        if await state.chats().put_props(order.element, props):
            return
        await asyncio.sleep(_PAUSE_S)
    if order.is_for_chat and not await state.chats().get_thread_author(order.thread):
        # The chat was deleted meanwhile.
        await asyncio.to_thread(remove_ephemeral, state.knowledge_base().workspace, order.collection)


def _targets(order: Order) -> list[Target]:
    if not order.is_for_chat:
        return []
    try:
        with state.knowledge_base().workspace.store.read() as reader:
            return targets_for(reader, order.owner, is_admin=state.entry().is_admin(order.user))
    except YoujuError:
        # What became of the files is told all the same.
        return []


@cache
def _tasks() -> set[asyncio.Task[None]]:
    """Tasks that nobody holds may be taken away in the middle."""
    return set()
