"""One question: the retrieval as a step, the answer as it grows, the sources below it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import chainlit as cl

from app import state
from app.answers import views
from app.answers.showing import Read, show_answer, show_search, step_for
from app.bridge import Bridge
from app.form import preferences
from app.form.filtering import filter_line
from app.texts import text
from core.answer import Answer, SearchResult
from core.inert import InertStream

Event = SearchResult | str | Answer | Read


async def answer_question(
    question: str, *, exactly: bool = False, method: str = "", strict: bool = False
) -> None:
    """Answer in the chat; ``exactly`` searches the words as they are, whatever was said before.

    ``method`` is an answerer's name and ``strict`` takes out what no source carries; without them it is as set.
    Raises ``YoujuError`` for what the user must be told.
    """
    language, how = state.language(), preferences.ask_options()
    how = replace(how, method=method or how.method, strict=strict or how.strict)
    base, history = state.knowledge_base(), () if exactly else state.history()
    scope, line = state.chosen_filter().narrowed(state.scope()), await asyncio.to_thread(filter_line)
    answer: Answer | None = None

    def work(post: Callable[[Event], None]) -> None:
        made = base.ask(
            question,
            history=history,
            scope=scope,
            on_found=post,
            on_text=post,
            on_read=lambda done, total: post(Read(done, total)),
            options=how,
            as_typed=exactly,
        )
        post(base.keep(made, scope))

    message = cl.Message(content="", author="Youju")
    reading = step_for(text("step_read", language), "retrieval")
    stream, is_shown = InertStream(), False
    try:
        async for event in Bridge[Event](work):
            if isinstance(event, SearchResult):
                await show_search(event, language)
                message.elements = _asked(event, line, language)
                await message.send()
                is_shown = True
            elif isinstance(event, str):
                await message.stream_token(stream.feed(event))
            elif isinstance(event, Read):
                await _show_read(reading, event, language)
            else:
                answer = event
    finally:
        if answer is None and is_shown:
            message.content = f"{message.content}{stream.finish()}\n\n{text('stopped', language)}".strip()
        await message.update()
    if answer is not None:
        await show_answer(message, question, answer, language)


def _asked(result: SearchResult, scope_line: str, language: str) -> list[cl.Element]:
    """What stands above an answer; its style moves it there (public/style.css)."""
    props = views.asked(result, scope_line, language)
    return [cl.CustomElement(name="Asked", props=props, display="inline")] if props else []


async def _show_read(step: cl.Step, read: Read, language: str) -> None:
    """A reading of many parts takes minutes: it says how far it is, and the stop button ends it."""
    step.output = text("read_so_far", language, done=read.done, total=read.total)
    await (step.update() if read.done else step.send())
