"""The stored originals: put back where they are missing, and what nobody needs."""

from __future__ import annotations

from pathlib import Path

from core.errors import StoreDamagedError
from core.store import Store


def keep_original(store: Store, digest: str, data: bytes) -> None:
    """Put back the original of a stored version where it is missing."""
    if store.blobs.path(digest).exists():
        return
    with store.exclusive(), store.read() as reader:
        if digest in reader.source_hashes():
            store.blobs.put(data)


def stray_files(store: Store) -> tuple[Path, ...]:
    """Files among the originals that no version needs; under the lock, so that nobody is about to need them."""
    with store.exclusive(), store.read() as reader:
        return _strays(store, reader.source_hashes())


def drop_stray_files(store: Store) -> int:
    """Delete them. Returns how many there were."""
    with store.exclusive(), store.read() as reader:
        strays = _strays(store, reader.source_hashes())
        for path in strays:
            path.unlink(missing_ok=True)
    return len(strays)


def drop_changed(store: Store) -> tuple[str, ...]:
    """Delete originals that are no longer what was stored, so that adding their files puts them back.

    Returns their SHA-256.
    """
    changed: list[str] = []
    with store.exclusive(), store.read() as reader:
        for digest in sorted(reader.source_hashes()):
            if store.blobs.path(digest).exists() and not _is_sound(store, digest):
                store.blobs.remove(digest)
                changed.append(digest)
    return tuple(changed)


def _strays(store: Store, needed: frozenset[str]) -> tuple[Path, ...]:
    return tuple(path for path in store.blobs.files() if path.name not in needed)


def _is_sound(store: Store, digest: str) -> bool:
    try:
        store.blobs.get(digest)
    except StoreDamagedError:
        return False
    return True
