"""What users say of answers: kept in the history, and as lines that ``python -m evaluation review`` reads.

Takes the place of Chainlit's own addresses, which let a user judge, and take back, what is in others' chats.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Annotated, Final

import chainlit as cl
from chainlit.auth import get_current_user
from chainlit.context import init_ws_context
from chainlit.session import WebsocketSession
from chainlit.types import DeleteFeedbackRequest, UpdateFeedbackRequest
from chainlit.user import User
from fastapi import APIRouter, Depends, HTTPException

from app import state
from app.history import judging
from app.texts import text
from core.answer import Answer
from core.errors import YoujuError
from core.scope import Scope
from retrieval.feedback import Feedback, Said

_LOG = logging.getLogger("youju.app")
_SAID: Final[Mapping[int, Said]] = {0: "bad", 1: "good"}
_LONGEST_COMMENT: Final = 20_000

router = APIRouter()
_User = Annotated[User | None, Depends(get_current_user)]


@router.put("/feedback", include_in_schema=False)
async def judge(update: UpdateFeedbackRequest, user: _User) -> dict[str, object]:
    """A thumb with a comment. Of what is not the user's nobody is told more than that it is not there."""
    said = update.feedback
    about = await judging.judged(state.chats(), said.forId, user.identifier) if user else None
    if user is None or about is None:
        raise HTTPException(404)
    comment = said.comment or ""
    if len(comment) > _LONGEST_COMMENT:
        raise HTTPException(413)
    feedback_id = await judging.put(state.chats(), about, said.value, said.comment)

    def write(files: Feedback) -> None:
        answer = _answer(about.answer_id, user) if about.answer_id else None
        # What was pasted to be checked is no question.
        if answer is not None and answer.method != "verify":
            files.judge(about.answer_id, answer, _SAID[said.value], comment, chat=about.thread_id)

    _enter(update.sessionId, user)
    await kept(write)
    return {"success": True, "feedbackId": feedback_id}


@router.delete("/feedback", include_in_schema=False)
async def take_back(payload: DeleteFeedbackRequest, user: _User) -> dict[str, object]:
    """As if nothing had been said."""
    about = await judging.judged_by(state.chats(), payload.feedbackId, user.identifier) if user else None
    if about is None:
        raise HTTPException(404)
    await judging.take_back(state.chats(), about)
    if about.answer_id:
        await kept(lambda files: files.take_back(about.answer_id, chat=about.thread_id))
    return {"success": True}


async def kept(write: Callable[[Feedback], None]) -> bool:
    """Whether the line for the review is there. What is shown stays as it is, and the user is told, when it is not."""
    try:
        await asyncio.to_thread(write, Feedback(state.knowledge_base().settings.home))
    except (OSError, YoujuError) as exc:
        _LOG.warning("feedback could not be kept for the review: %s", exc)
        if state.in_session():
            await cl.context.emitter.send_toast(text("feedback_lost", state.language()), "warning")
        return False
    return True


def _enter(session_id: str, user: User) -> None:
    """Act in the session that the browser names, if it is the user's."""
    session = WebsocketSession.get_by_id(session_id)
    if session is not None and session.user is not None and session.user.identifier == user.identifier:
        init_ws_context(session)


def _answer(answer_id: str, user: User) -> Answer | None:
    """The answer as the user may see it now; one that is not stored only its session knows."""
    if state.in_session():
        return state.answer_of(answer_id)
    return state.knowledge_base().answer_record(answer_id, Scope(viewer=state.viewer_of(user))).answer
