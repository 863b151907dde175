"""What belongs to one chat session, and what all sessions share: the knowledge base, the log-in, the history.

What a session keeps with ``cl.user_session`` is written to the history whenever it changes and comes back when
its chat is opened again, so all of it is plain JSON; answers are stored as records of their own.
"""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cache
from typing import Final

import chainlit as cl
from chainlit.context import ChainlitContextException

from app.form.choices import Choices, choices_of
from app.form.filters import Filter
from app.form.preference_form import AUTO, Preferences, read_preferences
from app.history.keeping import open_history
from app.history.layer import History
from app.jobs.queue import Jobs
from app.jobs.spool import Spool
from app.login.callbacks import configured_providers
from app.login.entry import Entry
from core.answer import Answer
from core.errors import UnknownAnswerError
from core.messages import language_of_tag
from core.scope import EPHEMERAL_PREFIX, Scope
from core.settings import load_settings
from retrieval.history import Turn, turns, turns_of
from retrieval.knowledge_base import KnowledgeBase

# What the names of chat profiles that stand for one knowledge base begin with.
ABOUT_ONE: Final = "in:"
_KEPT_TURNS: Final = 12
_KEPT_ANSWERS: Final = 50


@cache
def knowledge_base() -> KnowledgeBase:
    """The one knowledge base of this process."""
    return KnowledgeBase(load_settings())


@cache
def entry() -> Entry:
    """Who may come in, as it was when the server started."""
    return Entry(load_settings(), providers=configured_providers())


@cache
def chats() -> History:
    """The chats that were had, of all users."""
    return open_history(knowledge_base(), entry(), lambda thread_id: jobs().cancel_in(thread_id))


@cache
def jobs() -> Jobs:
    """The files that are being added, of all chats."""
    return Jobs(lambda: knowledge_base().workspace, Spool(load_settings().home / "uploads"))


@cache
def choices() -> Choices:
    """What users may choose on this machine."""
    return choices_of(knowledge_base().settings)


def language() -> str:
    """ "zh" or "en": what the user chose, else the browser's."""
    wanted = preferences().language
    return wanted if wanted != AUTO else language_of_tag(str(getattr(cl.context.session, "language", "")))


def preferences() -> Preferences:
    """What the user wants his own way."""
    kept = cl.user_session.get("preferences")
    return read_preferences(kept if isinstance(kept, Mapping) else {}, choices())


def prefer(chosen: Preferences) -> None:
    cl.user_session.set("preferences", asdict(chosen))


def in_session() -> bool:
    """Whether what runs belongs to a session; a request to one of our addresses does not."""
    try:
        return cl.context.session is not None
    except ChainlitContextException:
        return False


def chat_collection() -> str:
    """Where files of this chat go: a collection that only this chat names, whenever it is opened."""
    return f"{EPHEMERAL_PREFIX}{cl.context.session.thread_id}"


def collection() -> str | None:
    """The knowledge base that this chat is about; ``None``: all of them. A browser may name any."""
    profile = str(getattr(cl.context.session, "chat_profile", None) or "")
    return profile.removeprefix(ABOUT_ONE) if profile.startswith(ABOUT_ONE) else None


def viewer() -> str | None:
    """The user of this session; ``None`` while nobody has to log in: the one user there is sees everything."""
    return viewer_of(cl.context.session.user)


def viewer_of(user: cl.User | None) -> str | None:
    """The same for a request outside of a session."""
    return entry().viewer(user.identifier if user else None)


def login_holds() -> bool:
    """Whether this session's user may still be here: his account is there, with the password he came in by."""
    user = cl.context.session.user
    return user is not None and entry().still_holds(user.identifier, str(user.metadata.get("stamp", "")))


def is_admin() -> bool:
    """Whether this session's user may manage what belongs to others."""
    user = cl.context.session.user
    return entry().is_admin(user.identifier if user else None)


def scope() -> Scope:
    """What this session may see: what is lasting and shown to its user, and this chat's own files.

    A chat about one knowledge base sees no other.
    """
    named = collection()
    return Scope(collections=(named,) if named else None, chat=chat_collection(), viewer=viewer())


def chosen_filter() -> Filter:
    """What of it the user wants searched; restricts no right, so what was cited before stays open to him."""
    kept = cl.user_session.get("filter")
    return _filter_of(kept) if isinstance(kept, Mapping) else Filter()


def choose_filter(chosen: Filter) -> None:
    cl.user_session.set("filter", asdict(chosen))


def history() -> tuple[Turn, ...]:
    """The turns of this chat so far."""
    return turns(cl.user_session.get("turns") or ())


def remember(question: str, answer: Answer) -> str:
    """Keep a turn and its answer; returns the id under which ``answer_of`` finds it."""
    said = [*history(), *turns_of(question, answer)][-_KEPT_TURNS:]
    cl.user_session.set("turns", [asdict(turn) for turn in said])
    answer_id = answer.id or uuid.uuid4().hex
    _answers().add(answer_id, answer)
    return answer_id


def answer_of(answer_id: str) -> Answer | None:
    """An answer of this session or a stored one that this user may open; ``None`` without either.

    Raises ``StoreError``.
    """
    found = _answers().find(answer_id)
    if found is not None:
        return found
    try:
        return knowledge_base().answer_record(answer_id, scope()).answer
    except UnknownAnswerError:
        return None


async def keep() -> None:
    """Write what the session holds to the history, so that it is there when the chat is opened again."""
    session = cl.context.session
    if session.has_first_interaction:
        await chats().update_thread(session.thread_id, metadata=session.to_persistable())


class _Answers:
    """The last answers of a session. No mapping, so that it is not written to the history."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    def add(self, answer_id: str, answer: Answer) -> None:
        self._answers[answer_id] = answer
        while len(self._answers) > _KEPT_ANSWERS:
            self._answers.popitem(last=False)

    def find(self, answer_id: str) -> Answer | None:
        return self._answers.get(answer_id)


def _answers() -> _Answers:
    kept = cl.user_session.get("answers")
    if not isinstance(kept, _Answers):
        kept = _Answers()
        cl.user_session.set("answers", kept)
    return kept


def _filter_of(kept: Mapping[str, object]) -> Filter:
    """The filter again from its JSON, in which tuples are lists; what a later program added is left out."""
    known = {field.name for field in fields(Filter)}
    values = {key: tuple(v) if isinstance(v, list) else v for key, v in kept.items() if key in known}
    return Filter(**values)  # type: ignore[arg-type]
