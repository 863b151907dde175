"""Thumbs in the history: whose message is judged, which answers stand in it, and what was said of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Final

from app.history import queries
from app.history.layer import History
from app.history.rows import with_values

_STEP: Final = (
    'SELECT s."id", s."threadId", t."userIdentifier" FROM steps s JOIN threads t ON t."id" = s."threadId" '
    'WHERE s."id" = :id'
)
_FOUND: Final = 'SELECT "forId" FROM feedbacks WHERE "id" = :id'
_IDS: Final = 'SELECT "id" FROM feedbacks WHERE "forId" = :id'
_FORGET: Final = 'DELETE FROM feedbacks WHERE "forId" = :id'
# A thumb is given to a message or to the run that it belongs to.
_SOURCES: Final = (
    'SELECT e."props" FROM elements e LEFT JOIN steps s ON s."id" = e."forId" WHERE e."threadId" = :thread_id '
    'AND e."name" = \'Sources\' AND (e."forId" = :id OR s."parentId" = :id) ORDER BY s."createdAt"'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A message or run; ``answer_id`` is that of the last answer in it, empty without one."""

    step_id: str
    thread_id: str
    answer_id: str


async def judged(history: History, step_id: str, identifier: str) -> Judged | None:
    """What a user may say something about: ``None`` for what is not there and for what is another's."""
    rows = await _rows(history, _STEP, id=step_id)
    if not rows or rows[0]["userIdentifier"] != identifier:
        return None
    thread_id = str(rows[0]["threadId"])
    sources = await _rows(history, _SOURCES, thread_id=thread_id, id=step_id)
    answer_id = ""
    for row in sources:
        with_values(row)
        answer_id = str(row["props"].get("answerId") or answer_id)
    return Judged(step_id=step_id, thread_id=thread_id, answer_id=answer_id)


async def judged_by(history: History, feedback_id: str, identifier: str) -> Judged | None:
    """The same by the id of what was said of it."""
    rows = await _rows(history, _FOUND, id=feedback_id)
    return await judged(history, str(rows[0]["forId"]), identifier) if rows else None


async def put(history: History, about: Judged, value: int, comment: str | None) -> str:
    """Keep one word on a step, in place of the one before; returns its id."""
    rows = await _rows(history, _IDS, id=about.step_id)
    values = {
        "id": str(rows[0]["id"]) if rows else str(uuid.uuid4()),
        "forId": about.step_id,
        "threadId": about.thread_id,
        "value": value,
        "comment": comment,
    }
    await history.execute_sql(queries.insert("feedbacks", values), values)
    return str(values["id"])


async def take_back(history: History, about: Judged) -> None:
    await history.execute_sql(_FORGET, {"id": about.step_id})


async def _rows(history: History, query: str, **parameters: object) -> list[dict[str, Any]]:
    found = await history.execute_sql(query, parameters)
    return found if isinstance(found, list) else []
