"""What every request to the API passes before its body is looked at, and how it is told what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute

from app import state
from app.api.pace import Pace
from app.login.callbacks import read_login
from app.login.tokens import token_in
from core.api_errors import (
    ApiBusyError,
    ApiError,
    ApiJsonError,
    ApiLoginError,
    ApiLongError,
    ApiOftenError,
    ApiShapeError,
)
from core.errors import QuestionError, YoujuError
from core.messages import language_of_tag

FRESH: Final = {"cache-control": "no-store"}
# The longest question, history and text together are far below it.
MOST_BYTES: Final = 4 << 20
_STATUS: Final = (
    (ApiLoginError, 401),
    (ApiLongError, 413),
    (ApiJsonError, 415),
    (ApiOftenError, 429),
    (ApiBusyError, 503),
    (ApiError, 422),
    (QuestionError, 422),
)
_BUSY_S: Final = 2


class Admitted(APIRoute):
    """A route behind the guard: ``viewer_of`` its request says whose documents are seen."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def guarded(request: Request) -> Response:
            try:
                _admit(request)
                return await handle(request)
            except RequestValidationError as exc:
                return refused(request, ApiShapeError(reason=_what_is_wrong(exc)))
            except YoujuError as exc:
                return refused(request, exc)

        return guarded


def viewer_of(request: Request) -> str | None:
    """Whose documents this request sees; ``None``, all of them, without a log-in."""
    viewer: str | None = request.state.viewer
    return viewer


def refused(request: Request, exc: YoujuError) -> Response:
    """The error as the caller is told it."""
    status = next((status for kind, status in _STATUS if isinstance(exc, kind)), 500)
    waits = {503: _BUSY_S, 429: exc.details.get("wait_s", _BUSY_S)}
    later = {"retry-after": str(waits[status])} if status in waits else {}
    return JSONResponse(told(request, exc), status, headers=FRESH | later)


def told(request: Request, exc: YoujuError) -> dict[str, object]:
    language = language_of_tag(request.headers.get("accept-language", ""))
    return {"code": exc.code, "message": exc.message(language)}


def _admit(request: Request) -> None:
    """Raises ``ApiLoginError``, ``ApiJsonError`` (no page's form can send JSON), ``ApiLongError``, ``ApiOftenError``."""
    viewer = _viewer(request)
    _pace().take(viewer if viewer is not None else "")
    headers = request.headers
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiJsonError
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > MOST_BYTES:
        raise ApiLongError(length=int(length), limit=MOST_BYTES)
    request.state.viewer = viewer


def _viewer(request: Request) -> str | None:
    """A key of the user's programs is asked before the log-in of his chat."""
    entry, headers = state.entry(), request.headers
    if not entry.login_on:
        return None
    if token := token_in(headers.get("authorization", "")):
        named = entry.viewer_by_token(token)
        if named is None:
            raise ApiLoginError
        return entry.viewer(named)
    login = read_login(headers.get("cookie", ""), headers.get("authorization", ""))
    if login is None or not entry.still_holds(*login):
        raise ApiLoginError
    return entry.viewer(login[0])


@cache
def _pace() -> Pace:
    """One for the process."""
    return Pace(state.knowledge_base().settings.server.api_per_minute)


def _what_is_wrong(exc: RequestValidationError) -> str:
    """The first thing: where it stands and what is expected."""
    first = exc.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return f"{where}: {first['msg']}" if where else str(first["msg"])
