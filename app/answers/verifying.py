"""A pasted text is checked sentence by sentence; nothing is generated."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import chainlit as cl

from app import state
from app.answers.showing import Read, show_answer, step_for
from app.bridge import Bridge
from app.form.filtering import filter_line
from app.texts import text
from core.answer import Answer


async def verify_text(pasted: str) -> None:
    """Check a text against what this session may see. Raises ``YoujuError`` for what the user must be told."""
    language, base = state.language(), state.knowledge_base()
    if not pasted.strip():
        await cl.Message(content=text("verify_how", language), author="Youju").send()
        return
    scope, line = state.chosen_filter().narrowed(state.scope()), await asyncio.to_thread(filter_line)
    answer: Answer | None = None
    progress = step_for(text("step_verify", language), "tool")
    bridge: Bridge[Read | Answer]

    def work(post: Callable[[Read | Answer], None]) -> None:
        found = base.verify(
            pasted,
            scope=scope,
            on_progress=lambda done, total: post(Read(done, total)),
            cancelled=bridge.cancelled,
        )
        post(base.keep(found, scope))

    bridge = Bridge(work)
    try:
        await progress.send()
        async for event in bridge:
            if isinstance(event, Answer):
                answer = event
            else:
                progress.output = text("verified_so_far", language, done=event.done, total=event.total)
                await progress.update()
    finally:
        if answer is None:
            progress.output = text("stopped", language)
            await progress.update()
    if answer is not None:
        message = cl.Message(content="", author="Youju")
        await message.send()
        await show_answer(message, answer.search.question, answer, language, scope_line=line)
