"""What was searched for, answered another way: like the answer to a message it can be stopped, and outlives its page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import cast

import chainlit as cl
from chainlit.session import WebsocketSession

from app import state
from app.answers.asking import answer_question
from app.guarding import guarded
from app.interrupted.cut_off import is_busy
from app.interrupted.unfinished import ANOTHER_WAY
from app.texts import text


async def answer_another_way(payload: Mapping[str, object]) -> None:
    """Let another answerer answer, or more strictly; nothing while the chat is still answering."""
    session = cast(WebsocketSession, cl.context.session)
    if is_busy(session):
        await cl.context.emitter.send_toast(text("still_answering", state.language()), "warning")
        return
    session.current_task = asyncio.create_task(_run(payload))
    # Stopped or not, the button was pressed.
    await asyncio.wait({session.current_task})


async def _run(payload: Mapping[str, object]) -> None:
    await cl.context.emitter.task_start()
    try:
        # As for a message: without a run Chainlit draws no thumbs below an answer.
        async with cl.Step(name="on_message", type="run", metadata={ANOTHER_WAY: dict(payload)}):
            await guarded(_answer(payload))
    except asyncio.CancelledError:
        pass
    finally:
        await cl.context.emitter.task_end()


async def _answer(payload: Mapping[str, object]) -> None:
    question, method = (str(payload.get(key, "")) for key in ("question", "method"))
    await answer_question(question, exactly=True, method=method, strict=payload.get("strict") is True)
