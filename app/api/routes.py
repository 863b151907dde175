"""The addresses of the API, each for the user who is logged in or whose key it brings."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable

from fastapi import APIRouter, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response, StreamingResponse

from app import state
from app.api.admission import FRESH, Admitted, told, viewer_of
from app.api.models import AskRequest, SearchRequest, VerifyRequest
from app.api.replies import REFUSALS, AnswerReply, SearchReply
from app.api.work import SEATS, Json, worked
from core.errors import YoujuError
from core.scope import Scope
from retrieval.options import AskOptions
from retrieval.results import answer_json, passage_json, search_json

router = APIRouter(prefix="/api", route_class=Admitted, responses=REFUSALS)
described = APIRouter(prefix="/api")


@router.post("/search", responses={200: {"model": SearchReply}})
async def search(request: Request, body: SearchRequest) -> Response:
    """The evidence for a question."""
    scope = body.scope(viewer_of(request))

    def work(gone: Callable[[], bool]) -> Json:
        base = state.knowledge_base()
        found = base.search(body.question, history=body.turns(), scope=scope, passages=body.passages)
        return search_json(found)

    return JSONResponse(await worked(request, work), headers=FRESH)


@router.post("/verify", responses={200: {"model": AnswerReply}})
async def verify(request: Request, body: VerifyRequest) -> Response:
    """Each sentence of a text held against what is stored."""
    scope = body.scope(viewer_of(request))

    def work(gone: Callable[[], bool]) -> Json:
        return answer_json(state.knowledge_base().verify(body.text, scope=scope, cancelled=gone))

    return JSONResponse(await worked(request, work), headers=FRESH)


@router.post("/ask", responses={200: {"model": AnswerReply}})
async def ask(request: Request, body: AskRequest) -> Response:
    """A cited answer; with ``stream`` the evidence and the text come as they are there."""
    scope = body.scope(viewer_of(request))
    if not body.stream:
        reply = await worked(request, lambda gone: _asked(body, scope, gone, lambda event, data: None))
        return JSONResponse(reply, headers=FRESH)
    events: asyncio.Queue[tuple[str, Json]] = asyncio.Queue()
    loop, gone = asyncio.get_running_loop(), threading.Event()

    def tell(event: str, data: Json) -> None:
        loop.call_soon_threadsafe(events.put_nowait, (event, data))

    def work(given_up: Callable[[], bool]) -> Json:
        # Whatever goes wrong, no stream ends without a word.
        last = ("error", told(request, YoujuError()))
        try:
            last = ("answer", _asked(body, scope, given_up, tell))
        except YoujuError as exc:
            last = ("error", told(request, exc))
        finally:
            tell(*last)
            tell("", {})
        return {}

    SEATS.start(work, gone)
    return StreamingResponse(_sent(events, gone), media_type="text/event-stream", headers=FRESH)


@described.get("/openapi.json", include_in_schema=False)
async def openapi() -> JSONResponse:
    """The description of these addresses for programs."""
    return JSONResponse(get_openapi(title="Youju", version="1", routes=router.routes))


def _asked(
    body: AskRequest, scope: Scope, gone: Callable[[], bool], tell: Callable[[str, Json], None]
) -> Json:
    base = state.knowledge_base()
    answer = base.ask(
        body.question,
        history=body.turns(),
        scope=scope,
        on_found=lambda found: tell("found", {"passages": [passage_json(one) for one in found.passages]}),
        on_text=lambda text: tell("text", {"text": text}),
        cancelled=gone,
        options=AskOptions(method=body.method),
    )
    return answer_json(base.keep(answer, scope))


async def _sent(events: asyncio.Queue[tuple[str, Json]], gone: threading.Event) -> AsyncIterator[str]:
    try:
        while (event := await events.get())[0]:
            yield f"event: {event[0]}\ndata: {json.dumps(event[1], ensure_ascii=False)}\n\n"
    finally:
        gone.set()
