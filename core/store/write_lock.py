"""One writer at a time among the processes of one machine, which leaves word who it is."""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import HomeUnwritableError
from core.store.waiting import UNKNOWN, Holder, Waiting


class WriteLock:
    """A lock file under ``home``; the system frees it when its process ends, however that ends."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / "write.lock"
        # Not in the lock file itself: on some systems nobody else can read that while it is locked.
        self._note = home / "write.holder"

    @contextlib.contextmanager
    def held(self, waiting: Waiting) -> Iterator[None]:
        """Hold the lock. Raises ``StoreBusyError`` and ``HomeUnwritableError``."""
        lock = FileLock(str(self._path), blocking=False, thread_local=False)
        waiting.until(lambda: self._acquired(lock), self.holder)
        try:
            self._leave_word()
            yield
        finally:
            with contextlib.suppress(OSError):
                self._note.unlink(missing_ok=True)
            lock.release()

    def holder(self) -> Holder:
        """Who holds the lock, as far as that is known."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            return Holder(
                pid=int(note["pid"]), host=str(note["host"]), since=datetime.fromisoformat(note["since"])
            )
        except (OSError, ValueError, KeyError, TypeError):
            return UNKNOWN

    def _acquired(self, lock: FileLock) -> bool:
        try:
            lock.acquire()
        except Timeout:
            return False
        except OSError as exc:
            raise HomeUnwritableError(home=self._home, reason=exc.strerror or "?") from exc
        return True

    def _leave_word(self) -> None:
        """Only for the others' patience: a full disk does not keep anybody from removing documents."""
        note = {"pid": os.getpid(), "host": platform.node(), "since": datetime.now(UTC).isoformat()}
        with contextlib.suppress(OSError):
            self._note.write_text(json.dumps(note), "utf-8")
