"""Files on their way into a chat: written to the session's folder piece by piece.

Takes the place of Chainlit's own address, which reads a whole file into memory before it looks at its size, and
fails on empty files and on those without a type.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Annotated, Final

import anyio
from chainlit.auth import get_current_user
from chainlit.config import config
from chainlit.server import validate_file_upload
from chainlit.session import WebsocketSession
from chainlit.user import User
from fastapi import APIRouter, Depends, HTTPException, UploadFile
from starlette.datastructures import Headers

_PIECE: Final = 1 << 20
# Chainlit opens every PDF in the chat as a page of its own size, in a viewer that leaves some of them white.
_PDF, _PLAIN = "application/pdf", "application/octet-stream"
# What surrounds a file in a form.
_FORM_BYTES: Final = 1 << 16

router = APIRouter()


@router.post("/project/file", include_in_schema=False)
async def receive(
    session_id: str,
    file: UploadFile,
    user: Annotated[User | None, Depends(get_current_user)],
    ask_parent_id: str | None = None,
) -> dict[str, str]:
    """The id under which the session's next message names the file."""
    session = WebsocketSession.get_by_id(session_id)
    if session is None:
        raise HTTPException(404, "Session not found")
    if user is None or session.user is None or session.user.identifier != user.identifier:
        raise HTTPException(401, "This session is not yours")
    spec = session.files_spec.get(ask_parent_id) if ask_parent_id else None
    if ask_parent_id and spec is None:
        raise HTTPException(404, "Parent message not found")
    if not file.filename:
        raise HTTPException(400, "The file has no name")
    media_type = file.content_type or _PLAIN
    try:
        validate_file_upload(_typed(file, media_type), spec=spec)
    except ValueError as exc:
        raise HTTPException(400, str(exc)) from exc
    file_id = str(uuid.uuid4())
    # Without an extension: what a file is, its name and its content say (ingest/parsers/detect.py).
    path = Path(session.files_dir) / file_id
    size = await _write(file, path)
    session.files[file_id] = {
        "id": file_id,
        "path": path,
        "name": file.filename,
        "type": _PLAIN if media_type == _PDF else media_type,
        "size": size,
    }
    return {"id": file_id}


def most_bytes() -> int:
    """The longest request with a file that is read at all."""
    limits = config.features.spontaneous_file_upload
    return (limits.max_size_mb if limits and limits.max_size_mb else 500) * 1024 * 1024 + _FORM_BYTES


def _typed(file: UploadFile, media_type: str) -> UploadFile:
    headers = Headers({"content-type": media_type})
    return UploadFile(file.file, size=file.size, filename=file.filename, headers=headers)


async def _write(file: UploadFile, path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    async with await anyio.open_file(path, "wb") as target:
        while piece := await file.read(_PIECE):
            size += await target.write(piece)
    return size
