"""What the sessions of a user's chats kept, as it lies in the history."""

from __future__ import annotations

from typing import Final

from app.history.layer import History
from app.history.rows import with_values

_LAST: Final = 'SELECT "metadata" FROM threads WHERE "userId" = :user_id ORDER BY "createdAt" DESC LIMIT 1'


async def last_kept(history: History, user_id: str, key: str) -> object:
    """What the chat that was begun last kept under a name; ``None`` without one."""
    rows = await history.execute_sql(_LAST, {"user_id": user_id})
    if not isinstance(rows, list) or not rows:
        return None
    with_values(rows[0])
    found: object = rows[0]["metadata"].get(key)
    return found
