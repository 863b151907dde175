"""The buttons of the chat that call back: one table of their names, and what each does with its payload."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Final

import chainlit as cl

from app import state
from app.answers.again import answer_another_way
from app.form.filtering import clear_filter
from app.guarding import guarded
from app.managing.comparing import compare_these
from app.managing.documents import ask_only, chunk_again, remove_document
from app.marking import mark_citation
from app.panel.citing import open_citation
from app.uploads.actions import cancel_upload, skip_upload, unlock_upload
from app.uploads.keeping import keep_upload

Payload = Mapping[str, object]
Act = Callable[[Payload], Coroutine[object, object, None]]

ACTIONS: Final[dict[str, Act]] = {
    "another_way": answer_another_way,
    "ask_only": ask_only,
    "cancel_upload": cancel_upload,
    "chunk_again": chunk_again,
    "clear_filter": clear_filter,
    "compare_these": compare_these,
    "keep_upload": keep_upload,
    "mark_citation": mark_citation,
    "open_citation": open_citation,
    "remove_document": remove_document,
    "skip_upload": skip_upload,
    "unlock_upload": unlock_upload,
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
