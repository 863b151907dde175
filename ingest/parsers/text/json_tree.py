"""JSON as it stands in the file: member order, duplicate keys and the digits of numbers are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from core.errors import InvalidJsonError, NestedTooDeepError

MAX_DEPTH = 100


class Literal(str):
    """A number (or NaN, Infinity) with the digits of the file."""

    __slots__ = ()


class Members(tuple[tuple[str, "Json"], ...]):
    """An object's members in the order of the file."""

    __slots__ = ()

    def first_text(self, *keys: str) -> str:
        """The first non-blank one-line text under one of ``keys``, or nothing."""
        for key in keys:
            for name, value in self:
                if name.lower() == key and isinstance(value, str) and value.strip() and "\n" not in value:
                    return value.strip()
        return ""


Json: TypeAlias = "str | bool | list[Json] | Members | None"


def load_json(text: str, name: str) -> Json:
    """The whole text as one value.

    Raises ``InvalidJsonError`` with line and column, and ``NestedTooDeepError``.
    """
    value: Json = _loaded(text, name)
    _check_depth(value, name)
    return value


def load_json_lines(text: str) -> Iterator[tuple[int, str, Json]]:
    """Line number (1-based), source and value of each non-blank line; the value of a bad line is its source."""
    for number, line in enumerate(text.split("\n"), start=1):
        if source := line.strip():
            try:
                yield number, source, load_json(source, "")
            except InvalidJsonError:
                yield number, source, source


def _loaded(text: str, name: str) -> Any:
    try:
        # Raw tabs and line ends inside strings are common and harmless.
        return json.loads(
            text,
            strict=False,
            object_pairs_hook=Members,
            parse_int=Literal,
            parse_float=Literal,
            parse_constant=Literal,
        )
    except json.JSONDecodeError as exc:
        raise InvalidJsonError(name=name, line=exc.lineno, column=exc.colno) from exc
    except RecursionError as exc:
        raise NestedTooDeepError(name=name, limit=MAX_DEPTH) from exc


def _check_depth(value: Json, name: str) -> None:
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return
        level = [child for container in level for child in children(container)]
    raise NestedTooDeepError(name=name, limit=MAX_DEPTH)


def children(value: Json) -> list[Json]:
    """The values directly inside an object or array; none for anything else."""
    if isinstance(value, Members):
        return [child for _, child in value]
    return value if isinstance(value, list) else []


def scalar_text(value: Json) -> str:
    """How a value that holds no others reads; an object or array without any is "(empty)"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return "null" if value is None else "(empty)"


def printable(text: str) -> tuple[str, int]:
    """``text`` with what no text can hold (half of a surrogate pair, a zero) as U+FFFD, and how many."""
    return re.subn("[\\ud800-\\udfff\\x00]", "\ufffd", text)
