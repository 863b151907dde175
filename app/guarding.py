"""The outermost border of the chat's handlers."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Coroutine

import chainlit as cl

from app import state
from core.account_errors import LoginEndedError
from core.errors import YoujuError
from core.inert import inert
from core.messages import render

_LOG = logging.getLogger("youju.app")


async def guarded(work: Coroutine[object, object, None]) -> None:
    """Every failure of a handler reaches the user as a message; Chainlit itself would only log it.

    Nothing is done for a window whose user may not come in any more: sockets are asked only when they open.
    """
    try:
        if not state.login_holds():
            work.close()
            raise LoginEndedError
        await work
    except YoujuError as exc:
        await cl.ErrorMessage(content=inert(exc.message(state.language())), author="Youju").send()
    except Exception:  # noqa: BLE001 - the outermost border of the chat
        error_id = uuid.uuid4().hex[:8]
        _LOG.exception("unforeseen error %s", error_id)
        content = render("internal", state.language(), id=error_id)
        await cl.ErrorMessage(content=content, author="Youju").send()
