"""The original files, named by their SHA-256, kept for audit and for showing pages."""

from __future__ import annotations

import os
from pathlib import Path

from core.errors import StoreDamagedError
from core.hashing import sha256


class Blobs:
    """Content-addressed files under one folder; a file is there in full or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, digest: str) -> Path:
        return self._root / digest[:2] / digest

    def put(self, data: bytes) -> str:
        """Store ``data`` durably and return its SHA-256; the same bytes are stored once."""
        digest = sha256(data)
        path = self.path(digest)
        if not path.exists():
            write_durably(path, data)
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes. Raises ``StoreDamagedError`` when they are missing or not what was stored."""
        try:
            data = self.path(digest).read_bytes()
        except FileNotFoundError as exc:
            raise StoreDamagedError(reason=f"the original file {digest[:12]} is missing") from exc
        if sha256(data) != digest:
            raise StoreDamagedError(reason=f"the original file {digest[:12]} was changed")
        return data

    def remove(self, digest: str) -> None:
        """Delete the bytes, if they are there."""
        self.path(digest).unlink(missing_ok=True)


def write_durably(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data`` atomically; on return it survives a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names inside ``folder`` durable, where the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
