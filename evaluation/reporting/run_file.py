"""One stored run: what was measured, of what, with what; the same form for every command of the evaluation.

Written as ``KIND.run.json`` into the folder that ``--out`` names; read strictly, so that a file of another
form or age is refused and not misunderstood.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import FileMissingError, SettingsError
from core.store.blobs import write_durably

VERSION: Final = 1
SUFFIX: Final = ".run.json"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Made(_Strict):
    """The program and the machine. ``commit`` is empty outside a checkout; ``changed``: files differed from it.
    ``date`` is ISO 8601 in UTC. ``machine`` names a kind of machine, never a host."""

    commit: str
    changed: bool
    version: str
    date: str
    machine: str
    cores: int
    python: str


class DataSet(_Strict):
    """What was asked of what. ``sha256`` is that of the gold file and all documents: two runs with the same one
    saw the same data."""

    name: str
    documents: int
    questions: int
    sha256: str


class Figure(_Strict):
    """A mean over ``cases`` with its 95 % interval."""

    value: float
    low: float
    high: float
    cases: int


class Excerpt(_Strict):
    """Words of a document, or of an answer where ``doc`` is empty. ``start`` is their place in the document; ``marks``
    are [start, end) inside ``text`` that are gold evidence. ``rank`` (from 1) is where it came; 0: its place in the
    list."""

    doc: str = ""
    start: int = 0
    text: str
    rank: int = 0
    marks: tuple[tuple[int, int], ...] = ()


class Shown(_Strict):
    """A case for people: the gold ``answer``, its ``evidence``, and what was ``returned`` or cited, best first."""

    answer: str = ""
    evidence: tuple[Excerpt, ...] = ()
    returned: tuple[Excerpt, ...] = ()


class CaseRecord(_Strict):
    """One question or sentence. ``id`` is unique in its system and set.

    ``sureness`` (0..1) is what the program says of itself, ``is_right`` whether that came true. ``stage`` is the
    first that lost something, ``reason`` says what; both empty for a case that went well. ``shown`` is there for
    the worst ones alone.
    """

    id: str
    type: str = ""
    question: str = ""
    scores: dict[str, float] = {}
    latency_ms: float | None = None
    sureness: float | None = None
    is_right: bool | None = None
    stage: str = ""
    reason: str = ""
    shown: Shown | None = None


class SystemRecord(_Strict):
    """One way of doing it on one set. ``facts`` are numbers without cases (seconds, counts, shares of chunks);
    ``sizes`` counts chunks by the lower border of their size in tokens, in steps of ``SIZE_STEP``."""

    set: str
    name: str
    figures: dict[str, Figure]
    facts: dict[str, float] = {}
    sizes: dict[str, int] = {}
    cases: tuple[CaseRecord, ...]


class RunFile(_Strict):
    """A whole run. ``settings`` are those that were not as by default; ``fingerprint`` stands for all of them and
    the embedding ``model``. ``options`` are those of the command that change what comes out."""

    format: Literal["youju-run"] = "youju-run"
    version: Literal[1] = VERSION
    kind: str
    made: Made
    model: str
    settings: dict[str, object]
    fingerprint: str
    options: dict[str, object] = {}
    data: tuple[DataSet, ...]
    systems: tuple[SystemRecord, ...]


SIZE_STEP: Final = 25


def write_run(folder: Path, run: RunFile) -> Path:
    """``KIND.run.json`` in ``folder``, replaced whole. Returns its path. Raises ``OSError``."""
    path = folder / f"{run.kind}{SUFFIX}"
    data = run.model_dump_json(exclude_defaults=False).encode("utf-8", "surrogatepass")
    write_durably(path, data + b"\n")
    return path


def read_run(path: Path) -> RunFile:
    """Raises ``FileMissingError``, and ``SettingsError`` for what is no run of this form."""
    if not path.is_file():
        raise FileMissingError(name=str(path))
    try:
        return RunFile.model_validate_json(path.read_bytes())
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise SettingsError(name="RUN", reason=f"{path.name}: {where}: {first['msg']}") from exc


def runs_in(paths: Iterator[Path] | list[Path] | tuple[Path, ...]) -> list[RunFile]:
    """The runs of files, and of folders all that lie in them. Raises as ``read_run``, and ``FileMissingError`` for
    a folder without any."""
    found: list[RunFile] = []
    for path in paths:
        files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not files:
            raise FileMissingError(name=str(path / f"*{SUFFIX}"))
        found += [read_run(file) for file in files]
    return found
