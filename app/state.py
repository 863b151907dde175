"""What belongs to one chat session, and the knowledge base that all sessions share."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from functools import cache

import chainlit as cl

from app.filters import Filter
from core.answer import Answer
from core.messages import language_of_tag
from core.scope import EPHEMERAL_PREFIX, Scope
from core.settings import load_settings
from retrieval.history import Turn
from retrieval.knowledge_base import KnowledgeBase

_KEPT_TURNS = 12
_KEPT_ANSWERS = 50


@cache
def knowledge_base() -> KnowledgeBase:
    """The one knowledge base of this process."""
    return KnowledgeBase(load_settings())


def language() -> str:
    """ "zh" or "en", from the browser."""
    return language_of_tag(str(getattr(cl.context.session, "language", "")))


def chat_collection() -> str:
    """Where files of this chat go: a collection that only this session names."""
    name = cl.user_session.get("collection")
    if name is None:
        name = f"{EPHEMERAL_PREFIX}{uuid.uuid4().hex}"
        cl.user_session.set("collection", name)
    return str(name)


def viewer() -> str | None:
    """The user of this session; ``None`` while nobody has to log in: the one user there is sees everything."""
    return None


def scope() -> Scope:
    """What this session may see: what is lasting and shown to its user, and this chat's own files."""
    return Scope(chat=chat_collection(), viewer=viewer())


def chosen_filter() -> Filter:
    """What of it the user wants searched; restricts no right, so what was cited before stays open to him."""
    chosen: Filter | None = cl.user_session.get("filter")
    return chosen or Filter()


def choose_filter(chosen: Filter) -> None:
    cl.user_session.set("filter", chosen)


def history() -> tuple[Turn, ...]:
    """The turns of this chat so far."""
    return tuple(cl.user_session.get("turns") or ())


def remember(question: str, answer: Answer) -> str:
    """Keep a turn and its answer; returns the id under which ``answer_of`` finds it."""
    turns = [*history(), Turn(role="user", text=question), Turn(role="assistant", text=answer.text)]
    cl.user_session.set("turns", turns[-_KEPT_TURNS:])
    answers: OrderedDict[str, Answer] = cl.user_session.get("answers") or OrderedDict()
    answer_id = uuid.uuid4().hex
    answers[answer_id] = answer
    while len(answers) > _KEPT_ANSWERS:
        answers.popitem(last=False)
    cl.user_session.set("answers", answers)
    return answer_id


def answer_of(answer_id: str) -> Answer | None:
    """An answer of this session, or ``None`` when there is none of that id."""
    answers: OrderedDict[str, Answer] = cl.user_session.get("answers") or OrderedDict()
    return answers.get(answer_id)
