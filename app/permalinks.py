"""A stored answer at an address of its own, as a page and for download, with what became of its sources."""

from __future__ import annotations

from typing import Annotated, Final

from chainlit.auth import get_current_user
from chainlit.user import User
from fastapi import APIRouter, Depends, Request, Response

from app import state
from core.errors import UnknownAnswerError, YoujuError
from core.messages import language_of_tag
from core.scope import Scope
from retrieval.records.command import FORMS
from retrieval.records.page import page

_TYPES: Final = {"html": "text/html", "md": "text/markdown", "json": "application/json"}
_DOWNLOADS: Final = (("Markdown", "md"), ("HTML", "html"), ("JSON", "json"))
# The state of the sources is that of this moment, and what is deleted must not stay in a cache.
_FRESH: Final = {"cache-control": "no-store"}

router = APIRouter()


@router.get("/answers/{name}", include_in_schema=False)
def answer(request: Request, name: str, user: Annotated[User | None, Depends(get_current_user)]) -> Response:
    """``ID`` is the page, ``ID.md``, ``ID.html`` and ``ID.json`` are files to keep."""
    answer_id, _, form = name.partition(".")
    language = language_of_tag(request.headers.get("accept-language", ""))
    try:
        if form and form not in FORMS:
            raise UnknownAnswerError(name=name)
        scope = Scope(viewer=state.viewer_of(user))
        record = state.knowledge_base().answer_record(answer_id, scope)
    except YoujuError as exc:
        status = 404 if isinstance(exc, UnknownAnswerError) else 503
        return Response(exc.message(language), status, media_type="text/plain", headers=_FRESH)
    if not form:
        # Relative to the page, wherever a proxy mounts the program.
        downloads = [(label, f"{record.id}.{key}") for label, key in _DOWNLOADS]
        return Response(page(record, language, downloads), media_type=_TYPES["html"], headers=_FRESH)
    saved = {"content-disposition": f'attachment; filename="answer-{record.id}.{form}"'}
    return Response(FORMS[form](record, language), media_type=_TYPES[form], headers=_FRESH | saved)
