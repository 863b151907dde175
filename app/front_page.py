"""The page that Chainlit sends, without what it would load from elsewhere and in the reader's language."""

from __future__ import annotations

import re
from typing import Final

from app.asgi import App, Message, Receive, Send, header
from core.messages import language_of_tag

# Chainlit writes addresses of a font host, a style sheet's host and a picture into every page.
_FOREIGN: Final = re.compile(rb"""<(?:link|meta)\b[^>]*?["']https?://[^>]*>\s*""", re.IGNORECASE)
_MARK: Final = b'<div id="root">'
_LANGUAGE: Final = re.compile(rb'<html lang="[^"]*"')
_TAGS: Final = {"zh": b"zh-CN", "en": b"en"}
# Beside the one script that Chainlit lets its users add; the first is what others are made from.
_SCRIPTS: Final = b"".join(
    b'<script src="/public/%s.js" defer></script>' % name
    for name in (b"page", b"wording", b"panel", b"marks", b"start", b"scope", b"address")
)


def own_page(html: bytes, language: str) -> bytes:
    """The page with nothing foreign; ``language`` ("zh" or "en") is what screen readers and fonts go by.

    Pages of ours stay as they are.
    """
    if _MARK not in html:
        return html
    html = _LANGUAGE.sub(b'<html lang="' + _TAGS[language] + b'"', _FOREIGN.sub(b"", html), count=1)
    return html.replace(b"</head>", _SCRIPTS + b"</head>", 1)


class FrontPage:
    """ASGI middleware over pages; everything else passes as it is."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "text/html" not in header(scope, b"accept"):
            await self._app(scope, receive, send)
            return
        # Only what is not compressed can be read here.
        plain = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
        language = language_of_tag(header(scope, b"accept-language"))
        await self._app({**scope, "headers": plain}, receive, _Rewriting(send, language))


class _Rewriting:
    """Holds a page back until all of it is there."""

    def __init__(self, send: Send, language: str) -> None:
        self._send, self._language = send, language
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif message["type"] == "http.response.body" and self._start is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self._start)
        else:
            await self._send(message)

    async def _finish(self, start: Message) -> None:
        body = own_page(self._body, self._language)
        kept = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
        length = (b"content-length", str(len(body)).encode())
        await self._send({**start, "headers": [*kept, length]})
        await self._send({"type": "http.response.body", "body": body})


def _is_page(message: Message) -> bool:
    return header(message, b"content-type").startswith("text/html")
