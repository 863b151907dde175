"""No page of another site is answered, and no response lets the browser load from one."""

from __future__ import annotations

from typing import Final

from app.asgi import App, Message, Receive, Send, header, refuse

_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        # Chainlit compiles custom elements in the browser.
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "connect-src 'self' ws: wss:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "media-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
# What people put in: a page among it must not run as one of ours.
_PEOPLES: Final = ("/project/file/", "/chat-files/")
_THEIR_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
# Sharing chats and programs as tools are not part of Youju; Chainlit answers there all the same.
_CLOSED: Final = ("/project/share/", "/project/thread/share", "/mcp")


class SameOrigin:
    """ASGI middleware.

    Chainlit accepts a socket from any page; a browser always names that page, so it is compared with the
    host that was asked. Programs that are no browser name none and pass.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not _is_own_page(scope):
            await refuse(scope, send, 403, "This page belongs to another site.")
        elif scope["path"].startswith(_CLOSED):
            await refuse(scope, send, 404, "There is nothing here.")
        else:
            await self._app(scope, receive, _with_headers(scope, send))


def _is_own_page(scope: Message) -> bool:
    origin, host = header(scope, b"origin"), header(scope, b"host")
    return not origin or origin.split("://", 1)[-1].lower() == host.lower()


def _with_headers(scope: Message, send: Send) -> Send:
    policy = _THEIR_POLICY if scope["path"].startswith(_PEOPLES) else _POLICY
    ours = (
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"no-referrer"),
        (b"x-content-type-options", b"nosniff"),
    )

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            theirs = message.get("headers", ())
            if scope.get("scheme") == "https":
                theirs = [_secure(pair) for pair in theirs]
            message["headers"] = [*theirs, *ours]
        await send(message)

    return send_with_headers if scope["type"] == "http" else send


def _secure(pair: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """A cookie that came over an encrypted connection leaves by no other."""
    name, value = pair
    if name.lower() == b"set-cookie" and b"secure" not in value.lower():
        return name, value + b"; Secure"
    return pair
