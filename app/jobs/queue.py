"""All orders of this process: so many at a time, the others in line."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from app.jobs.job import Job
from app.jobs.order import Order
from app.jobs.spool import Spool
from ingest.workspace import Workspace

_LOG = logging.getLogger("youju.app")
# Embedding takes all cores; a second one keeps a small file from waiting for a book.
_AT_ONCE: Final = 2
# Orders that are over and still known, for what may be asked of them.
_KEPT: Final = 100


class Jobs:
    """``workspace`` is asked for at each order, so that nothing is opened before it is needed."""

    def __init__(
        self, workspace: Callable[[], Workspace], spool: Spool, *, at_once: int = _AT_ONCE, kept: int = _KEPT
    ) -> None:
        self._workspace = workspace
        self._spool = spool
        self._at_once, self._kept = at_once, kept
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._line: deque[Job] = deque()
        self._working = 0
        self._lock = threading.Lock()

    def start(self, order: Order, paths: Sequence[Path]) -> Job:
        """Keep the files and put the order in line. Raises ``OSError`` when they cannot be kept."""
        job = Job(order, self._spool.put(order, paths))
        self._enter(job)
        return job

    def go_on(self) -> list[Job]:
        """Put what servers that are gone left behind in line."""
        jobs = [Job(order, self._spool.sources(order)) for order in self._spool.left_behind()]
        for job in jobs:
            self._enter(job)
        return jobs

    def again(self, job: Job) -> None:
        """Put an order back in line that has something to do again."""
        self._enter(job)

    def find(self, order_id: str) -> Job | None:
        """The order of that id, while this process knows it."""
        with self._lock:
            return self._jobs.get(order_id)

    def cancel_in(self, thread: str) -> None:
        """End all orders of a chat that is gone."""
        with self._lock:
            jobs = [job for job in self._jobs.values() if job.order.thread == thread]
        for job in jobs:
            job.cancel()

    def is_lost(self, order_id: str) -> bool:
        """Whether nobody works on that order any more, here or elsewhere."""
        return self.find(order_id) is None and not self._spool.holds(order_id)

    def ahead_of(self, job: Job) -> int:
        """How many others are worked on or wait in front of one that waits."""
        with self._lock:
            place = self._line.index(job) if job in self._line else 0
            return place + self._working

    def settle(self, job: Job) -> None:
        """The chat has what came of it; its files stay only for a password that is awaited."""
        if job.is_over:
            (self._spool.close if job.is_locked else self._spool.drop)(job.order.id)

    def _enter(self, job: Job) -> None:
        with self._lock:
            self._jobs[job.order.id] = job
            self._forget_old()
            self._line.append(job)
            if self._working < self._at_once:
                self._working += 1
                # Not joined when the server ends: what is cut short is taken up again.
                threading.Thread(target=self._work, name="adding files", daemon=True).start()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job.run(self._workspace())
            except Exception:  # noqa: BLE001 - the outermost border of this thread
                _LOG.exception("an upload failed")
                job.give_up()

    def _next(self) -> Job | None:
        with self._lock:
            while self._line:
                job = self._line.popleft()
                if not job.is_over:
                    return job
            self._working -= 1
            return None

    def _forget_old(self) -> None:
        over = [job for job in self._jobs.values() if job.is_over]
        for job in over[: max(len(over) - self._kept, 0)]:
            del self._jobs[job.order.id]
            self._spool.drop(job.order.id)
