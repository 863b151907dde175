"""Orders of a chat, as the tests of this folder give them."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

from app.jobs.order import Order
from core.scope import Visibility


def order(*files: str, thread: str = "t1", user: str = "ann", collection: str = "chat:t1") -> Order:
    return Order(
        id=str(uuid.uuid4()),
        thread=thread,
        user=user,
        message=str(uuid.uuid4()),
        element=str(uuid.uuid4()),
        language="zh",
        collection=collection,
        owner=user,
        visibility=Visibility.PRIVATE,
        files=files,
    )


def wait_until(told: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not told():
        assert time.monotonic() < deadline
        time.sleep(0.01)
