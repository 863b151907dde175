"""The card of an order is drawn again and again until the order is over, and stored then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Final

from app import state
from app.guarding import guarded
from app.jobs.job import Job
from app.jobs.order import Order
from app.uploads.cards import draw, show
from app.uploads.table import Props
from ingest.removal import remove_ephemeral

_EVERY_S: Final = 0.4
# Chainlit stores a message in tasks of its own; a quick file is done before.
_TRIES, _PAUSE_S = 60, 0.25

Then = Callable[[], Coroutine[object, object, None]]


def follow(job: Job, then: Then | None = None) -> None:
    """Draw the card until the order is over, then store it; ``then`` is done when its files can be asked about."""
    task = asyncio.create_task(_followed(job, then))
    _tasks().add(task)
    task.add_done_callback(_tasks().discard)


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


@cache
def _tasks() -> set[asyncio.Task[None]]:
    """Tasks that nobody holds may be taken away in the middle."""
    return set()
