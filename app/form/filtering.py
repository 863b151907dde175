"""The form behind the composer's button: what is searched, and what the user wants his own way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import chainlit as cl
from chainlit.input_widget import Tab
from chainlit.types import ToastType

from app import state
from app.form import preferences
from app.form.filter_fields import filter_fields
from app.form.filters import ReadFilter, described, read_filter
from app.form.preference_fields import preference_fields
from app.managing.scope_line import draw_scope
from app.texts import text
from core.store import DocumentRow


async def offer_form() -> None:
    """Show the button, with what is stored now to choose from."""
    rows = await asyncio.to_thread(visible_documents)
    language = state.language()
    groups = {"searched": filter_fields(rows, state.chosen_filter(), language)}
    groups |= preference_fields(state.preferences(), state.choices(), language)
    tabs = [
        Tab(id=key, label=text(f"tab_{key}", language), inputs=inputs)
        for key, inputs in groups.items()
        if inputs
    ]
    await cl.ChatSettings(tabs).send()
    await draw_scope(await asyncio.to_thread(filter_line))


async def change_settings(values: Mapping[str, object]) -> None:
    """Keep the whole form, and say what is otherwise than before."""
    before, changed = state.chosen_filter(), preferences.prefer(values)
    said = [text("pref_saved", state.language(), changes=changed)] if changed else []
    read = await _keep(values)
    if read.filter != before:
        said.append(await asyncio.to_thread(_left))
    await _tell(read, said or [text("pref_same", state.language())])


async def choose_filter(values: Mapping[str, object]) -> None:
    """Keep what is to be searched alone, and say what it leaves."""
    read = await _keep(values)
    await _tell(read, [await asyncio.to_thread(_left)])


async def clear_filter(payload: Mapping[str, object]) -> None:
    """Search everything again; the button has nothing to say."""
    await choose_filter({})


def filter_line() -> str:
    """What is searched now, in the user's language; empty when that is everything."""
    chosen = state.chosen_filter()
    if not chosen:
        return ""
    with state.knowledge_base().workspace.store.read() as reader:
        visible = reader.visible_versions(chosen.narrowed(state.scope()))
        count = len(reader.current_versions() if visible is None else visible)
    return described(chosen, count, state.language())


async def _keep(values: Mapping[str, object]) -> ReadFilter:
    rows = await asyncio.to_thread(visible_documents)
    read = read_filter(values, rows, state.language())
    state.choose_filter(read.filter)
    await offer_form()
    return read


async def _tell(read: ReadFilter, said: list[str]) -> None:
    # One only: a second one would hide the first.
    kind: ToastType = "warning" if read.problems else "success"
    await cl.context.emitter.send_toast(" ".join((*read.problems, *said)), kind)


def _left() -> str:
    line = filter_line()
    return text("scope", state.language()) + line if line else text("filter_cleared", state.language())


def visible_documents() -> list[DocumentRow]:
    """All that this session may see, with its own files."""
    with state.knowledge_base().workspace.store.read() as reader:
        return list(reader.visible_documents(state.scope()))
