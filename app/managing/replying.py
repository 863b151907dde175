"""What the addresses of documents have in common: who asks, in which language, and what is said when it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Final

from chainlit.auth import get_current_user
from chainlit.user import User
from fastapi import Depends, Request
from fastapi.responses import Response, StreamingResponse

from app import state
from core.errors import UnknownDocumentError, UnknownVersionError, YoujuError
from core.messages import LANGUAGES, language_of_tag
from core.store import Reader

# What is deleted must not stay in a cache.
FRESH: Final = {"cache-control": "no-store"}

Visitor = Annotated[User | None, Depends(get_current_user)]


def told(request: Request, made: Callable[[Reader], Response]) -> Response:
    """What is made of the base as it is now, or why not, in a line."""
    try:
        with state.knowledge_base().workspace.store.read() as reader:
            return made(reader)
    except YoujuError as exc:
        status = 404 if isinstance(exc, UnknownDocumentError | UnknownVersionError) else 503
        return Response(exc.message(language(request)), status, media_type="text/plain", headers=FRESH)


def page(pieces: Iterator[str]) -> Response:
    """A page that is sent piece by piece."""
    return StreamingResponse(pieces, media_type="text/html", headers=FRESH)


def language(request: Request) -> str:
    """What a link of the chat says, else the browser."""
    wanted = request.query_params.get("lang", "")
    return wanted if wanted in LANGUAGES else language_of_tag(request.headers.get("accept-language", ""))
