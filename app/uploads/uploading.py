"""Files dropped into the chat: an order that goes on whoever looks, and a card that shows how far it is."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from pathlib import Path

import chainlit as cl
from chainlit.chat_context import chat_context

from app import state
from app.form import preferences
from app.form.filtering import offer_form
from app.jobs.job import Job
from app.jobs.order import Order
from app.uploads.cards import draw
from app.uploads.following import follow
from core.errors import StoreError
from core.scope import Visibility
from ingest.sources import Source, shown_name, unique_name


def sources_of(elements: Sequence[cl.Element]) -> list[Source]:
    """The uploaded files under the names that people gave them."""
    names: set[str] = set()
    return [
        Source(name=unique_name(shown_name(element.name) or "?", names), path=Path(element.path))
        for element in elements
        if element.path and element.name
    ]


async def begin_upload(sources: Sequence[Source], *, alone: bool) -> Job:
    """Have the files added to this chat, and show the card; ``alone``: nothing was asked with them.

    Raises ``StoreError`` when they cannot be kept.
    """
    owner = state.viewer()
    if alone and len(chat_context.get()) < 2:
        # Chainlit names a chat by its first words, and gives one without a name no address.
        await cl.context.emitter.init_thread(", ".join(source.name for source in sources))
    private = Visibility.PRIVATE if owner else None
    return await begin(sources, state.chat_collection(), owner, private)


async def begin(
    sources: Sequence[Source],
    collection: str,
    owner: str | None,
    visibility: Visibility | None,
    *,
    strategy: str | None = None,
) -> Job:
    """Have the files added to a collection, and show the card. The right to it was asked for before.

    Without a ``strategy`` they are cut as the user set it.
    """
    session, user = cl.context.session, cl.context.session.user
    order = Order(
        id=str(uuid.uuid4()),
        thread=session.thread_id,
        user=user.identifier if user else "",
        message=str(uuid.uuid4()),
        element=str(uuid.uuid4()),
        language=state.language(),
        collection=collection,
        owner=owner,
        visibility=visibility,
        strategy=strategy or preferences.upload_strategy(),
        about=state.collection() or "",
        files=tuple(source.name for source in sources),
    )
    paths = [source.path for source in sources]
    try:
        job = await asyncio.to_thread(state.jobs().start, order, paths)
    except OSError as exc:
        raise StoreError(reason=exc.strerror or "?") from exc
    card = cl.CustomElement(id=order.element, name="Upload", props=draw(job), display="inline")
    await cl.Message(id=order.message, content="", author="Youju", elements=[card]).send()
    follow(job, then=offer_form)
    return job


async def finished(job: Job) -> bool:
    """Wait until the order is over; whether its files can be asked about. The stop button cancels it."""
    try:
        while not job.is_over:
            await asyncio.sleep(0.1)
    except asyncio.CancelledError:
        job.cancel()
        raise
    return job.is_usable
