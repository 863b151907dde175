"""The files an ingest takes: what was named, and what lies in the folders that were named."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from core.errors import FileMissingError
from ingest.parsers.formats import is_known

# Longest name of a file or folder, and of both together, in characters.
_MAX_PART, _MAX_NAME = 120, 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file; ``name`` is its path relative to the named folder or archive, with "/" on every system.

    ``password`` opens it, and what lies in it; ``depth`` counts the archives around it.
    """

    name: str
    path: Path
    password: str = field(default="", repr=False)
    depth: int = 0


def sources_of(paths: Sequence[Path]) -> list[Source]:
    """All files in order: a named file as it is, a folder's files of known formats sorted by name.

    Hidden files and folders are passed over, and a file that was named twice is taken once. No two names
    are equal. Raises ``FileMissingError``.
    """
    found: dict[Path, Source] = {}
    names: set[str] = set()
    for path in paths:
        if path.is_dir():
            files = [(file, file.relative_to(path).as_posix()) for file in _in_folder(path)]
        elif path.is_file():
            files = [(path, path.name)]
        else:
            raise FileMissingError(name=str(path))
        for file, name in files:
            if file.resolve() not in found:
                found[file.resolve()] = Source(name=unique_name(shown_name(name), names), path=file)
    return list(found.values())


def shown_name(name: str) -> str:
    """A relative path that is safe to show and the same on every system, whatever ``name`` was.

    NFC; no way up or to a root, no drive, no control or direction marks, no part over 120 characters.
    Empty when nothing is left.
    """
    visible = "".join(c for c in unicodedata.normalize("NFC", name) if _is_visible(c))
    parts = [part.strip() for part in visible.replace("\\", "/").split("/")]
    kept = [_shortened(part, _MAX_PART) for part in parts if part.strip(".") and not part.endswith(":")]
    while len(kept) > 1 and len("/".join(kept)) > _MAX_NAME:
        del kept[0]
    return "/".join(kept)


def unique_name(name: str, taken: set[str]) -> str:
    """``name``, or "a (2).pdf" for a second "a.pdf"; what comes back is taken from then on."""
    path, number, made = PurePosixPath(name), 1, name
    while made in taken:
        number += 1
        made = path.with_name(f"{path.stem} ({number}){path.suffix}").as_posix()
    taken.add(made)
    return made


def _in_folder(folder: Path) -> Iterable[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and is_known(path.name):
            yield path


def _is_visible(char: str) -> bool:
    # The two joiners shape letters; the other format marks turn or hide them.
    return char in "\u200c\u200d" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _shortened(part: str, limit: int) -> str:
    suffix = PurePosixPath(part).suffix if len(PurePosixPath(part).suffix) < 12 else ""
    return part if len(part) <= limit else part[: limit - len(suffix)] + suffix
