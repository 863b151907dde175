"""``/help``: what can be typed."""

from __future__ import annotations

from collections.abc import Sequence

import chainlit as cl

from app import state
from app.texts import text


async def tell_commands(keys: Sequence[str]) -> None:
    """List the commands, each as it is typed, with a line about it."""
    language = state.language()
    lines = [f"- `/{typed(key, language)}` {text(f'{key}_help', language)}" for key in keys]
    said = [text("help_title", language), "\n".join(lines), text("help_question", language)]
    await cl.Message(content="\n\n".join(said), author="Youju").send()


def typed(key: str, language: str) -> str:
    """The command as it is typed: its name, or a short word where that holds blanks."""
    name = text(key, language).lower()
    return key if " " in name else name
