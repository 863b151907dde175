"""The form behind the composer's button that says what is searched, and the line that reminds of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import chainlit as cl
from chainlit.input_widget import InputWidget, MultiSelect, Tags, TextInput
from chainlit.types import ToastType

from app import state
from app.filters import Filter, described, read_filter
from app.texts import text
from core.scope import is_ephemeral, kind_of
from core.store import DocumentRow

# A longer list nobody reads: then names are typed.
_LISTED: Final = 200


async def offer_filter() -> None:
    """Show the button, with what is stored now to choose from; without documents there is none."""
    rows = await asyncio.to_thread(_documents)
    await cl.ChatSettings(_widgets(rows, state.chosen_filter(), state.language()) if rows else []).send()


async def choose_filter(values: Mapping[str, object]) -> None:
    """Keep what the user filled in, and say what it leaves."""
    language = state.language()
    rows = await asyncio.to_thread(_documents)
    read = read_filter(values, rows, language)
    state.choose_filter(read.filter)
    await offer_filter()
    line = await asyncio.to_thread(filter_line)
    said = text("scope", language) + line if line else text("filter_cleared", language)
    # One only: a second one would hide the first.
    kind: ToastType = "warning" if read.problems else "success"
    await cl.context.emitter.send_toast(" ".join((*read.problems, said)), kind)


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


def _documents() -> list[DocumentRow]:
    """All that this session may see, with its own files."""
    with state.knowledge_base().workspace.store.read() as reader:
        return list(reader.visible_documents(state.scope()))


def _widgets(rows: Sequence[DocumentRow], chosen: Filter, language: str) -> list[InputWidget]:
    """A field for whatever there is a choice of."""
    collections = sorted({row.collection for row in rows if not is_ephemeral(row.collection)})
    kinds = sorted({kind_of(row.name, row.media_type) for row in rows})
    widgets: list[InputWidget] = []
    if len(collections) > 1:
        items = {name: name for name in collections}
        widgets.append(_list_of("collections", items, chosen.collections, language))
    if 1 < len(rows) <= _LISTED:
        widgets.append(_list_of("documents", _labels(rows, language), chosen.documents, language))
    elif len(rows) > _LISTED:
        label, said = text("filter_documents", language), text("filter_documents_typed", language)
        widgets.append(Tags(id="documents", label=label, initial=list(chosen.names), description=said))
    if len(kinds) > 1:
        items = {kind.upper(): kind for kind in kinds}
        widgets.append(_list_of("kinds", items, chosen.kinds, language))
    return [*widgets, *_ends(chosen, language)]


def _list_of(key: str, items: dict[str, str], chosen: Sequence[str], language: str) -> InputWidget:
    there = [value for value in chosen if value in items.values()]
    return MultiSelect(id=key, label=text(f"filter_{key}", language), items=items, initial=there)


def _labels(rows: Sequence[DocumentRow], language: str) -> dict[str, str]:
    """Labels of the documents with their ids; the collection stands with names that are there twice."""
    often = Counter(row.name for row in rows)
    labels = {}
    for row in rows:
        place = text("filter_this_chat", language) if is_ephemeral(row.collection) else row.collection
        labels[f"{row.name} ({place})" if often[row.name] > 1 else row.name] = row.id
    return labels


def _ends(chosen: Filter, language: str) -> list[InputWidget]:
    since = TextInput(
        id="since",
        label=text("filter_from", language),
        initial=chosen.since,
        placeholder=text("filter_placeholder", language),
    )
    until = TextInput(
        id="until",
        label=text("filter_to", language),
        initial=chosen.until,
        placeholder=text("filter_placeholder", language),
        description=text("filter_dates", language),
    )
    return [since, until]
