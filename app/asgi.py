"""The few words of ASGI that the guards around the chat share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


def header(scope: Message, name: bytes) -> str:
    """The first header of that name (in small letters); empty when there is none."""
    return next((value.decode("latin-1") for key, value in scope.get("headers", ()) if key == name), "")


async def refuse(scope: Message, send: Send, status: int, reason: str) -> None:
    """Answer with a plain sentence; a socket is closed before it opens."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    await send(
        {"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]}
    )
    await send({"type": "http.response.body", "body": reason.encode()})
