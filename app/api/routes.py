"""The addresses of the API, each for the user who is logged in."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from typing import Final

from fastapi import APIRouter, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response, StreamingResponse

from app import state
from app.api.models import AskRequest, SearchRequest, VerifyRequest
from app.api.work import SEATS, Json, worked
from app.login.callbacks import read_login
from core.api_errors import ApiBusyError, ApiError, ApiJsonError, ApiLoginError
from core.errors import QuestionError, YoujuError
from core.messages import language_of_tag
from retrieval.results import answer_json, passage_json, search_json

_STATUS: Final = ((ApiLoginError, 401), (ApiJsonError, 415), (ApiBusyError, 503), (ApiError, 422))
_FRESH: Final = {"cache-control": "no-store"}

router = APIRouter(prefix="/api")


@router.post("/search")
async def search(request: Request, body: SearchRequest) -> Response:
    """The evidence for a question."""

    def work(gone: Callable[[], bool]) -> Json:
        scope = body.scope(_viewer(request))
        base = state.knowledge_base()
        found = base.search(body.question, history=body.turns(), scope=scope, passages=body.passages)
        return search_json(found)

    return await _replied(request, work)


@router.post("/verify")
async def verify(request: Request, body: VerifyRequest) -> Response:
    """Each sentence of a text held against what is stored."""

    def work(gone: Callable[[], bool]) -> Json:
        scope = body.scope(_viewer(request))
        return answer_json(state.knowledge_base().verify(body.text, scope=scope, cancelled=gone))

    return await _replied(request, work)


@router.post("/ask")
async def ask(request: Request, body: AskRequest) -> Response:
    """A cited answer; with ``stream`` the evidence and the text come as they are there."""
    if not body.stream:
        return await _replied(request, lambda gone: _asked(request, body, gone, lambda event, data: None))
    events: asyncio.Queue[tuple[str, Json]] = asyncio.Queue()
    loop, gone = asyncio.get_running_loop(), threading.Event()

    def tell(event: str, data: Json) -> None:
        loop.call_soon_threadsafe(events.put_nowait, (event, data))

    def work(given_up: Callable[[], bool]) -> Json:
        # Whatever goes wrong, no stream ends without a word.
        last = ("error", _told(request, YoujuError()))
        try:
            last = ("answer", _asked(request, body, given_up, tell))
        except YoujuError as exc:
            last = ("error", _told(request, exc))
        finally:
            tell(*last)
            tell("", {})
        return {}

    try:
        _viewer(request)
        SEATS.start(work, gone)
    except YoujuError as exc:
        return _refused(request, exc)
    return StreamingResponse(_sent(events, gone), media_type="text/event-stream", headers=_FRESH)


@router.get("/openapi.json", include_in_schema=False)
async def openapi() -> JSONResponse:
    """The description of these addresses for programs."""
    return JSONResponse(get_openapi(title="Youju", version="1", routes=router.routes))


def _asked(
    request: Request, body: AskRequest, gone: Callable[[], bool], tell: Callable[[str, Json], None]
) -> Json:
    scope, base = body.scope(_viewer(request)), state.knowledge_base()
    answer = base.ask(
        body.question,
        history=body.turns(),
        scope=scope,
        on_found=lambda found: tell("found", {"passages": [passage_json(one) for one in found.passages]}),
        on_text=lambda text: tell("text", {"text": text}),
        cancelled=gone,
        method=body.method,
    )
    return answer_json(base.keep(answer, scope))


async def _sent(events: asyncio.Queue[tuple[str, Json]], gone: threading.Event) -> AsyncIterator[str]:
    try:
        while (event := await events.get())[0]:
            yield f"event: {event[0]}\ndata: {json.dumps(event[1], ensure_ascii=False)}\n\n"
    finally:
        gone.set()


async def _replied(request: Request, work: Callable[[Callable[[], bool]], Json]) -> Response:
    try:
        _viewer(request)
        return JSONResponse(await worked(request, work), headers=_FRESH)
    except YoujuError as exc:
        return _refused(request, exc)


def _viewer(request: Request) -> str | None:
    """Whose documents are seen. Raises ``ApiJsonError`` (no page's form can send JSON), ``ApiLoginError``."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiJsonError
    entry, headers = state.entry(), request.headers
    if not entry.login_on:
        return None
    login = read_login(headers.get("cookie", ""), headers.get("authorization", ""))
    if login is None or not entry.still_holds(*login):
        raise ApiLoginError
    return entry.viewer(login[0])


def _refused(request: Request, exc: YoujuError) -> Response:
    least = 422 if isinstance(exc, QuestionError) else 500
    status = next((status for kind, status in _STATUS if isinstance(exc, kind)), least)
    return JSONResponse(
        _told(request, exc), status, headers=_FRESH | ({"retry-after": "2"} if status == 503 else {})
    )


def _told(request: Request, exc: YoujuError) -> Json:
    language = language_of_tag(request.headers.get("accept-language", ""))
    return {"code": exc.code, "message": exc.message(language)}
