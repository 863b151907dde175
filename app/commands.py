"""The composer's commands: chosen from its list, or typed with a stroke before them ("/verify ...")."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import chainlit as cl
from chainlit.types import CommandDict

from app import state
from app.answers.verifying import verify_text
from app.managing.comparing import compare_named
from app.managing.documents import list_documents
from app.managing.helping import tell_commands
from app.managing.scoping import scope_to
from app.texts import TEXTS, text


@dataclass(frozen=True, slots=True)
class Command:
    """``key`` names its texts, ``icon`` is one of lucide's; ``run`` is given what was typed with it, maybe nothing.

    A ``button`` stands beside the list, always in view.
    """

    key: str
    icon: str
    run: Callable[[str], Awaitable[None]]
    button: bool = False

    def is_called(self, word: str) -> bool:
        return word.casefold() in (self.key, *(name.casefold() for name in TEXTS[self.key].values()))


async def _tell_commands(words: str) -> None:
    await tell_commands([command.key for command in COMMANDS])


COMMANDS: Final = (
    Command("verify", "list-checks", verify_text, button=True),
    Command("docs", "library", list_documents, button=True),
    Command("scope_to", "list-filter", scope_to),
    Command("compare", "file-diff", compare_named),
    Command("help", "circle-help", _tell_commands),
)


async def offer_commands() -> None:
    """Fill the list behind the composer's button; Chainlit has one list, so nobody else sets it."""
    await cl.context.emitter.set_commands([_offered(command, state.language()) for command in COMMANDS])


def command_in(content: str, chosen: str | None) -> tuple[Command, str] | None:
    """The command of a message with the rest of its words; ``None`` for a question.

    ``chosen`` is what the list says was chosen. A stroke before any other word is part of a question.
    """
    if chosen:
        return next(((one, content) for one in COMMANDS if one.is_called(chosen)), None)
    if not content.startswith("/"):
        return None
    word, _, rest = content[1:].partition(" ")
    return next(((one, rest.strip()) for one in COMMANDS if one.is_called(word.strip())), None)


def _offered(command: Command, language: str) -> CommandDict:
    return {
        "id": text(command.key, language),
        "icon": command.icon,
        "description": text(f"{command.key}_help", language),
        "button": command.button,
        "persistent": False,
        "selected": False,
    }
