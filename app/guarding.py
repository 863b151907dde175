"""The outermost border of the chat's handlers."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Awaitable

import chainlit as cl

from app import state
from core.errors import YoujuError
from core.inert import inert
from core.messages import render

_LOG = logging.getLogger("youju.app")


async def guarded(work: Awaitable[None]) -> None:
    """Every failure of a handler reaches the user as a message; Chainlit itself would only log it."""
    try:
        await work
    except YoujuError as exc:
        await cl.ErrorMessage(content=inert(exc.message(state.language())), author="Youju").send()
    except Exception:  # noqa: BLE001 - the outermost border of the chat
        error_id = uuid.uuid4().hex[:8]
        _LOG.exception("unforeseen error %s", error_id)
        content = render("internal", state.language(), id=error_id)
        await cl.ErrorMessage(content=content, author="Youju").send()
