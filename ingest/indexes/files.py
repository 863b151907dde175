"""The indexes on disk: one folder a generation, trusted only when every hash fits. No pickle.

A folder counts once CURRENT names it, with the hash of its manifest, which has the hashes of all files. What
did not change since the generation before is a hard link to the same file there.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from uuid import uuid4

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from core.hashing import sha256
from core.registry import resolve
from core.store.blobs import write_durably
from ingest.indexes.analyzer import ANALYZER_VERSION
from ingest.indexes.linking import link_or_copy
from ingest.indexes.local import LocalIndex
from ingest.indexes.merging import Part
from ingest.indexes.segment import Segment

FORMAT_VERSION: Final = f"3.{ANALYZER_VERSION}"
# The folder of the index by words, inside that of its generation.
WORDS: Final = "words"
_CURRENT: Final = "CURRENT"
_MANIFEST: Final = "manifest.json"
_SEGMENT_FILES: Final = (".npz", ".faiss")
_KEPT_GENERATIONS: Final = 2
_TRIES: Final = 3
# A folder without a manifest may be one that another process is still filling.
_ABANDONED_AFTER_S: Final = 6 * 3600


class _SegmentRow(BaseModel):
    """A segment, and the numbers of its versions that are no longer current."""

    model_config = ConfigDict(extra="forbid")

    name: str
    gone: tuple[int, ...]


class _Manifest(BaseModel):
    """What a generation is made of. ``sha256`` is by path inside the folder."""

    model_config = ConfigDict(extra="forbid")

    format_version: str
    generation: int
    model: str
    dimension: int
    lexical: str
    segments: tuple[_SegmentRow, ...]
    sha256: dict[str, str]


def new_folder(root: Path, generation: int) -> Path:
    """Where files of that generation may be put; not made yet, and nobody else's."""
    return root / f"gen-{generation:08d}-{uuid4().hex[:8]}"


def save(index: LocalIndex, folder: Path, *, forget: bool) -> None:
    """Write what ``folder`` lacks of ``index`` and make it the current one; a crash leaves the former one.

    Only under the writers' lock. ``forget`` leaves no earlier generation on the disk. Raises ``OSError``.
    """
    root = folder.parent
    former = _current(root)
    hashes: dict[str, str] = {}
    for part in index.parts:
        hashes |= _save_segment(part.segment, folder, former)
    index.words.save(folder / WORDS)
    for path in sorted((folder / WORDS).iterdir()):
        if path.suffix != ".lock":
            hashes[f"{WORDS}/{path.name}"] = _known(path, former) or _digest(path)
    manifest = _Manifest(
        format_version=FORMAT_VERSION,
        generation=index.generation,
        model=index.model,
        dimension=index.dimension,
        lexical=index.words.name,
        segments=tuple(
            _SegmentRow(name=part.segment.name, gone=tuple(np.flatnonzero(~part.live).tolist()))
            for part in index.parts
        ),
        sha256=hashes,
    )
    data = manifest.model_dump_json(indent=1).encode()
    write_durably(folder / _MANIFEST, data)
    write_durably(root / _CURRENT, f"{folder.name} {sha256(data)}".encode())
    _prune(root, kept=1 if forget else _KEPT_GENERATIONS)


def load(root: Path, model: str, held: LocalIndex | None = None) -> LocalIndex | None:
    """The current index; ``None`` when it is missing, damaged, of another format or of another model.

    Segments that ``held`` has are taken from there.
    """
    _take_away(root)
    known = {part.segment.name: part.segment for part in held.parts} if held else {}
    for _ in range(_TRIES):
        name = _read_current(root)
        if name is None:
            return None
        if (index := _load(root, model, known)) is not None:
            return index
        # Another process may have gone on, and taken the former folder away.
        if _read_current(root) == name:
            return None
    return None


def current_generation(root: Path) -> int:
    """The generation of the current index; -1 when there is none."""
    found = _current(root)
    return -1 if found is None else found[1].generation


def _load(root: Path, model: str, known: Mapping[str, Segment]) -> LocalIndex | None:
    try:
        found = _current(root)
        if found is None:
            return None
        folder, manifest = found
        if (manifest.format_version, manifest.model) != (FORMAT_VERSION, model):
            return None
        segments = [
            known.get(row.name) or _load_segment(folder, row.name, manifest.sha256)
            for row in manifest.segments
        ]
        for path, digest in manifest.sha256.items():
            if path.startswith(f"{WORDS}/") and _digest(folder / path) != digest:
                return None
        words = resolve("lexical index", manifest.lexical).open(folder / WORDS)
    except (OSError, KeyError, ValueError):
        return None
    return LocalIndex(
        generation=manifest.generation,
        model=model,
        dimension=manifest.dimension,
        parts=tuple(map(_part, segments, manifest.segments)),
        words=words,
    )


def _current(root: Path) -> tuple[Path, _Manifest] | None:
    """The current folder and its manifest; ``None`` when there is none that can be trusted."""
    try:
        name, _, digest = (_read_current(root) or "").partition(" ")
        folder = root / name
        data = (folder / _MANIFEST).read_bytes()
        return (folder, _Manifest.model_validate_json(data)) if sha256(data) == digest else None
    except (OSError, ValidationError):
        return None


def _read_current(root: Path) -> str | None:
    try:
        return (root / _CURRENT).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None


def _save_segment(segment: Segment, folder: Path, former: tuple[Path, _Manifest] | None) -> dict[str, str]:
    """Links to the files of the former generation, else new ones. Returns their hashes."""
    hashes: dict[str, str] = {}
    for suffix in _SEGMENT_FILES:
        name = f"{segment.name}{suffix}"
        target = folder / name
        if former is not None and name in former[1].sha256 and (former[0] / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(former[0] / name, target)
            hashes[name] = former[1].sha256[name]
        else:
            data = segment.columns_to_bytes() if suffix == ".npz" else segment.dense.to_bytes().tobytes()
            write_durably(target, data)
            hashes[name] = sha256(data)
    return hashes


def _load_segment(folder: Path, name: str, hashes: Mapping[str, str]) -> Segment:
    """Raises ``ValueError`` when a hash does not fit."""
    names = [f"{name}{suffix}" for suffix in _SEGMENT_FILES]
    columns, vectors = (np.fromfile(folder / file, dtype=np.uint8) for file in names)
    for file, data in zip(names, (columns, vectors), strict=True):
        if hashlib.sha256(data.data).hexdigest() != hashes[file]:
            raise ValueError(f"{file} is not what was written")
    return Segment.from_bytes(columns.tobytes(), vectors)


def _part(segment: Segment, row: _SegmentRow) -> Part:
    live = np.ones(len(segment.version_ids), dtype=np.bool_)
    live[list(row.gone)] = False
    return Part(segment=segment, live=live)


def _known(path: Path, former: tuple[Path, _Manifest] | None) -> str | None:
    """The hash of a file of words that is a link to one of the former generation."""
    if former is None:
        return None
    twin = former[0] / WORDS / path.name
    is_same = twin.is_file() and twin.samefile(path)
    return former[1].sha256.get(f"{WORDS}/{path.name}") if is_same else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _prune(root: Path, kept: int) -> None:
    """Take away earlier generations, and what a process left behind that died over it."""
    current = root / (_read_current(root) or "").partition(" ")[0]
    folders = sorted(path for path in root.glob("gen-*") if path.is_dir() and path != current)
    finished = [path for path in folders if (path / _MANIFEST).is_file()]
    old = time.time() - _ABANDONED_AFTER_S
    abandoned = [path for path in folders if path not in finished and path.stat().st_mtime < old]
    for path in [*finished[: len(finished) - (kept - 1)], *abandoned]:
        # Under another name first: what is taken away by half is known for it the next time.
        with contextlib.suppress(OSError):
            path.rename(path.with_name(f"gone-{path.name}"))
    _take_away(root)


def _take_away(root: Path) -> None:
    for path in root.glob("gone-*"):
        shutil.rmtree(path, ignore_errors=True)
