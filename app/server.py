"""The web server: Chainlit with our addresses beside its own and our guards before them."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.asgi import App, Message, Receive, Send, header, refuse
from core.settings import load_settings

if TYPE_CHECKING:
    from fastapi import APIRouter, FastAPI

ROOT: Final = Path(__file__).resolve().parent.parent


def create_app() -> App:
    """The whole server as one ASGI application. Raises ``YoujuError`` when it cannot be."""
    prepare_environment()
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
    # Runs app/main.py, which calls ``equip``.
    mount_chainlit(app=web, target=str(ROOT / "app" / "main.py"), path="/")
    return web


def prepare_environment() -> None:
    """What Chainlit reads from the environment, at import and later: its folders, and the key of log-ins."""
    from app.login.auth_secret import auth_secret, cookie_name

    # Configuration, translations and public files lie below this folder.
    os.environ.setdefault("CHAINLIT_APP_ROOT", str(ROOT))
    if not os.environ.get("CHAINLIT_AUTH_SECRET"):
        os.environ["CHAINLIT_AUTH_SECRET"] = auth_secret(load_settings().home)
    if "chainlit" not in sys.modules:
        # "chainlit run" has settled the name by now.
        os.environ.setdefault("CHAINLIT_AUTH_COOKIE_NAME", cookie_name(os.environ["CHAINLIT_AUTH_SECRET"]))


def equip(chainlit_app: FastAPI) -> None:
    """Put our addresses and guards into Chainlit's application, however it was started."""
    prepare_environment()
    from app import state
    from app.front_page import FrontPage
    from app.login.callbacks import cookie_in_use, read_login
    from app.login.gate import Gate
    from app.same_origin import SameOrigin
    from app.uploads import receiving

    if chainlit_app.middleware_stack is not None:
        # "chainlit run --watch" runs app/main.py again.
        return
    for router in _routers():
        # Before Chainlit's own, the last of which takes every address.
        chainlit_app.router.routes[:0] = router.routes
    # The last one added is the first to be asked.
    chainlit_app.add_middleware(FrontPage)
    chainlit_app.add_middleware(ShortRequests, most_bytes=receiving.most_bytes())
    chainlit_app.add_middleware(Gate, entry=state.entry(), read_login=read_login, cookie=cookie_in_use())
    chainlit_app.add_middleware(SameOrigin)


def _routers() -> list[APIRouter]:
    """Our own addresses beside those of the chat."""
    from app import learning, permalinks
    from app.api import routes
    from app.history import reading
    from app.managing import list_routes
    from app.managing import routes as documents
    from app.uploads import receiving

    chat = [
        receiving.router,
        reading.router,
        permalinks.router,
        documents.router,
        list_routes.router,
        learning.router,
    ]
    return [*chat, routes.router, routes.described]


class ShortRequests:
    """ASGI middleware: a request that is too long, or does not say how long it is, is not read at all."""

    def __init__(self, app: App, most_bytes: int) -> None:
        self._app, self._most_bytes = app, most_bytes

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("POST", "PUT"):
            length = header(scope, b"content-length")
            if header(scope, b"transfer-encoding") and not length:
                await refuse(scope, send, 411, "Say how long the request is.")
                return
            if length.isdigit() and int(length) > self._most_bytes:
                await refuse(scope, send, 413, "The request is too long.")
                return
        await self._app(scope, receive, send)


def serve(host: str, port: int, announce: Callable[[], None] = lambda: None) -> None:
    """Listen until interrupted. Raises ``LoginMissingError`` where others would come in without a log-in."""
    import uvicorn

    prepare_environment()
    from app import state

    state.entry().require_login_for(host)
    announce()
    uvicorn.run(create_app(), host=host, port=port, log_level="warning", ws_max_size=2**24)
