"""What is done: the index of a folder of benchmarks, and what a finished part was made with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import SettingsError
from core.hashing import stable_id
from core.settings import Settings
from core.store.blobs import write_durably
from evaluation.benchmarks.datasets import settings_text
from evaluation.benchmarks.parts import KINDS, Part
from evaluation.reporting.recording import hash_of
from evaluation.reporting.run_file import Made

INDEX: Final = "index.json"
ROOT: Final = Path(__file__).resolve().parents[2]
_LAYERS: Final = ("core", "ingest", "retrieval", "evaluation")
# What presents or uses results, and makes none of those that are benchmarked.
_WITHOUT: Final = tuple(
    f"evaluation/{name}/"
    for name in ("benchmarks", "comparing", "drafting", "gate", "reporting", "reviewing", "tuning")
)
_KINDS_OF_CODE: Final = (".py", ".json", ".txt")
_GROUPS: Final = {"parsing", "chunking", "embedding", "retrieval", "index", "chat", "limits"}


class Entry(BaseModel):
    """One part. ``key`` stands for its code, settings, data and arguments; ``command`` has DATA for the folder of
    the sets. ``files`` are relative to the index; ``made`` is the program and the machine."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    set: str
    command: str
    key: str
    state: Literal["done", "failed"]
    seconds: float
    files: tuple[str, ...]
    made: Made | None


class Index(BaseModel):
    """Machine-readable: what was run, with what, and where it lies."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["youju-benchmarks"] = "youju-benchmarks"
    version: Literal[1] = 1
    parts: dict[str, Entry] = {}

    def with_part(self, name: str, entry: Entry) -> Index:
        return self.model_copy(update={"parts": {**self.parts, name: entry}})


def read_index(folder: Path) -> Index:
    """An empty one where there is none. Raises ``SettingsError`` for a file of another form."""
    path = folder / INDEX
    if not path.is_file():
        return Index()
    try:
        return Index.model_validate_json(path.read_bytes())
    except ValidationError as exc:
        raise SettingsError(name="--out", reason=f"{path}: {exc.errors()[0]['msg']}") from exc


def write_index(folder: Path, index: Index) -> None:
    write_durably(folder / INDEX, index.model_dump_json(indent=1).encode() + b"\n")


class Keys:
    """What each part depends on; code and data are read once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings_text(settings.model_dump(mode="json", include=_GROUPS))
        self._code: dict[str, str] = {}
        self._data: dict[str, str] = {}

    def of(self, part: Part) -> str:
        """The same for the same code, settings, data and arguments."""
        for one in part.datasets:
            if one.name not in self._data:
                self._data[one.name] = one.sha256()
        if part.kind not in self._code:
            self._code[part.kind] = hash_of(code_of(KINDS[part.kind]))
        # Where the sets lie makes no difference.
        arguments = [word for word in part.arguments if "/" not in word]
        data = [self._data[one.name] for one in part.datasets]
        return stable_id(self._code[part.kind], self._settings, *arguments, *data)


def code_of(without: Iterable[str]) -> list[Path]:
    """The program's files in their order, but for those below ``without``, which are relative to its root."""
    left_out = (*_WITHOUT, *without)
    return sorted(
        path
        for layer in _LAYERS
        for path in (ROOT / layer).rglob("*")
        if path.suffix in _KINDS_OF_CODE and not path.relative_to(ROOT).as_posix().startswith(left_out)
    )
