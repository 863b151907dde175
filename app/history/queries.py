"""The statements of the history that are not Chainlit's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

AUTHOR: Final = 'SELECT "userIdentifier" FROM threads WHERE "id" = :id'
OWNER: Final = 'SELECT "userId", "userIdentifier" FROM threads WHERE "id" = :id'
ELEMENT: Final = 'SELECT * FROM elements WHERE "threadId" = :thread_id AND "id" = :element_id'
# What a session keeps names the session.
OF_WINDOW: Final = (
    'SELECT "id" FROM threads WHERE "userId" = :user_id AND "metadata" LIKE :window '
    'ORDER BY "createdAt" DESC LIMIT 1'
)
DELETE_THREAD: Final = (
    'DELETE FROM feedbacks WHERE "forId" IN (SELECT "id" FROM steps WHERE "threadId" = :id)',
    'DELETE FROM elements WHERE "threadId" = :id',
    'DELETE FROM steps WHERE "threadId" = :id',
    'DELETE FROM threads WHERE "id" = :id',
)
UNUSED: Final = (
    'SELECT t."id" FROM threads t LEFT JOIN steps s ON s."threadId" = t."id" GROUP BY t."id", t."createdAt" '
    'HAVING COALESCE(MAX(s."createdAt"), t."createdAt") < :moment'
)
_THREADS: Final = (
    'SELECT t."id", t."createdAt", t."name", t."userId", t."userIdentifier", '
    'COALESCE(MAX(s."createdAt"), t."createdAt") AS used {found} FROM threads t LEFT JOIN steps s ON s."threadId" = t."id" '
    'WHERE t."userId" = :user_id {more} '
    'GROUP BY t."id", t."createdAt", t."name", t."userId", t."userIdentifier" ORDER BY used DESC, t."id"'
)
_MESSAGE: Final = (
    'FROM steps m WHERE m."threadId" = t."id" AND m."type" IN (\'user_message\', \'assistant_message\') '
    "AND LOWER(m.\"output\") LIKE :words ESCAPE '!'"
)
_FOUND: Final = f', (SELECT m."output" {_MESSAGE} ORDER BY m."createdAt" LIMIT 1) AS found'
_SAYS: Final = f"AND (LOWER(t.\"name\") LIKE :words ESCAPE '!' OR EXISTS (SELECT 1 {_MESSAGE}))"
_JUDGED: Final = (
    'AND EXISTS (SELECT 1 FROM steps j JOIN feedbacks f ON f."forId" = j."id" '
    'WHERE j."threadId" = t."id" AND f."value" = :feedback)'
)


def threads(searched: bool, judged: bool) -> str:
    """The chats of ``:user_id``, the last used first; with ``:words`` in them, or a ``:feedback``.

    ``found`` is the first message with these words, if that was searched.
    """
    more = f"{_SAYS if searched else ''} {_JUDGED if judged else ''}"
    return _THREADS.format(found=_FOUND if searched else "", more=more)


def insert(table: str, columns: Iterable[str]) -> str:
    """Store a row, or replace the values of one that is there. The names are this program's, never a user's."""
    names = list(columns)
    quoted = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(f":{name}" for name in names)
    changes = ", ".join(f'"{name}" = :{name}' for name in names if name != "id")
    return f'INSERT INTO {table} ({quoted}) VALUES ({values}) ON CONFLICT ("id") DO UPDATE SET {changes}'
