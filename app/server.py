"""The web server: Chainlit at "/", a health check beside it, and nothing loaded from other hosts."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, MutableMapping
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


class SafeHeaders:
    """ASGI middleware: every response forbids the browser to load from elsewhere."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def serve(host: str, port: int) -> None:
    """Listen until interrupted."""
    # Chainlit reads its configuration, translations and public files below this folder, at import.
    os.environ.setdefault("CHAINLIT_APP_ROOT", str(ROOT))
    import uvicorn
    from chainlit.utils import mount_chainlit
    from fastapi import FastAPI

    web = FastAPI(title="Youju", docs_url=None, redoc_url=None, openapi_url=None)
    mount_chainlit(app=web, target=str(ROOT / "app" / "main.py"), path="/")
    _allow_origin(host, port)
    uvicorn.run(SafeHeaders(web), host=host, port=port, log_level="warning", ws_max_size=2**24)


def _allow_origin(host: str, port: int) -> None:
    """Only pages of this server may talk to it."""
    from chainlit.config import config

    names = {host, "localhost", "127.0.0.1"}
    config.project.allow_origins = [f"http://{name}:{port}" for name in sorted(names)]
