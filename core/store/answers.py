"""Answers that were given: questions about them, and their own small transactions.

A record belongs to who asked and is no part of any generation: storing one starts none, and waits for nobody
who adds documents. What its ``body`` means is the business of ``retrieval/records``; here it is only text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import sqlalchemy as sa

from core.errors import UnknownAnswerError
from core.store import schema, upsert
from core.store.rows import Rows, batches

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One record. ``created_at`` is ISO 8601 in UTC, ``owner`` empty when nobody had to log in.

    ``question`` is for lists; half surrogates in it are replaced, as no database stores them. ``language`` is
    that of the question, ``body`` JSON.
    """

    id: str
    created_at: str
    owner: str
    question: str
    answered: bool
    complete: bool
    method: str
    model: str
    language: str
    latency_ms: float
    body: str


class Answers(Rows):
    """Part of ``Reader``."""

    def answer(self, answer_id: str) -> AnswerRow:
        """The record of that id, whoever it belongs to. Raises ``UnknownAnswerError``."""
        a = schema.answers
        found = self._first(sa.select(a).where(a.c.id == answer_id), _answer)
        if found is None:
            raise UnknownAnswerError(name=answer_id)
        return found

    def answers(self, owner: str | None = None, limit: int | None = None) -> tuple[AnswerRow, ...]:
        """Records of ``owner`` (``None``: of everybody), the newest first."""
        a = schema.answers
        query = sa.select(a).order_by(a.c.created_at.desc(), a.c.id).limit(limit)
        return tuple(self._read(query if owner is None else query.where(a.c.owner == owner), _answer))


class AnswerWriter:
    """Changes of records inside one short transaction; ``Store.recording`` commits them."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def put(self, row: AnswerRow) -> None:
        """Store a new record."""
        values = {field.name: getattr(row, field.name) for field in fields(row)}
        values["question"] = _SURROGATE.sub("\ufffd", row.question)
        upsert.insert(self._connection, schema.answers, [values])

    def delete(self, ids: Sequence[str]) -> int:
        """Delete records; returns how many there were."""
        a = schema.answers
        return sum(
            self._connection.execute(sa.delete(a).where(a.c.id.in_(part))).rowcount for part in batches(ids)
        )

    def delete_before(self, created_at: str) -> int:
        """Delete records older than that moment (ISO 8601 in UTC); returns how many there were."""
        a = schema.answers
        return self._connection.execute(sa.delete(a).where(a.c.created_at < created_at)).rowcount


def _answer(row: sa.Row[Any]) -> AnswerRow:
    return AnswerRow(**row._mapping)
