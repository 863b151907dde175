"""Files with one JSON object a line, read with the number of the line that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from core.errors import FileMissingError, SettingsError

Row = TypeVar("Row")


def read_json_lines(path: Path, option: str, row_of: Callable[[Any], Row]) -> list[Row]:
    """What ``row_of`` makes of each line's value; blank lines are passed over.

    ``option`` names the file in messages. Raises ``FileMissingError``, and ``SettingsError`` for a line
    that is no JSON or that ``row_of`` refuses by ``ValueError``, ``KeyError``, ``TypeError`` or
    ``AttributeError``.
    """
    if not path.is_file():
        raise FileMissingError(name=str(path))
    return list(_rows(path, option, row_of))


def _rows(path: Path, option: str, row_of: Callable[[Any], Row]) -> Iterator[Row]:
    # Not splitlines: it would also cut at marks that may stand inside a JSON string, such as U+2028.
    for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield row_of(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            raise SettingsError(name=option, reason=f"line {number}: {exc!r}") from exc
