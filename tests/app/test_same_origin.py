"""The border of the server: pages of other sites get nothing, and every response says so."""

from __future__ import annotations

from typing import Any

import pytest

from app.asgi import Message, Receive, Send
from app.front_page import FrontPage, own_page
from app.same_origin import SameOrigin
from app.server import ShortRequests

PAGE = (
    b'<html lang="en"><head><meta property="og:image" content="https://far.example/a.png">'
    b'<link rel="preconnect" href="https://fonts.example" />\n<link\n  href="https://cdn.example/k.css"\n  '
    b'rel="stylesheet"\n/><link rel="stylesheet" crossorigin href="/assets/own.css"></head><body><div id="root"></div>'
)


async def _inner(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    headers = [(b"x-own", b"1"), (b"set-cookie", b"a=b; HttpOnly"), (b"content-type", b"text/html")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for part in (PAGE[:50], PAGE[50:]):
        await send({"type": "http.response.body", "body": part, "more_body": part == PAGE[:50]})


async def _answer(app: Any, kind: str = "http", **more: Any) -> list[dict[str, Any]]:
    sent: list[Any] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {}

    headers = [(b"host", b"localhost:8000"), *more.pop("headers", ())]
    await app({"type": kind, "path": "/", "method": "GET", "headers": headers, **more}, receive, send)
    return sent


@pytest.mark.parametrize("origin", [None, b"http://localhost:8000", b"HTTP://LOCALHOST:8000"])
async def test_own_pages_and_programs_pass(origin: bytes | None) -> None:
    headers = [(b"origin", origin)] if origin else []
    reply = await _answer(SameOrigin(_inner), headers=headers)
    assert reply[0]["status"] == 200
    names = {name for name, _ in reply[0]["headers"]}
    assert {b"x-own", b"content-security-policy", b"referrer-policy", b"x-content-type-options"} <= names
    opened = await _answer(SameOrigin(_inner), "websocket", headers=headers)
    assert opened[0]["type"] == "websocket.accept"


@pytest.mark.parametrize(
    "origin",
    [b"http://evil.example", b"http://localhost:8001", b"null", b"http://localhost:8000.evil.example"],
)
async def test_pages_of_other_sites_are_refused(origin: bytes) -> None:
    headers = [(b"origin", origin)]
    assert (await _answer(SameOrigin(_inner), headers=headers))[0]["status"] == 403
    closed = await _answer(SameOrigin(_inner), "websocket", headers=headers)
    assert closed[0] == {"type": "websocket.close", "code": 1008}


@pytest.mark.parametrize("path", ["/mcp", "/project/share/1", "/project/thread/share"])
async def test_what_is_no_part_of_the_program_is_closed(path: str) -> None:
    assert (await _answer(SameOrigin(_inner), path=path, method="POST"))[0]["status"] == 404


async def test_what_people_put_in_cannot_run_and_cookies_keep_to_the_encrypted_line() -> None:
    reply = await _answer(SameOrigin(_inner), path="/project/file/1", scheme="https")
    headers = dict(reply[0]["headers"])
    assert b"sandbox" in headers[b"content-security-policy"]
    assert headers[b"set-cookie"].endswith(b"; Secure")
    plain = await _answer(SameOrigin(_inner), scheme="http")
    assert b"Secure" not in dict(plain[0]["headers"])[b"set-cookie"]


async def test_the_page_names_no_other_host_and_its_readers_language() -> None:
    asked = [
        (b"accept", b"text/html"),
        (b"accept-language", b"zh-CN,zh;q=0.9"),
        (b"accept-encoding", b"gzip"),
    ]
    start, body = await _answer(FrontPage(_inner), headers=asked)
    assert b"http" not in body["body"]
    assert b'<html lang="zh-CN">' in body["body"]
    assert b"/assets/own.css" in body["body"]
    assert dict(start["headers"])[b"content-length"] == str(len(body["body"])).encode()
    assert b'lang="en"' in own_page(PAGE, "en")
    assert own_page(ours := PAGE.replace(b'"root"', b'"x"'), "zh") == ours
    untouched = await _answer(FrontPage(_inner), headers=[(b"accept", b"*/*")])
    assert b"".join(part["body"] for part in untouched[1:]) == PAGE


@pytest.mark.parametrize(
    ("method", "name", "value", "status"),
    [
        ("POST", b"content-length", b"100", 200),
        ("POST", b"content-length", b"101", 413),
        ("PUT", b"content-length", b"101", 413),
        ("GET", b"content-length", b"101", 200),
        ("POST", b"transfer-encoding", b"chunked", 411),
    ],
)
async def test_long_requests_are_not_read(method: str, name: bytes, value: bytes, status: int) -> None:
    reply = await _answer(ShortRequests(_inner, 100), method=method, headers=[(name, value)])
    assert reply[0]["status"] == status
