"""Files of a chat are kept for good: added to a knowledge base as well."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import chainlit as cl

from app import state
from app.uploads.cards import CARD, Payload, draw, own_job, say_gone, show
from app.uploads.table import Target, kept_words, usable_names
from app.uploads.targets import target_named, targets_for
from app.uploads.uploading import begin
from core.scope import Visibility
from ingest.sources import Source


async def keep_upload(payload: Payload) -> None:
    """Add the files of a card to a knowledge base too. Raises ``YoujuError`` where the user may not."""
    thread, element_id = cl.context.session.thread_id, str(payload.get("element"))
    element = await state.chats().get_element(thread, element_id)
    props = element.get("props") if element and element.get("name") == CARD else None
    if not isinstance(props, dict):
        await say_gone()
        return
    target = await asyncio.to_thread(_target, str(payload.get("collection")))
    with TemporaryDirectory(prefix="youju-") as folder:
        names, chat = usable_names(props), state.chat_collection()
        sources = await asyncio.to_thread(_originals, names, chat, Path(folder))
        visibility = Visibility.PRIVATE if target.is_private else None
        if not sources:
            await say_gone()
            return
        await begin(sources, target.collection, state.viewer(), visibility)
    said = {"kept": kept_words(target.collection, state.language()), "targets": []}
    await state.chats().put_props(element_id, props | said)
    if (job := own_job(payload)) is not None:
        job.kept = target.collection
        await show(job.order, draw(job))


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
