"""The guard before every request: whose log-in has ended is a stranger, and no stranger passes without one."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from app.asgi import App, Message, Receive, Send, header, refuse
from app.login.entry import Entry, is_loopback

# The address of who asks, for the log-in: Chainlit hands on the name and the password alone.
CALLER: Final[ContextVar[str]] = ContextVar("caller", default="")

# (identifier, stamp) of a log-in in the headers: ``None`` without one, empty texts when it is not ours.
ReadLogin = Callable[[str, str], tuple[str, str] | None]


class Gate:
    """ASGI middleware.

    Without a log-in only this machine is answered, under its own name: no proxy, and no page of another
    site whose name leads here. With one, the cookie of a log-in that has ended is taken away, so that what
    follows sees nobody.
    """

    def __init__(self, app: App, entry: Entry, read_login: ReadLogin, cookie: str) -> None:
        self._app, self._entry, self._read, self._cookie = app, entry, read_login, cookie

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if not self._entry.login_on and not _is_this_machine(scope):
            await refuse(scope, send, 403, "This chat has no log-in, so it answers its own machine alone.")
            return
        found = self._read(header(scope, b"cookie"), header(scope, b"authorization"))
        if found is not None and not self._entry.still_holds(*found):
            scope = {**scope, "headers": [*self._kept(scope)]}
        CALLER.set(str((scope.get("client") or ("",))[0]))
        await self._app(scope, receive, send)

    def _kept(self, scope: Message) -> list[tuple[bytes, bytes]]:
        """The headers without the log-in; the other cookies stay, a log-in may be going on."""
        kept = []
        for name, value in scope.get("headers", ()):
            if name == b"cookie":
                parts = [part.strip() for part in value.split(b";")]
                value = b"; ".join(p for p in parts if not p.startswith(self._cookie.encode()))
            if name != b"authorization" and value:
                kept.append((name, value))
        return kept


def _is_this_machine(scope: Message) -> bool:
    client = scope.get("client")
    asked = header(scope, b"host")
    name = asked if asked.endswith("]") else asked.rpartition(":")[0] or asked
    return client is not None and is_loopback(str(client[0])) and is_loopback(name)
