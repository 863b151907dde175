"""The border of the server: pages of other sites get nothing, and every response says so."""

from __future__ import annotations

from typing import Any

import pytest

from app.server import Message, Receive, SameOrigin, Send


async def _inner(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-own", b"1")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def _answer(kind: str, origin: bytes | None, host: bytes = b"localhost:8000") -> list[dict[str, Any]]:
    sent: list[Any] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {}

    headers = [(b"host", host), *([(b"origin", origin)] if origin is not None else [])]
    await SameOrigin(_inner)({"type": kind, "headers": headers}, receive, send)
    return sent


@pytest.mark.parametrize("origin", [None, b"http://localhost:8000", b"HTTP://LOCALHOST:8000"])
async def test_own_pages_and_programs_pass(origin: bytes | None) -> None:
    reply = await _answer("http", origin)
    assert reply[0]["status"] == 200
    names = {name for name, _ in reply[0]["headers"]}
    assert {b"x-own", b"content-security-policy", b"referrer-policy", b"x-content-type-options"} <= names
    assert (await _answer("websocket", origin))[0]["type"] == "websocket.accept"


@pytest.mark.parametrize(
    "origin",
    [b"http://evil.example", b"http://localhost:8001", b"null", b"http://localhost:8000.evil.example"],
)
async def test_pages_of_other_sites_are_refused(origin: bytes) -> None:
    assert (await _answer("http", origin))[0]["status"] == 403
    assert (await _answer("websocket", origin))[0] == {"type": "websocket.close", "code": 1008}
