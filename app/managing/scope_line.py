"""The line at the composer that says what is searched, drawn by the browser (public/scope.js).

With it the browser learns which chat it shows (public/address.js).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import chainlit as cl

from app import state
from app.texts import text

_LINE: Final = "youju_scope"
_CLEAR: Final = "youju_clear_scope"


async def draw_scope(line: str) -> None:
    """Have the line drawn, or taken away when it is empty."""
    labels = {key: text(key, state.language()) for key in ("scope", "scope_clear")}
    session = cl.context.session
    # The key proves that what comes back was sent by this very window.
    told = {"type": _LINE, "line": line, "key": session.id, "chat": session.thread_id, **labels}
    await cl.send_window_message(told)


def asks_to_clear(data: object) -> bool:
    """Whether a message is that of the line's button: the window also sends the echo of ours, and what other
    windows say to it."""
    if not isinstance(data, Mapping):
        return False
    return data.get("type") == _CLEAR and data.get("key") == cl.context.session.id
