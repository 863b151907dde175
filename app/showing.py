"""A finished answer in the chat: its text, its checks, its sources, and ways to go on from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import chainlit as cl
from chainlit.utils import utc_now

from app import state, views
from app.checked import checks_shown
from app.texts import text
from core.answer import Answer
from core.inert import inert

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
        message.content += f"\n\n*{text('scope', language)}{inert(scope_line)}*"
    message.actions = [
        cl.Action(
            name="another_way",
            label=text(label, language),
            payload={"question": answer.search.searched, "method": method},
        )
        for label, method in ways_on(answer, has_model=state.knowledge_base().settings.has_chat_model)
    ]
    if answer.search.passages:
        props = views.source_cards(answer, answer_id, language) | {"checks": checks_shown(answer, language)}
        message.elements = [cl.CustomElement(name="Sources", props=props, display="inline")]  # type: ignore[list-item]
    await message.update()


def step_for(name: str, kind: Literal["tool", "retrieval"]) -> cl.Step:
    """A step that is drawn where it was begun, above the answer: below what is being done just now."""
    parent = cl.context.current_step
    step = cl.Step(name=name, type=kind, show_input=False, parent_id=parent.id if parent else None)
    step.start = utc_now()
    return step


def ways_on(answer: Answer, *, has_model: bool) -> list[tuple[str, str]]:
    """Label and answerer for each other way to answer the same question."""
    if answer.method == "verify" or answer.read:
        return []
    if not answer.complete:
        return [(_LABELS["extractive"], "extractive")]
    others = [(label, method) for method, label in _LABELS.items() if method != answer.method]
    return others if has_model else []
