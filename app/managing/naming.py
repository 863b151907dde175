"""Which documents a person means who types names, or parts of them, behind a command: pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from core.store import DocumentRow

_QUOTED: Final = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」|《([^》]+)》|([^\s、，,]+)')
_ADDED: Final = re.compile(r"\s*[(（\[【][^()（）]*[)）\]】]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What was typed, and the documents that it may mean."""

    typed: str
    rows: tuple[DocumentRow, ...]

    @property
    def row(self) -> DocumentRow | None:
        """The one document that is meant; ``None`` for none or several."""
        return self.rows[0] if len(self.rows) == 1 else None


def typed_names(words: str, rows: Sequence[DocumentRow]) -> tuple[str, ...]:
    """The names in a line; blanks and commas part them, but for what is quoted or is a name as a whole."""
    whole = words.strip()
    if not whole or called(whole, rows).rows:
        return (whole,) if whole else ()
    return tuple(next(filter(None, found.groups())).strip() for found in _QUOTED.finditer(whole))


def called(typed: str, rows: Sequence[DocumentRow]) -> Meant:
    """The document of that id, name or title, or of the name as people say it, without its ending and a date in
    brackets; without one those whose name or title holds what was typed.
    """
    wanted = typed.casefold()
    exact = [row for row in rows if row.id == typed]
    exact = exact or [row for row in rows if wanted in (row.name.casefold(), row.title.casefold())]
    exact = exact or [row for row in rows if wanted == _spoken(row.name)]
    found = exact or [row for row in rows if wanted in row.name.casefold() or wanted in row.title.casefold()]
    return Meant(typed=typed, rows=tuple(found))


def _spoken(name: str) -> str:
    return _ADDED.sub("", PurePosixPath(name).stem).casefold()
