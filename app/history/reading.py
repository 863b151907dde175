"""The address of files in chats: for the user whose chat it is, to be saved rather than run."""

from __future__ import annotations

from typing import Annotated, Final

from chainlit.auth import get_current_user
from chainlit.user import PersistedUser, User
from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import FileResponse

from app import state
from app.history.stored_files import ADDRESS

# Pictures that a browser draws without running anything in them.
_DRAWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})

router = APIRouter()


@router.get(ADDRESS + "/{user_id}/{thread_id}/{element_id}", include_in_schema=False)
async def chat_file(
    user_id: str,
    thread_id: str,
    element_id: str,
    user: Annotated[User | PersistedUser | None, Depends(get_current_user)],
) -> FileResponse:
    """The file. Whatever is wrong, nobody is told more than that there is none."""
    history = state.chats()
    try:
        path = history.storage_provider.path(f"{user_id}/{thread_id}/{element_id}")
    except ValueError:
        raise HTTPException(404) from None
    element = await history.get_element(thread_id, element_id)
    if not isinstance(user, PersistedUser) or user.id != user_id or element is None or not path.is_file():
        raise HTTPException(404)
    media_type = str(element.get("mime") or "")
    drawn = media_type in _DRAWN
    return FileResponse(
        path,
        media_type=media_type if drawn else "application/octet-stream",
        filename=str(element.get("name") or element_id),
        content_disposition_type="inline" if drawn else "attachment",
        headers={"cache-control": "private, max-age=3600"},
    )
