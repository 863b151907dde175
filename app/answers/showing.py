"""A finished answer in the chat: its text, its checks, its sources, and ways to go on from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import chainlit as cl
from chainlit.utils import utc_now

from app import state
from app.answers import views
from app.answers.cards import source_cards
from app.answers.checked import checks_shown
from app.answers.tracing import places_told, search_step
from app.form import preferences
from app.panel.versions import VersionNote, version_notes
from app.texts import text
from core.answer import Answer, SearchResult
from core.inert import inert, literal
from core.verdict import Verdict

# What each answerer is offered as.
_LABELS: Final = {"extractive": "own_words", "llm": "way_llm", "step-by-step": "way_steps"}


@dataclass(frozen=True, slots=True)
class Read:
    """How far a long reading is, in its own steps."""

    done: int
    total: int


async def show_answer(
    message: cl.Message, question: str, answer: Answer, language: str, *, scope_line: str = ""
) -> None:
    """Complete ``message``, which was sent before, and remember the answer."""
    answer_id = state.remember(question, answer)
    message.content = inert(answer.text) + views.notes_line(answer, language)
    if scope_line:
        message.content += f"\n\n*{text('scope', language)}{literal(scope_line)}*"
    message.actions = [
        cl.Action(
            name="another_way",
            label=text(label, language),
            payload={"question": answer.search.searched, **way},
        )
        for label, way in ways_on(answer, has_model=state.knowledge_base().settings.has_chat_model)
    ]
    checks = checks_shown(answer, language)
    # Of a pasted text maybe nothing is carried: that is what its checks say, without any source.
    if answer.search.passages or checks["sum"]:
        versions = await asyncio.to_thread(_versions, answer)
        props = source_cards(answer, answer_id, language, versions) | {"checks": checks}
        message.elements = [cl.CustomElement(name="Sources", props=props, display="inline")]  # type: ignore[list-item]
    await message.update()


async def show_search(result: SearchResult, language: str) -> None:
    """The retrieval as a step, as fully as the user wants it told."""
    depth = preferences.trace_depth()
    store = state.knowledge_base().workspace.store
    places = await asyncio.to_thread(places_told, result, store) if depth == "full" else {}
    async with cl.Step(name=text("step_search", language), type="retrieval", show_input=False) as step:
        step.output = inert(search_step(result, language, depth, places))


def step_for(name: str, kind: Literal["tool", "retrieval"]) -> cl.Step:
    """A step that is drawn where it was begun, above the answer: below what is being done just now."""
    parent = cl.context.current_step
    step = cl.Step(name=name, type=kind, show_input=False, parent_id=parent.id if parent else None)
    step.start = utc_now()
    return step


def ways_on(answer: Answer, *, has_model: bool) -> list[tuple[str, dict[str, object]]]:
    """Label and payload for each other way to answer the same question."""
    if answer.method == "verify" or answer.read:
        return []
    if not answer.complete:
        return [(_LABELS["extractive"], {"method": "extractive"})]
    if not has_model:
        return []
    ways: list[tuple[str, dict[str, object]]] = []
    if answer.method != "extractive" and any(
        c.claim and c.verdict is Verdict.UNSUPPORTED for c in answer.checks
    ):
        # A strict answer has none of these.
        ways.append(("way_strict", {"method": answer.method, "strict": True}))
    ways += [(label, {"method": method}) for method, label in _LABELS.items() if method != answer.method]
    return ways


def _versions(answer: Answer) -> Mapping[str, VersionNote]:
    with state.knowledge_base().workspace.store.read() as reader:
        return version_notes(reader, answer.search.passages)
