"""Earlier turns of a conversation, from whatever form the caller has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from core.answer import Answer
from retrieval.query.name_forms import said

# Opens the heading of a section and says nothing of what is in it.
_HEAD_NUMBER: Final = re.compile(
    r"^(?:第\s?[\d〇零一二三四五六七八九十百千]+\s?(?:部分|[编編章節节條条])"
    r"|[（(]?[\d一二三四五六七八九十]+(?:[.．]\d+)*(?:[)）、.．:：]|(?=\s))"
    r"|(?:chapter|section|article|part)\s+[\dIVXLC.]+[.:]?)\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of the conversation before the question.

    ``cited``: what the passages cited in an answer are called, section before document, first cited first.
    """

    role: Literal["user", "assistant"]
    text: str
    cited: tuple[str, ...] = ()


_USERS = frozenset({"user", "human", "question", "用户"})


def turns(history: Iterable[Mapping[str, object] | str]) -> tuple[Turn, ...]:
    """Turns from ``{"role" or "speaker": ..., "content" or "text": ..., "cited": [...]}``; bare strings
    alternate."""
    result: list[Turn] = []
    for index, item in enumerate(history):
        cited: tuple[str, ...] = ()
        if isinstance(item, str):
            role, text = ("user" if index % 2 == 0 else "assistant"), item
        else:
            role = str(item.get("role") or item.get("speaker") or "user").lower()
            text = str(item.get("content") or item.get("text") or "")
            named = item.get("cited")
            cited = tuple(map(str, named)) if isinstance(named, list | tuple) else ()
        result.append(Turn(role="user" if role in _USERS else "assistant", text=text, cited=cited))
    return tuple(result)


def turns_of(question: str, answer: Answer) -> tuple[Turn, Turn]:
    """A question and its answer as the last turns of a conversation."""
    return (
        Turn(role="user", text=question),
        Turn(role="assistant", text=answer.text, cited=cited_names(answer)),
    )


def cited_names(answer: Answer) -> tuple[str, ...]:
    """What the cited passages are called, each name once; left out is what names nothing, such as "总则"."""
    names: list[str] = []
    for at in dict.fromkeys(citation.passage for citation in answer.citations):
        passage = answer.search.passages[at]
        heading = passage.section_path[-1] if passage.section_path else ""
        names += [said("", _HEAD_NUMBER.sub("", heading)), said(passage.doc, passage.title)]
    return tuple(dict.fromkeys(name for name in names if name))
