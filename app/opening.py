"""What is done once, when the server starts."""

from __future__ import annotations

import asyncio
import logging
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from chainlit.config import config
from chainlit.server import app as chainlit_app

from app import state
from app.history.keeping import sweep_for_ever
from app.interrupted import cut_off, interruptions, stopping
from app.login import callbacks
from app.server import equip
from app.uploads.following import follow
from core.account_errors import LoginMissingError
from core.errors import YoujuError
from core.settings import load_settings
from core.terminal import FAILED, WRONG_USE, tell
from ingest.viewer import pictures

_LOG = logging.getLogger("youju.app")
_THREADS: Final = 64


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
    # Chainlit asks for the profiles a second time where it cannot wait for them, and drops what it gets.
    warnings.filterwarnings("ignore", message="coroutine 'set_chat_profiles' was never awaited")
    logging.getLogger("uvicorn.error").addFilter(says_something)
    stopping.take_over()
    interruptions.take_over()
    callbacks.register(state.entry())


async def start() -> None:
    """Let go of what is too old, now and later; load the models while the first page opens."""
    # Most of them wait for a chat model; Python's own number, some six, would keep the next user waiting too.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "youju"))
    sweeping = asyncio.create_task(sweep_for_ever(state.knowledge_base(), state.chats()))
    # A task that nobody holds may be taken away in the middle.
    chainlit_app.state.sweeping = sweeping
    chainlit_app.state.keeping_words = asyncio.create_task(cut_off.keep_words_for_ever())
    for job in await asyncio.to_thread(state.jobs().go_on):
        follow(job)
    threading.Thread(target=_warm_up, daemon=True).start()


def says_something(record: logging.LogRecord) -> bool:
    """False for the traceback that Chainlit's middleware makes of a browser that left before it was answered."""
    fault = record.exc_info[1] if record.exc_info else None
    return not (isinstance(fault, RuntimeError) and str(fault) == "No response returned.")


def _warm_up() -> None:
    pictures.warm_up()
    try:
        state.knowledge_base().warm_up()
    except YoujuError as exc:
        # The first question will tell the user; the server itself is sound.
        _LOG.error("%s", exc)
