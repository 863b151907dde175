"""The buttons of the chat that call back: one table of their names, and what each does with its payload."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import chainlit as cl

from app import state
from app.asking import answer_another_way
from app.citing import open_citation
from app.filtering import clear_filter
from app.guarding import guarded

Payload = Mapping[str, object]
Act = Callable[[Payload], Awaitable[None]]

ACTIONS: Final[dict[str, Act]] = {
    "another_way": answer_another_way,
    "clear_filter": clear_filter,
    "open_citation": open_citation,
}


def register() -> None:
    """Let Chainlit call them."""
    for name, act in ACTIONS.items():
        cl.action_callback(name)(_called(act))


def _called(act: Act) -> Callable[[cl.Action], Awaitable[None]]:
    async def called(action: cl.Action) -> None:
        await guarded(act(action.payload))
        await guarded(state.keep())

    return called
