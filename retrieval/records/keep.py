"""Storing an answer, and taking old ones away."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from core.answer import Answer
from core.answer_settings import AnswerSettings
from core.errors import UnknownDocumentError, YoujuError
from core.language import language_of
from core.scope import Scope
from core.store import AnswerRow, Reader, Store
from retrieval.records.codec import encoded, versions_of

_LOG = logging.getLogger(__name__)
# 96 bits: nobody guesses one.
_ID_BYTES: Final = 12


def kept(store: Store, answer: Answer, scope: Scope, options: AnswerSettings) -> Answer:
    """The answer with the id of its record; as it is where none is wanted, with a note when storing it fails."""
    if not options.store:
        return answer
    try:
        return replace(answer, id=save(store, answer, scope, keep_days=options.keep_days))
    except YoujuError as exc:
        _LOG.warning("an answer could not be stored: %s", exc)
        return replace(answer, notes=(*answer.notes, "note_not_stored"))


def save(store: Store, answer: Answer, scope: Scope, *, keep_days: int = 0) -> str:
    """Store an answer as its viewer's own; returns its id. Older ones than ``keep_days`` go (0: none).

    Raises ``StoreError``.
    """
    row = row_of(store, answer, scope)
    with store.recording() as writer:
        writer.put(row)
        if keep_days:
            writer.delete_before(_days_ago(keep_days))
    return row.id


def row_of(store: Store, answer: Answer, scope: Scope) -> AnswerRow:
    """The record of an answer that its viewer was just given, under a new id. Raises ``StoreError``."""
    with store.read() as reader:
        body = encoded(answer, _texts(reader, answer), scope.chat)
    return AnswerRow(
        id=secrets.token_hex(_ID_BYTES),
        created_at=_stamp(datetime.now(UTC)),
        owner=scope.viewer or "",
        question=answer.search.question,
        answered=answer.answered,
        complete=answer.complete,
        method=answer.method,
        model=answer.model,
        language=language_of(answer.search.question),
        latency_ms=answer.latency_ms,
        body=body,
    )


def purge(store: Store, keep_days: int) -> int:
    """Delete the records older than ``keep_days``, nothing of which stays; returns how many there were."""
    with store.recording() as writer:
        gone = writer.delete_before(_days_ago(keep_days))
    store.compact()
    return gone


def delete(store: Store, ids: list[str]) -> int:
    """Delete records, nothing of which stays; returns how many there were."""
    with store.recording() as writer:
        gone = writer.delete(ids)
    store.compact()
    return gone


def _texts(reader: Reader, answer: Answer) -> dict[str, str]:
    """The whole texts that the answer's words come from; one may have been removed meanwhile."""
    texts: dict[str, str] = {}
    for version_id in versions_of(answer):
        try:
            texts[version_id] = reader.version(version_id).text
        except UnknownDocumentError:
            continue
    return texts


def _days_ago(days: int) -> str:
    return _stamp(datetime.now(UTC) - timedelta(days=days))


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
