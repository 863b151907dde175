"""Forgetting what the chat model decided: its tasks hold words of documents."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from core.errors import HomeUnwritableError


def forget_decisions(home: Path) -> None:
    """Empty the cache of decisions under ``home``, so that nothing of a removed document stays in it.

    It costs what those decisions cost when they are asked for again. A cache elsewhere (Redis) is not touched.
    Raises ``HomeUnwritableError``.
    """
    path = home / "decisions.db"
    if not path.exists():
        return
    try:
        _empty(path)
    except sqlite3.DatabaseError:
        # Damaged, or the disk is full: what cannot be emptied goes as a whole.
        _drop(path)


def drop_damaged_decisions(home: Path) -> None:
    """Take the cache away when its file is damaged; another one is begun. Raises ``HomeUnwritableError``."""
    path = home / "decisions.db"
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=30)) as connection:
            is_sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.OperationalError:
        # Somebody else has it, or it cannot be read now: no damage.
        return
    except sqlite3.DatabaseError:
        is_sound = False
    if not is_sound:
        _drop(path)


def _empty(path: Path) -> None:
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in tables:
            quoted = str(name).replace('"', '""')
            connection.execute(f'DELETE FROM "{quoted}"')


def _drop(path: Path) -> None:
    try:
        for file in (path, path.with_name(f"{path.name}-journal")):
            file.unlink(missing_ok=True)
    except OSError as exc:
        raise HomeUnwritableError(home=path.parent, reason=exc.strerror or "?") from exc
