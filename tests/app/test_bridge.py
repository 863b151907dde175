"""Work in threads: order, errors, and an end when nobody listens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from app.bridge import Bridge
from core.errors import EmptyQuestionError


async def test_events_come_in_order() -> None:
    def work(post: Callable[[int], None]) -> None:
        for number in range(100):
            post(number)

    assert [event async for event in Bridge[int](work)] == list(range(100))


async def test_an_error_of_the_work_reaches_the_listener() -> None:
    def work(post: Callable[[int], None]) -> None:
        post(1)
        raise EmptyQuestionError

    seen = []
    with pytest.raises(EmptyQuestionError):
        async for event in Bridge[int](work):
            seen.append(event)
    assert seen == [1]


async def test_the_work_ends_when_the_listener_is_cancelled() -> None:
    ended = threading.Event()

    def work(post: Callable[[int], None]) -> None:
        try:
            while True:
                post(0)
                threading.Event().wait(0.01)
        finally:
            ended.set()

    async def listen() -> None:
        async for _ in Bridge[int](work):
            pass

    task = asyncio.create_task(listen())
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(ended.wait, 5)
