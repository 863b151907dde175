"""The list of documents in the chat, and what its buttons do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import chainlit as cl

from app import state
from app.form.filtering import choose_filter, offer_form
from app.form.preference_form import value_word
from app.history.keeping import forget_words
from app.managing.rights import may_manage
from app.texts import TEXTS, text
from app.uploads.uploading import begin
from core.errors import UnknownDocumentError
from core.registry import resolve
from core.store import DocumentRow
from ingest.removal import remove_documents
from ingest.sources import Source


async def list_documents(words: str) -> None:
    """Show the list, searched for ``words``. It asks the server itself, so it is never out of date."""
    language, choices = state.language(), state.choices()
    strategies = [
        {"name": name, "label": value_word("strategy", name, language)} for name in choices.strategies
    ]
    props = {
        "chat": cl.context.session.thread_id,
        "collection": state.collection() or "",
        "search": words,
        "language": language,
        "strategies": strategies,
        "strategy": choices.strategy,
        "labels": {key: said[language] for key, said in TEXTS.items() if key.startswith("doc_")},
    }
    element = cl.CustomElement(name="Documents", props=props, display="inline")
    await cl.Message(content="", author="Youju", elements=[element]).send()


async def ask_only(payload: Mapping[str, object]) -> None:
    """Let one document alone be searched."""
    row = await asyncio.to_thread(_named, payload)
    await choose_filter({"documents": (row.id,)})


async def remove_document(payload: Mapping[str, object]) -> None:
    """Delete a document for good; the list asked before."""
    row = await asyncio.to_thread(_own, payload)
    workspace = state.knowledge_base().workspace
    await asyncio.to_thread(remove_documents, workspace, [row.id], row.collection)
    await asyncio.to_thread(forget_words, state.knowledge_base())
    await _forget_in_filter(row)
    said = text("doc_deleted", state.language(), name=row.name)
    await cl.context.emitter.send_toast(said, "success")


async def chunk_again(payload: Mapping[str, object]) -> None:
    """Cut a document by another strategy, as a new version; goes on like an upload."""
    row = await asyncio.to_thread(_own, payload)
    strategy = str(payload.get("strategy"))
    # An unknown one is told before the file is read.
    resolve("splitter", strategy)
    path = state.knowledge_base().workspace.store.blobs.path(row.source_sha256)
    # As the operator: whose the document is, and who sees it, stays.
    await begin([Source(name=row.name, path=path)], row.collection, None, None, strategy=strategy)


def _named(payload: Mapping[str, object]) -> DocumentRow:
    """The document of a button. Raises ``UnknownDocumentError`` when it is gone or hidden from this session."""
    wanted = str(payload.get("document"))
    with state.knowledge_base().workspace.store.read() as reader:
        row = reader.document_by_id(wanted)
        if row is None or not reader.can_see(row.version_id, state.scope()):
            raise UnknownDocumentError(name=wanted)
        return row


def _own(payload: Mapping[str, object]) -> DocumentRow:
    """The same, for one that the user may change: others have no such button."""
    row = _named(payload)
    if not may_manage(row, cl.context.session.user):
        raise UnknownDocumentError(name=row.name)
    return row


async def _forget_in_filter(row: DocumentRow) -> None:
    """Let the filter name nothing that is gone, and the form offer nothing."""
    chosen = state.chosen_filter()
    kept = [pair for pair in zip(chosen.documents, chosen.names, strict=True) if pair[0] != row.id]
    documents, names = tuple(pair[0] for pair in kept), tuple(pair[1] for pair in kept)
    state.choose_filter(replace(chosen, documents=documents, names=names))
    await offer_form()
