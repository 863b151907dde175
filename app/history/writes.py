"""Writes to chats that are going on, so that who reads a chat sees it as it was said."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

# A write that takes longer is left behind.
_LONGEST_S: Final = 5.0
_LOOK_S: Final = 0.01


class Writes:
    """Counts them by chat. Used by one event loop."""

    def __init__(self) -> None:
        self._going_on: Counter[str] = Counter()

    @contextmanager
    def of(self, thread_id: str) -> Iterator[None]:
        """While a write of that chat lasts."""
        self._going_on[thread_id] += 1
        try:
            yield
        finally:
            self._going_on[thread_id] -= 1
            if not self._going_on[thread_id]:
                del self._going_on[thread_id]

    async def settled(self, thread_id: str) -> None:
        """Returns when nothing is being written to the chat, or after a while that nobody waits longer for."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_S):
                while thread_id in self._going_on:
                    await asyncio.sleep(_LOOK_S)
