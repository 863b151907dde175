"""A stored file on its way to the browser: to be saved, or drawn where nothing in it can run."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import PurePosixPath
from typing import Final

from starlette.responses import FileResponse

from core.errors import StoreDamagedError
from core.store import Store, StoredVersion

# What a browser draws without running anything in it.
_DRAWN: Final = frozenset({"application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp"})
_HEADERS: Final = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
}


def original_file(store: Store, version: StoredVersion) -> FileResponse:
    """The file as it was added, under its own name. Raises ``StoreDamagedError`` when it is not that any more."""
    path, digest = store.blobs.path(version.source_sha256), version.source_sha256
    try:
        with path.open("rb") as file:
            sound = file_digest(file, "sha256").hexdigest() == digest
    except OSError as exc:
        raise StoreDamagedError(reason=f"the original file {digest[:12]} is missing") from exc
    if not sound:
        raise StoreDamagedError(reason=f"the original file {digest[:12]} was changed")
    is_drawn = version.media_type in _DRAWN
    return FileResponse(
        path,
        media_type=version.media_type if is_drawn else "application/octet-stream",
        filename=PurePosixPath(version.name).name or version.id,
        content_disposition_type="inline" if is_drawn else "attachment",
        headers=_HEADERS,
    )
