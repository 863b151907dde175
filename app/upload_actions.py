"""The buttons of an upload's card: cancel, open with a password, keep for good."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import chainlit as cl

from app import state
from app.asking import answer_question
from app.filtering import offer_form
from app.job_cards import CARD, draw, follow, show
from app.jobs.job import Job
from app.targets import target_named, targets_for
from app.texts import text
from app.upload_table import Target, kept_words, usable_names
from app.uploading import begin, finished
from core.scope import Visibility
from ingest.sources import Source

Payload = Mapping[str, object]


async def cancel_upload(payload: Payload) -> None:
    """End an order of this chat; what is finished stays."""
    if (job := _own(payload)) is not None:
        job.cancel()


async def unlock_upload(payload: Payload) -> None:
    """Try a locked file again with a password, which nobody keeps, then ask what was to be asked of it."""
    job = _own(payload)
    if job is None or not job.open_with(str(payload.get("name")), str(payload.get("password", ""))):
        await _say_gone()
        return
    state.jobs().again(job)
    follow(job, then=offer_form)
    if await finished(job) and job.question:
        question, job.question = job.question, ""
        await answer_question(question)


async def skip_upload(payload: Payload) -> None:
    """Ask no more for a file's password."""
    if (job := _own(payload)) is not None:
        job.leave_locked(str(payload.get("name")))
        follow(job)


async def keep_upload(payload: Payload) -> None:
    """Add the files of a card to a knowledge base too. Raises ``YoujuError`` where the user may not."""
    thread, element_id = cl.context.session.thread_id, str(payload.get("element"))
    element = await state.chats().get_element(thread, element_id)
    props = element.get("props") if element and element.get("name") == CARD else None
    if not isinstance(props, dict):
        await _say_gone()
        return
    target = await asyncio.to_thread(_target, str(payload.get("collection")))
    with TemporaryDirectory(prefix="youju-") as folder:
        names, chat = usable_names(props), state.chat_collection()
        sources = await asyncio.to_thread(_originals, names, chat, Path(folder))
        visibility = Visibility.PRIVATE if target.is_private else None
        if not sources:
            await _say_gone()
            return
        await begin(sources, target.collection, state.viewer(), visibility)
    said = {"kept": kept_words(target.collection, state.language()), "targets": []}
    await state.chats().put_props(element_id, props | said)
    if (job := _own(payload)) is not None:
        job.kept = target.collection
        await show(job.order, draw(job))


def _own(payload: Payload) -> Job | None:
    """The order that a card of this very chat names."""
    session = cl.context.session
    job = state.jobs().find(str(payload.get("order")))
    user = session.user.identifier if session.user else ""
    is_own = job is not None and (job.order.thread, job.order.user) == (session.thread_id, user)
    return job if is_own else None


async def _say_gone() -> None:
    language = state.language()
    await cl.ErrorMessage(content=text("upload_gone", language), author="Youju").send()


def _target(collection: str) -> Target:
    with state.knowledge_base().workspace.store.read() as reader:
        targets = targets_for(reader, state.viewer(), is_admin=state.is_admin())
    return target_named(targets, collection)


def _originals(names: Sequence[str], collection: str, folder: Path) -> list[Source]:
    """The files as they were added to this chat, written to ``folder``."""
    store = state.knowledge_base().workspace.store
    with store.read() as reader:
        rows = [row for name in names if (row := reader.find(name, collection)) is not None]
    sources = []
    for number, row in enumerate(rows):
        path = folder / str(number)
        path.write_bytes(store.blobs.get(row.source_sha256))
        sources.append(Source(name=row.name, path=path))
    return sources
