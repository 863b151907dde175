"""Earlier turns of a conversation, from whatever form the caller has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of the conversation before the question."""

    role: Literal["user", "assistant"]
    text: str


_USERS = frozenset({"user", "human", "question", "用户"})


def turns(history: Iterable[Mapping[str, object] | str]) -> tuple[Turn, ...]:
    """Turns from ``{"role" or "speaker": ..., "content" or "text": ...}``; bare strings alternate."""
    result: list[Turn] = []
    for index, item in enumerate(history):
        if isinstance(item, str):
            role, text = ("user" if index % 2 == 0 else "assistant"), item
        else:
            role = str(item.get("role") or item.get("speaker") or "user").lower()
            text = str(item.get("content") or item.get("text") or "")
        result.append(Turn(role="user" if role in _USERS else "assistant", text=text))
    return tuple(result)
