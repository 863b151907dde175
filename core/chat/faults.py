"""Why a call to an OpenAI-compatible endpoint failed, by kind, without the vendor's classes and without keys."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import openai


class Fault(StrEnum):
    """What went wrong."""

    KEY = "key"
    MODEL = "model"
    UNREACHABLE = "unreachable"
    QUOTA = "quota"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SERVER = "server"
    OTHER = "other"


_REASONS: Final = {
    Fault.KEY: "the key was refused",
    Fault.UNREACHABLE: "it cannot be reached",
    Fault.QUOTA: "too many requests, or the quota is used up",
    Fault.TIMEOUT: "it did not reply in time",
}
_MAX_REASON_CHARS = 200


def fault_of(exc: BaseException) -> Fault:
    """The kind of a client's error, or of the one that caused ``exc``; ``OTHER`` for anything else."""
    cause: BaseException | None = exc
    while cause is not None and not isinstance(cause, openai.OpenAIError):
        cause = cause.__cause__
    if isinstance(cause, openai.APITimeoutError):
        return Fault.TIMEOUT
    if isinstance(cause, openai.APIConnectionError):
        return Fault.UNREACHABLE
    if isinstance(cause, openai.APIStatusError):
        return _fault_of_status(cause.status_code)
    return Fault.OTHER


def _fault_of_status(status: int) -> Fault:
    # 402 is DeepSeek's for an empty balance.
    known = {401: Fault.KEY, 403: Fault.KEY, 404: Fault.MODEL, 402: Fault.QUOTA, 429: Fault.QUOTA}
    if status in known:
        return known[status]
    if status in (408, 504):
        return Fault.TIMEOUT
    return Fault.SERVER if status >= 500 else Fault.REFUSED


def reason_of(exc: BaseException, key: str = "") -> str:
    """What went wrong in one short line; ``key`` is blotted out, as some servers repeat it."""
    reason = _REASONS.get(fault_of(exc)) or (str(exc).splitlines() or [type(exc).__name__])[0]
    if key:
        reason = reason.replace(key, "***")
    return reason[:_MAX_REASON_CHARS]
