"""How long chats stay, and what goes with them: their files, their own documents, their answers, what was said of these."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from app.history.layer import History
from app.history.stored_files import StoredFiles
from app.history.tables import database_url, prepare
from app.login.entry import Entry
from core.errors import UnknownAnswerError, YoujuError
from core.scope import EPHEMERAL_PREFIX
from ingest.removal import remove_ephemeral
from retrieval.feedback import Feedback
from retrieval.knowledge_base import KnowledgeBase
from retrieval.records.keep import delete

_LOG = logging.getLogger("youju.app")
_FOLDER: Final = "chat_files"
_EVERY_S: Final = 6 * 3600.0


def open_history(
    base: KnowledgeBase, entry: Entry, on_gone: Callable[[str], None] = lambda thread_id: None
) -> History:
    """The history that the settings name; its tables are made when they are missing.

    ``on_gone`` is told the id of a chat that was deleted, before what belongs to it goes too. Raises ``YoujuError``.
    """
    settings = base.settings
    url = database_url(settings.home, settings.server.history_url.get_secret_value())
    prepare(url)

    async def on_deleted(thread_id: str, user: str, answer_ids: Sequence[str]) -> None:
        owner = entry.viewer(user) or ""
        on_gone(thread_id)
        await asyncio.to_thread(_forget, base, thread_id, owner, answer_ids)

    return History(url, StoredFiles(settings.home / _FOLDER), on_deleted)


async def sweep(base: KnowledgeBase, history: History) -> None:
    """Delete chats that nobody used for as long as the settings say, and documents of chats that are gone."""
    if days := base.settings.server.history_days:
        oldest = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
        for thread_id in await history.unused_since(oldest):
            await history.delete_thread(thread_id)
    kept = frozenset(f"{EPHEMERAL_PREFIX}{thread_id}" for thread_id in await history.thread_ids())
    await asyncio.to_thread(remove_ephemeral, base.workspace, kept=kept)
    await asyncio.to_thread(forget_words, base)


async def sweep_for_ever(base: KnowledgeBase, history: History) -> None:
    """Sweep now and then while the server runs."""
    while True:
        try:
            await sweep(base, history)
        except YoujuError as exc:
            _LOG.warning("old chats were not swept: %s", exc)
        await asyncio.sleep(_EVERY_S)


def _forget(base: KnowledgeBase, thread_id: str, owner: str, answer_ids: Sequence[str]) -> None:
    try:
        remove_ephemeral(base.workspace, f"{EPHEMERAL_PREFIX}{thread_id}")
        if own := _own(base, owner, answer_ids):
            delete(base.workspace.store, own)
        Feedback(base.settings.home).forget_chat(thread_id)
    except (YoujuError, OSError) as exc:
        # The next sweep takes the documents; the chat itself is gone.
        _LOG.warning("what belonged to a deleted chat is still there: %s", exc)


def forget_words(base: KnowledgeBase) -> None:
    """Words of documents that were removed, by whatever program, stay with nobody's complaint."""
    feedback = Feedback(base.settings.home)
    try:
        held = feedback.document_ids()
        with base.workspace.store.read() as reader:
            gone = held - reader.collection_of_documents().keys()
        feedback.forget_documents(gone)
    except OSError as exc:
        _LOG.warning("feedback still has words of documents that are gone: %s", exc)


def _own(base: KnowledgeBase, owner: str, answer_ids: Sequence[str]) -> list[str]:
    """Those answers that are the user's: a browser may have named any."""
    own = []
    with base.workspace.store.read() as reader:
        for answer_id in answer_ids:
            try:
                if reader.answer(answer_id).owner == owner:
                    own.append(answer_id)
            except UnknownAnswerError:
                continue
    return own
