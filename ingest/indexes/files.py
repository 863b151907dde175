"""The indexes on disk: one folder a generation, trusted only when every hash fits. No pickle."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from core.hashing import sha256
from core.store.blobs import write_durably
from ingest.indexes.analyzer import ANALYZER_VERSION
from ingest.indexes.dense import DenseIndex
from ingest.indexes.snapshot import IndexSnapshot, assemble

FORMAT_VERSION = f"2.{ANALYZER_VERSION}"
_CURRENT = "CURRENT"
_KEPT_GENERATIONS = 2


class _Manifest(BaseModel):
    """What the files of a generation must be."""

    model_config = ConfigDict(extra="forbid")

    format_version: str
    generation: int
    model: str
    rows: int
    sha256: dict[str, str]


class _Rows(BaseModel):
    """The columns of a snapshot that are not vectors."""

    model_config = ConfigDict(extra="forbid")

    chunk_ids: tuple[str, ...]
    document_ids: tuple[str, ...]
    collections: tuple[str, ...]
    embed_hashes: tuple[str, ...]
    parent_rows: tuple[int, ...]
    words: tuple[tuple[str, ...], ...]
    languages: tuple[str, ...]


def save(snapshot: IndexSnapshot, folder: Path) -> None:
    """Write the snapshot and make it the current one; a crash leaves the former one current."""
    rows = {name: getattr(snapshot, name) for name in _Rows.model_fields}
    files = {
        "children.faiss": snapshot.children.to_bytes(),
        "parents.faiss": snapshot.parents.to_bytes(),
        "rows.json": json.dumps(rows, ensure_ascii=False).encode("utf-8", "surrogatepass"),
    }
    manifest = _Manifest(
        format_version=FORMAT_VERSION,
        generation=snapshot.generation,
        model=snapshot.model,
        rows=len(snapshot),
        sha256={name: sha256(data) for name, data in files.items()},
    )
    target = folder / f"gen-{snapshot.generation:08d}"
    for name, data in files.items():
        write_durably(target / name, data)
    write_durably(target / "manifest.json", manifest.model_dump_json(indent=1).encode())
    write_durably(folder / _CURRENT, target.name.encode())
    _prune(folder)


def load(folder: Path, generation: int, model: str) -> IndexSnapshot | None:
    """The stored snapshot, or ``None`` when it is missing, damaged, of another generation or model."""
    try:
        source = folder / (folder / _CURRENT).read_text("utf-8").strip()
        manifest = _Manifest.model_validate_json((source / "manifest.json").read_bytes())
        if (manifest.format_version, manifest.generation, manifest.model) != (
            FORMAT_VERSION,
            generation,
            model,
        ):
            return None
        files = {name: (source / name).read_bytes() for name in manifest.sha256}
        if any(sha256(files[name]) != digest for name, digest in manifest.sha256.items()):
            return None
        rows = _Rows.model_validate_json(files["rows.json"])
        children = DenseIndex.from_bytes(files["children.faiss"])
        parents = DenseIndex.from_bytes(files["parents.faiss"])
    except (OSError, KeyError, ValueError, ValidationError):
        return None
    if not len(children) == len(rows.chunk_ids) == len(rows.words) == len(rows.languages) == manifest.rows:
        return None
    return assemble(generation=generation, model=model, children=children, parents=parents, **dict(rows))


def _prune(folder: Path) -> None:
    generations = sorted(path for path in folder.glob("gen-*") if path.is_dir())
    for path in generations[:-_KEPT_GENERATIONS]:
        shutil.rmtree(path, ignore_errors=True)
