"""The original files, named by their SHA-256, kept for audit and for showing pages."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from core.errors import HomeUnwritableError, StoreDamagedError
from core.hashing import sha256


class Blobs:
    """Content-addressed files under one folder; a file is there in full or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, digest: str) -> Path:
        return self._root / digest[:2] / digest

    def put(self, data: bytes) -> str:
        """Store ``data`` durably and return its SHA-256; the same bytes are stored once.

        Raises ``HomeUnwritableError``.
        """
        digest = sha256(data)
        path = self.path(digest)
        try:
            if not path.exists():
                write_durably(path, data)
        except OSError as exc:
            raise HomeUnwritableError(home=self._root.parent, reason=exc.strerror or "?") from exc
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes. Raises ``StoreDamagedError`` when they are missing or not what was stored."""
        try:
            data = self.path(digest).read_bytes()
        except FileNotFoundError as exc:
            raise StoreDamagedError(reason=f"the original file {digest[:12]} is missing") from exc
        except OSError as exc:
            reason = f"the original file {digest[:12]} cannot be read ({exc.strerror or '?'})"
            raise StoreDamagedError(reason=reason) from exc
        if sha256(data) != digest:
            raise StoreDamagedError(reason=f"the original file {digest[:12]} was changed")
        return data

    def any(self) -> bool:
        """Whether there is any original."""
        return any(True for _ in self._root.glob("??/*"))

    def files(self) -> tuple[Path, ...]:
        """Every file there is, unfinished ones included, in order of path."""
        return tuple(sorted(path for path in self._root.glob("??/*") if path.is_file()))

    def remove(self, digest: str) -> None:
        """Delete the bytes, if they are there. Raises ``HomeUnwritableError``."""
        try:
            self.path(digest).unlink(missing_ok=True)
        except OSError as exc:
            raise HomeUnwritableError(home=self._root.parent, reason=exc.strerror or "?") from exc


def write_durably(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data`` atomically; on return it survives a power cut. Raises ``OSError``."""
    _make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        # On a full disk what is half written is in the way.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """Make ``folder`` and what it lies in, each name durable."""
    if not folder.exists():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names inside ``folder`` durable, where the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
