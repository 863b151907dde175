"""Work of a request in a thread: so many at once, and given up when who asked has gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Final

from fastapi import Request

from core.api_errors import ApiBusyError

Json = dict[str, object]
Work = Callable[[Callable[[], bool]], Json]
AT_ONCE: Final = 4
_LOOK_S: Final = 0.5


class Seats:
    """How many requests are at work; asked on the event loop alone."""

    def __init__(self, count: int) -> None:
        self.free = count

    def start(self, work: Work, gone: threading.Event) -> asyncio.Task[Json]:
        """``work`` in a thread; its seat is free when it ends, not when nobody waits any more.

        Raises ``ApiBusyError``.
        """
        if self.free <= 0:
            raise ApiBusyError
        self.free -= 1
        task = asyncio.ensure_future(asyncio.to_thread(work, gone.is_set))
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Json]) -> None:
        self.free += 1
        if not task.cancelled():
            # Nobody may be left who asks for it.
            task.exception()


SEATS: Final = Seats(AT_ONCE)


async def worked(request: Request, work: Work) -> Json:
    """What comes of it. Raises what ``work`` raises, and ``ApiBusyError``."""
    gone = threading.Event()
    task = SEATS.start(work, gone)
    try:
        while not (await asyncio.wait({task}, timeout=_LOOK_S))[0]:
            if await request.is_disconnected():
                gone.set()
        return task.result()
    finally:
        gone.set()
