"""What goes into the tables and what comes out of them: pure functions over one row's values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any, Final

# No database stores halves of surrogate pairs, PostgreSQL no NUL either.
_UNSTORABLE: Final = re.compile("[\ud800-\udfff\0]")
_LONGEST_NAME: Final = 120
# Characters shown on both sides of words that were found.
_AROUND: Final = 20
# Columns that hold JSON, by what an empty one means.
_JSON: Final[Mapping[str, object]] = {"metadata": {}, "tags": None, "generation": None, "props": {}}


def bindable(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The values as every driver takes them: lists and dictionaries as JSON."""
    return {key: _plain(value) for key, value in parameters.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, list | dict | tuple):
        return json.dumps(value)
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value


def with_values(row: MutableMapping[str, Any], names: Iterable[str] = _JSON) -> None:
    """Turn the JSON texts of a thread, step or element into what they mean, in place."""
    for name in names:
        if name in row:
            row[name] = _meaning(row[name], _JSON[name])


def _meaning(value: Any, empty: object) -> Any:
    if not isinstance(value, str):
        return empty if value is None else value
    try:
        found = json.loads(value)
    except ValueError:
        return empty
    return empty if found is None else found


def thread_name(text: str) -> str:
    """The first words of a message as the name of its chat, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1] + "…"


def found_name(name: str, message: str, words: str) -> str:
    """The name of a chat with the words around those that were searched, where its own do not have them."""
    line, wanted = " ".join(message.split()), " ".join(words.lower().split())
    at = line.lower().find(wanted)
    if at < 0 or wanted in name.lower():
        return name
    start, end = max(at - _AROUND, 0), at + len(wanted) + _AROUND
    return f"{name} · {'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def like(words: str) -> str:
    """A LIKE pattern (escaped by ``!``) for what holds these words, in small letters."""
    escaped = re.sub(r"([!%_])", r"!\1", words.strip().lower())
    return f"%{escaped}%"
