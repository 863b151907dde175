"""Work in a thread that tells the event loop what it does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Generic, TypeVar

from core.errors import CancelledError

Event = TypeVar("Event")


class Bridge(Generic[Event]):
    """Runs ``work(post)`` in a thread; iterating yields what it posts, in order, until it returns.

    What the work raises is raised by the iteration. When the iteration is cancelled or left early the
    work's next ``post`` raises ``CancelledError``, so that it ends too.
    """

    def __init__(self, work: Callable[[Callable[[Event], None]], None]) -> None:
        self._work = work
        self._cancelled = threading.Event()

    def cancelled(self) -> bool:
        """Whether nobody waits for the work any more."""
        return self._cancelled.is_set()

    async def __aiter__(self) -> AsyncIterator[Event]:
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | None] = asyncio.Queue()

        def post(event: Event) -> None:
            if self._cancelled.is_set():
                raise CancelledError
            loop.call_soon_threadsafe(queue.put_nowait, event)

        def run() -> None:
            try:
                self._work(post)
            finally:
                loop.call_soon_threadsafe(queue.put_nowait, None)

        future = asyncio.ensure_future(asyncio.to_thread(run))
        try:
            while (event := await queue.get()) is not None:
                yield event
            await future
        finally:
            if not future.done():
                self._cancelled.set()
                future.add_done_callback(lambda done: done.cancelled() or done.exception())
