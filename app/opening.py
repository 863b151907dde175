"""What is done once, when the server starts."""

from __future__ import annotations

import asyncio
import logging
import threading

from chainlit.config import config
from chainlit.server import app as chainlit_app

from app import state, stopping
from app.history.keeping import sweep_for_ever
from app.login import callbacks
from app.server import equip
from core.account_errors import LoginMissingError
from core.errors import YoujuError
from core.settings import load_settings
from core.terminal import FAILED, WRONG_USE, tell

_LOG = logging.getLogger("youju.app")


def open_app() -> None:
    """Guards, log-in and history, before anything is answered; ends the program when one cannot be."""
    try:
        # "chainlit run --host" gets this far without "youju serve".
        state.entry().require_login_for(config.run.host)
        equip(chainlit_app)
        state.chats()
    except YoujuError as exc:
        tell(exc.message(load_settings().interface_language))
        raise SystemExit(WRONG_USE if isinstance(exc, LoginMissingError) else FAILED) from exc
    stopping.take_over()
    callbacks.register(state.entry())


async def start() -> None:
    """Let go of what is too old, now and later; load the models while the first page opens."""
    sweeping = asyncio.create_task(sweep_for_ever(state.knowledge_base(), state.chats()))
    # A task that nobody holds may be taken away in the middle.
    chainlit_app.state.sweeping = sweeping
    threading.Thread(target=_warm_up, daemon=True).start()


def _warm_up() -> None:
    try:
        state.knowledge_base().warm_up()
    except YoujuError as exc:
        # The first question will tell the user; the server itself is sound.
        _LOG.error("%s", exc)
