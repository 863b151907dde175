"""``/compare``: two documents, or two versions of one, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import chainlit as cl

from app import state
from app.form.filtering import visible_documents
from app.managing.difference_view import difference_shown
from app.managing.naming import Meant, called, typed_names
from app.texts import text
from core.inert import literal
from core.store import DocumentRow
from ingest.versions.difference import load_difference, load_pair

# More candidates than these nobody reads: then more of the name is typed.
_MOST_CANDIDATES = 12


async def compare_named(words: str) -> None:
    """Compare what is named; asks which one is meant where a name may mean several."""
    rows = await asyncio.to_thread(visible_documents)
    await _compare(typed_names(words, rows), rows)


async def compare_these(payload: Mapping[str, object]) -> None:
    """Go on after a candidate was chosen."""
    names = payload.get("names")
    if isinstance(names, list):
        await _compare(tuple(map(str, names)), await asyncio.to_thread(visible_documents))


async def _compare(names: Sequence[str], rows: Sequence[DocumentRow]) -> None:
    language = state.language()
    meant = [called(name, rows) for name in names[:1]]
    # "handbook 1 3": numbers behind one name are versions of it, unless a document is called so.
    numbers = [int(name) for name in names[1:3] if name.isascii() and name.isdigit()]
    if not (numbers and len(numbers) == len(names) - 1):
        numbers = []
        meant += [called(name, rows) for name in names[1:2]]
    if not meant:
        await _say(text("compare_how", language))
        return
    for place, one in enumerate(meant):
        if one.row is None:
            await _ask_which(one, names, place, language)
            return
    await _show([one.rows[0] for one in meant], numbers, language)


async def _ask_which(meant: Meant, names: Sequence[str], place: int, language: str) -> None:
    if not meant.rows:
        await _say(text("doc_unknown", language, typed=literal(meant.typed)))
        return
    actions = [
        cl.Action(
            name="compare_these",
            label=row.name,
            tooltip=row.title,
            payload={"names": [*names[:place], row.id, *names[place + 1 :]]},
        )
        for row in meant.rows[:_MOST_CANDIDATES]
    ]
    said = [text("compare_which", language, typed=literal(meant.typed))]
    if left := len(meant.rows) - len(actions):
        said.append(text("compare_others", language, count=left))
    await _say(" ".join(said), actions)


async def _show(rows: Sequence[DocumentRow], numbers: Sequence[int], language: str) -> None:
    first, last = rows[0], rows[-1]
    if first.id == last.id and first.version_number == 1:
        await _say(text("compare_one", language, name=literal(first.name)))
        return
    props = await asyncio.to_thread(_loaded, first, last, sorted(numbers), language)
    element = cl.CustomElement(name="Compare", props=props, display="inline")
    await cl.Message(content="", author="Youju", elements=[element]).send()


def _loaded(
    first: DocumentRow, last: DocumentRow, numbers: Sequence[int], language: str
) -> dict[str, object]:
    with state.knowledge_base().workspace.store.read() as reader:
        if first.id != last.id:
            pair = (first, first.version_number), (last, last.version_number)
            found = load_pair(reader, *pair)
        else:
            old, new = (*numbers, None, None)[:2]
            found = load_difference(reader, last, old, new)
    return difference_shown(found, language)


async def _say(words: str, actions: list[cl.Action] | None = None) -> None:
    await cl.Message(content=words, author="Youju", actions=actions or []).send()
