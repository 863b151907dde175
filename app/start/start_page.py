"""What the start page says of the knowledge base: the user's own view of it, at an address of our own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from chainlit.auth import get_current_user
from chainlit.user import User
from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse

from app import state
from app.start.starting import lasting_documents
from app.texts import text
from core.errors import YoujuError
from core.messages import language_of_tag
from core.store import DocumentRow

_FRESH: Final = {"cache-control": "no-store"}

router = APIRouter()


@router.get("/start.json", include_in_schema=False)
def start(request: Request, user: Annotated[User | None, Depends(get_current_user)]) -> JSONResponse:
    """The lines below the logo; none for somebody who is not logged in, or while the store cannot be read."""
    language = language_of_tag(request.headers.get("accept-language", ""))
    lines: list[str] = []
    if user is not None:
        try:
            rows = lasting_documents(state.viewer_of(user))
            lines = start_lines(rows, language, has_model=state.knowledge_base().settings.has_chat_model)
        except YoujuError:
            # The first question will tell what is wrong.
            lines = []
    return JSONResponse({"lines": lines}, headers=_FRESH)


def start_lines(rows: Sequence[DocumentRow], language: str, *, has_model: bool) -> list[str]:
    """What the knowledge base holds, what came last, and what works without a chat model."""
    without = [] if has_model else [text("start_no_model", language)]
    if not rows:
        return [text("start_empty", language), *without]
    pages = sum(row.page_count for row in rows)
    last = max(rows, key=lambda row: (row.updated_at, row.name))
    key = "start_holds" if len(rows) > 1 else "start_holds_one"
    holds = text(key, language, documents=len(rows))
    if pages:
        holds += text("start_pages", language, pages=pages)
    added = text("start_last", language, name=last.name, day=last.updated_at[:10])
    return [holds, added, *without]
