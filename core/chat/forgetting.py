"""Forgetting what the chat model decided: its tasks hold words of documents."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def forget_decisions(home: Path) -> None:
    """Empty the cache of decisions under ``home``, so that nothing of a removed document stays in it.

    It costs what those decisions cost when they are asked for again. A cache elsewhere (Redis) is not touched.
    """
    path = home / "decisions.db"
    if not path.exists():
        return
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in tables:
            quoted = str(name).replace('"', '""')
            connection.execute(f'DELETE FROM "{quoted}"')
