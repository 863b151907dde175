"""Waiting for another writer: for how long, and saying so."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from core.errors import StoreBusyError
from core.messages import render

_STEP_S: Final = 0.05
_QUIET_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """The program that writes: its process, the machine's name, and since when."""

    pid: int
    host: str
    since: datetime


# Somebody who did not leave word.
UNKNOWN: Final = Holder(pid=0, host="", since=datetime.fromtimestamp(0, UTC))

OnWait = Callable[[Holder], None]


@dataclass(slots=True, kw_only=True)
class Waiting:
    """One writer's patience. ``on_wait`` is told once, after a second, who holds the lock."""

    timeout_s: float
    on_wait: OnWait | None
    _started: float = field(default_factory=time.monotonic)
    _told: bool = False

    def until(self, attempt: Callable[[], bool], holder: Callable[[], Holder]) -> None:
        """Try until it works. Raises ``StoreBusyError`` when the time is up."""
        while not attempt():
            waited_s = time.monotonic() - self._started
            if waited_s >= self.timeout_s:
                raise StoreBusyError(waited_s=round(self.timeout_s))
            if waited_s >= _QUIET_S and self.on_wait is not None and not self._told:
                self._told = True
                self.on_wait(holder())
            time.sleep(min(_STEP_S, max(self.timeout_s - waited_s, 0.001)))


def waiting_text(holder: Holder, language: str) -> str:
    """The sentence that tells a user why nothing happens."""
    if holder == UNKNOWN:
        return render("store_waiting", language)
    since = holder.since.astimezone().strftime("%H:%M:%S")
    return render("store_waiting_for", language, pid=holder.pid, host=holder.host, since=since)
