"""A follow-up becomes a standalone question: by the chat model when there is one, else by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.chat.usage import tokens_at_most
from core.errors import ChatModelError
from retrieval.history import Turn

if TYPE_CHECKING:
    from core.chat.model import ChatModel

_REFERS_BACK_ZH = re.compile(
    r"^(那|那么|还有|另外|如果|要是|可是|但是|不过|为什么|怎么|多久|多少|谁|哪)|它|他们|她们|这个|这些|那个|那些|该|上述|其中|前者|后者|呢[？?]?$"
)
_REFERS_BACK_EN = re.compile(
    r"^(and|but|so|what about|how about|why|then|also|or)\b|\b(it|its|they|them|their|this|that|these|those|he|she"
    r"|his|her|there|the same|the former|the latter)\b",
    re.IGNORECASE,
)
_MAX_RULED_CHARS = 60

_PROMPT = (
    "Rewrite the last question so that it can be understood without the conversation. Keep its language, "
    "names and numbers; add nothing that was not said. Reply with the question alone."
)


def condense(question: str, history: Sequence[Turn], model: ChatModel | None) -> tuple[str, bool]:
    """The standalone question, and whether the model failed and rules stepped in.

    The rules put the user's last question before a short one that refers back; they change nothing else.
    """
    asked = [turn.text for turn in history if turn.role == "user"]
    if not asked:
        return question, False
    if model is not None:
        try:
            rewritten = model.decide(_PROMPT, _talk(question, history, model.room())).strip()
        except ChatModelError:
            return _by_rules(question, asked[-1]), True
        if rewritten and len(rewritten) <= 4 * len(question) + 200:
            return rewritten.splitlines()[0], False
    return _by_rules(question, asked[-1]), False


def _talk(question: str, history: Sequence[Turn], room: int | None) -> str:
    """The last turns and the question; turns go from the oldest on when ``room`` tokens do not hold them."""
    lines = [f"{turn.role}: {turn.text[:500]}" for turn in history[-6:]]
    lines.append(f"user: {question}")
    while room is not None and len(lines) > 1 and tokens_at_most(_PROMPT + "\n".join(lines)) > room:
        del lines[0]
    return "\n".join(lines)


def _by_rules(question: str, previous: str) -> str:
    short = len(question) <= _MAX_RULED_CHARS
    refers = _REFERS_BACK_ZH.search(question) or _REFERS_BACK_EN.search(question)
    return f"{previous.strip()} {question}" if short and refers else question
