"""The cards of orders: what they show, in every window of their user that shows the chat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import chainlit as cl
from chainlit.element import ElementDict
from chainlit.session import WebsocketSession, ws_sessions_id
from chainlit.types import ThreadDict

from app import state
from app.jobs.job import Job
from app.jobs.order import Order
from app.texts import text
from app.uploads.table import Props, Target, lost_shown, upload_shown
from app.uploads.targets import targets_for
from core.errors import YoujuError

CARD: Final = "Upload"

Payload = Mapping[str, object]


def draw(job: Job) -> Props:
    """What the card shows now."""
    return upload_shown(job, state.jobs().ahead_of(job), _targets(job.order) if job.is_over else ())


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


def _targets(order: Order) -> list[Target]:
    if not order.is_for_chat:
        return []
    try:
        with state.knowledge_base().workspace.store.read() as reader:
            found = targets_for(reader, order.owner, is_admin=state.entry().is_admin(order.user))
        # The first is chosen until the user says otherwise: that of the chat.
        return sorted(found, key=lambda target: target.collection != order.about)
    except YoujuError:
        # What became of the files is told all the same.
        return []


def own_job(payload: Payload) -> Job | None:
    """The order that a card of this very chat names."""
    session = cl.context.session
    job = state.jobs().find(str(payload.get("order")))
    user = session.user.identifier if session.user else ""
    is_own = job is not None and (job.order.thread, job.order.user) == (session.thread_id, user)
    return job if is_own else None


async def say_gone() -> None:
    """Tell that what a card was asked for is no longer possible."""
    language = state.language()
    await cl.ErrorMessage(content=text("upload_gone", language), author="Youju").send()
