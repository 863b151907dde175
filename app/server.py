"""The web server: Chainlit at "/", a health check beside it, and nothing loaded from other hosts."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent

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
_HEADERS: Final = (
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class SameOrigin:
    """ASGI middleware: pages of other sites get no answer, and no response lets the browser load from them.

    Chainlit accepts a socket from any page; a browser always names that page, so it is compared with the
    host that was asked. Programs that are no browser name none and pass.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not _is_own_page(scope):
            await _refuse(scope, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def _is_own_page(scope: Message) -> bool:
    headers = {name: value for name, value in scope.get("headers", ()) if name in (b"origin", b"host")}
    origin = headers.get(b"origin")
    return origin is None or origin.split(b"://", 1)[-1].lower() == headers.get(b"host", b"").lower()


async def _refuse(scope: Message, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"This page belongs to another site."})


def create_app() -> App:
    """The whole server as one ASGI application."""
    # Chainlit reads its configuration, translations and public files below this folder, at import.
    os.environ.setdefault("CHAINLIT_APP_ROOT", str(ROOT))
    from chainlit.config import config
    from chainlit.utils import mount_chainlit
    from fastapi import FastAPI

    @asynccontextmanager
    async def started(web: FastAPI) -> AsyncIterator[None]:
        # A mounted application is never told that the server starts, so Chainlit does not call this itself.
        if config.code.on_app_startup:
            await config.code.on_app_startup()
        yield

    web = FastAPI(title="Youju", docs_url=None, redoc_url=None, openapi_url=None, lifespan=started)
    mount_chainlit(app=web, target=str(ROOT / "app" / "main.py"), path="/")
    return SameOrigin(web)


def serve(host: str, port: int) -> None:
    """Listen until interrupted."""
    import uvicorn

    uvicorn.run(create_app(), host=host, port=port, log_level="warning", ws_max_size=2**24)
