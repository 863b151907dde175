"""A citation in the panel that a user calls right or wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import chainlit as cl

from app import state
from app.learning import kept
from app.texts import text
from retrieval.feedback import Feedback


async def mark_citation(payload: Mapping[str, object]) -> None:
    """Keep the mark on the passage's citations under this number; ``right`` null takes it back.

    Raises ``StoreError``.
    """
    language, answer_id, chat = state.language(), str(payload.get("answerId")), cl.context.session.thread_id
    passage, n, right = (payload.get(key) for key in ("passage", "n", "right"))
    answer = await asyncio.to_thread(state.answer_of, answer_id)
    marked = 0

    def write(files: Feedback) -> None:
        nonlocal marked
        if answer is not None and type(passage) is int and type(n) is int and isinstance(right, bool | None):
            marked = files.mark(answer_id, answer, passage, n, right, chat=chat)

    if not await kept(write):
        return
    key = "gone" if not marked else "mark_taken_back" if right is None else "mark_thanks"
    await cl.context.emitter.send_toast(text(key, language), "success" if marked else "warning")
