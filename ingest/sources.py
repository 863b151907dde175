"""The files an ingest takes: what was named, and what lies in the folders that were named."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileMissingError
from ingest.parsers.detect import is_known


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file; ``name`` is its path relative to the named folder, with "/" on every system."""

    name: str
    path: Path


def sources_of(paths: Sequence[Path]) -> list[Source]:
    """All files in order: a named file as it is, a folder's files of known formats sorted by name.

    Hidden files and folders are passed over. Names are in NFC, so that they are the same on every
    system. Raises ``FileMissingError``.
    """
    found: dict[str, Source] = {}
    for path in paths:
        if path.is_dir():
            sources = _in_folder(path)
        elif path.is_file():
            sources = [Source(name=_name(path.name), path=path)]
        else:
            raise FileMissingError(name=str(path))
        for source in sources:
            found.setdefault(source.name, source)
    return list(found.values())


def _in_folder(folder: Path) -> Iterable[Source]:
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in relative.parts)
        if path.is_file() and not hidden and is_known(path.name):
            yield Source(name=_name(relative.as_posix()), path=path)


def _name(name: str) -> str:
    return unicodedata.normalize("NFC", name)
