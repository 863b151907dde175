"""A follow-up becomes a standalone question: by the chat model when there is one, else by rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.chat.usage import tokens_at_most
from core.errors import ChatModelError
from retrieval.follow_up import standalone
from retrieval.history import Turn

if TYPE_CHECKING:
    from core.chat.model import ChatModel

_PROMPT = (
    "Rewrite the last question so that it can be understood without the conversation. Keep its language, "
    "names and numbers; add nothing that was not said. Reply with the question alone."
)


def condense(question: str, history: Sequence[Turn], model: ChatModel | None) -> tuple[str, bool]:
    """The standalone question, and whether the model failed and rules stepped in."""
    if not any(turn.role == "user" for turn in history):
        return question, False
    if model is not None:
        try:
            rewritten = model.decide(_PROMPT, _talk(question, history, model.room())).strip()
        except ChatModelError:
            return standalone(question, history), True
        if rewritten and len(rewritten) <= 4 * len(question) + 200:
            return rewritten.splitlines()[0], False
    return standalone(question, history), False


def _talk(question: str, history: Sequence[Turn], room: int | None) -> str:
    """The last turns and the question; turns go from the oldest on when ``room`` tokens do not hold them."""
    lines = [f"{turn.role}: {turn.text[:500]}" for turn in history[-6:]]
    lines.append(f"user: {question}")
    while room is not None and len(lines) > 1 and tokens_at_most(_PROMPT + "\n".join(lines)) > room:
        del lines[0]
    return "\n".join(lines)
