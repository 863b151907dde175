"""A follow-up made to stand alone by rules: what was asked before it, and what the last answer cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from retrieval.history import Turn

# Stands for something said before. "应该" holds 该, "其他" and "尤其" hold 其, and none of them points back.
_PRONOUN_ZH: Final = (
    r"它|他们|她们|他(?![国國乡鄉人])|她|(?<![应應])[该該](?!死)"
    r"|[这這那](?:[个個些位项項份种種条條家]|里|裡|时|時|样|樣)|上述|前述|其中|前者|后者|後者"
)
_PRONOUN_EN: Final = (
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|she|his|her|there|one|the same|the former"
    r"|the latter)\b"
)
# Goes on with what was asked before.
_GOES_ON_ZH: Final = (
    r"^(?:那|还有|還有|另外|如果|要是|可是|但是|不过|不過|以及|再)|呢\s*[？?]?$"
    r"|^(?:为什么|為什麼|怎么|怎麼|多久|多少|[谁誰哪]|什么时候|什麼時候).{0,5}$"
)
_GOES_ON_EN: Final = r"^(?:and|but|so|what about|how about|why|then|also|or)\b"
_PRONOUN: Final = re.compile(f"{_PRONOUN_ZH}|{_PRONOUN_EN}", re.IGNORECASE)
_GOES_ON: Final = re.compile(f"{_GOES_ON_ZH}|{_GOES_ON_EN}", re.IGNORECASE)
# A longer question brings its subject along.
_MAX_CHARS: Final = 60
_MOST_NAMES: Final = 2


def standalone(question: str, history: Sequence[Turn]) -> str:
    """The question behind what it goes on from; itself when it points at nothing before it.

    What it goes on from: the last question and, where that goes on itself, the one it began with. A
    pronoun may mean what the last answer told of: so the names of what it cited stand in between, unless
    they were said.
    """
    asked = [turn.text.strip() for turn in history if turn.role == "user"]
    if not asked or not refers_back(question):
        return question
    parts = _thread(asked)
    if _PRONOUN.search(question):
        parts += _unsaid(_cited(history), [*parts, question])
    return " ".join(dict.fromkeys([*parts, question]))


def refers_back(question: str) -> bool:
    """Whether a question is short and holds a word that points at something said before."""
    return len(question) <= _MAX_CHARS and bool(_PRONOUN.search(question) or _GOES_ON.search(question))


def _thread(asked: Sequence[str]) -> list[str]:
    """The last question, behind the one that it goes back to; not all in between, which may be many."""
    first = next((at for at in reversed(range(len(asked))) if not refers_back(asked[at])), 0)
    return list(dict.fromkeys([asked[first], asked[-1]]))


def _cited(history: Sequence[Turn]) -> tuple[str, ...]:
    return next((turn.cited for turn in reversed(history) if turn.role == "assistant"), ())


def _unsaid(names: Sequence[str], said: Sequence[str]) -> list[str]:
    words = " ".join(said).casefold()
    return [name for name in names if name.casefold() not in words][:_MOST_NAMES]
