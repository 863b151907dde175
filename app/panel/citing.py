"""A click on a citation: the panel with the page, the passage and the words that carry the sentence."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping

import chainlit as cl

from app import state
from app.panel.contents import panel
from app.panel.place import Place, place_asked
from app.texts import text
from core.errors import YoujuError
from core.inert import inert
from retrieval.feedback import Feedback


async def open_citation(payload: Mapping[str, object]) -> None:
    """Show the passage or the counter-evidence that a card or mark names; replaces what the panel showed."""
    language = state.language()
    answer_id = str(payload.get("answerId"))
    answer = state.answer_of(answer_id)
    place = place_asked(answer, payload) if answer else None
    if answer is None or place is None:
        await cl.ErrorMessage(content=text("gone", language)).send()
        return
    store, scope = state.knowledge_base().workspace.store, state.scope()
    try:
        props = await asyncio.to_thread(panel, answer, place, store, scope, language)
    except YoujuError as exc:
        await cl.ErrorMessage(content=inert(exc.message(language))).send()
        return
    key = uuid.uuid4().hex
    right = await asyncio.to_thread(_marked, answer_id, place)
    props |= {"key": key, "answerId": answer_id, "right": right}
    element = cl.CustomElement(name="Passage", props=props, display="side")
    # ElementSidebar would also put it among the chat's own, which open again whenever the page is drawn anew.
    shown = {"elements": [element.to_dict()], "key": key}
    await cl.context.emitter.emit("set_sidebar_elements", shown)
    await cl.ElementSidebar.set_title(text("panel", language))


def _marked(answer_id: str, place: Place) -> bool | None:
    """What the user said of these citations before; what cannot be read was not said."""
    files = Feedback(state.knowledge_base().settings.home)
    try:
        return files.marked(answer_id, place.citations, chat=cl.context.session.thread_id)
    except OSError:
        return None
