"""Why a call to an OpenAI-compatible endpoint failed, by kind, without the vendor's classes and without keys."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

import openai


class Fault(StrEnum):
    """What went wrong. ``note_model_<value>`` is its message (core/texts/model_notes.py)."""

    KEY = "key"
    MODEL = "model"
    UNREACHABLE = "unreachable"
    QUOTA = "quota"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SERVER = "server"
    # The prompt is longer than the model's window.
    CONTEXT = "context"
    # The reply broke off, hit its limit, was withheld, brought nothing, or thoughts alone.
    CUT = "cut"
    LENGTH = "length"
    FILTERED = "filtered"
    EMPTY = "empty"
    THOUGHTS = "thoughts"
    OTHER = "other"


REASONS: Final = {
    Fault.KEY: "the key was refused",
    Fault.UNREACHABLE: "it cannot be reached",
    Fault.QUOTA: "too many requests, or the quota is used up",
    Fault.TIMEOUT: "it did not reply in time",
    Fault.CUT: "the reply broke off",
    Fault.LENGTH: "the reply hit the length limit",
    Fault.FILTERED: "the provider withheld the reply",
    Fault.EMPTY: "the reply was empty",
    Fault.THOUGHTS: "the reply held thoughts alone",
}
_MAX_REASON_CHARS = 200
# Servers say it in words: OpenAI, vLLM, llama.cpp, Qwen, Anthropic's and Google's gateways, in this order.
_CONTEXT: Final = re.compile(
    r"context_length_exceeded|context window|maximum context length|context length|context size"
    r"|input length should be|prompt is too long|input token count",
    re.IGNORECASE,
)
# What servers call a reply that came to its own end, and the other ends there are.
_COMPLETE: Final = frozenset({"stop", "eos", "end_turn", "stop_sequence"})
_ENDINGS: Final = {
    "length": Fault.LENGTH,
    "max_tokens": Fault.LENGTH,
    "content_filter": Fault.FILTERED,
    "sensitive": Fault.FILTERED,
}


def fault_of(exc: BaseException) -> Fault:
    """The kind of a client's error, or of the one that caused ``exc``; ``OTHER`` for anything else."""
    cause: BaseException | None = exc
    seen: set[int] = set()
    while cause is not None and not isinstance(cause, openai.OpenAIError):
        # A chain of causes may lead back into itself.
        seen.add(id(cause))
        cause = cause.__cause__ if id(cause.__cause__) not in seen else None
    if isinstance(cause, openai.APITimeoutError):
        return Fault.TIMEOUT
    if isinstance(cause, openai.APIConnectionError):
        return Fault.UNREACHABLE
    if isinstance(cause, openai.APIError) and _CONTEXT.search(str(cause)):
        return Fault.CONTEXT
    if isinstance(cause, openai.APIStatusError):
        return _fault_of_status(cause.status_code)
    # An error inside a stream has no status.
    return Fault.SERVER if isinstance(cause, openai.APIError) else Fault.OTHER


def _fault_of_status(status: int) -> Fault:
    # 402 is DeepSeek's for an empty balance.
    known = {401: Fault.KEY, 403: Fault.KEY, 404: Fault.MODEL, 402: Fault.QUOTA, 429: Fault.QUOTA}
    if status in known:
        return known[status]
    if status in (408, 504):
        return Fault.TIMEOUT
    return Fault.SERVER if status >= 500 else Fault.REFUSED


def fault_of_end(finish: str | None, *, said: bool, thought: bool) -> Fault | None:
    """What is wrong with a reply that ended for the reason ``finish``; ``None`` when it is complete.

    ``said``: it has words; ``thought``: the model sent thoughts. Without a reason it broke off; a reason
    that no server is known to give for a complete reply counts as one, too.
    """
    if not said:
        return Fault.THOUGHTS if thought else _ENDINGS.get(finish or "", Fault.EMPTY)
    return None if finish in _COMPLETE else _ENDINGS.get(finish or "", Fault.CUT)


def reason_of(exc: BaseException, key: str = "") -> str:
    """What went wrong in one short line; ``key`` is blotted out, as some servers repeat it."""
    reason = REASONS.get(fault_of(exc)) or (str(exc).splitlines() or [type(exc).__name__])[0]
    if key:
        reason = reason.replace(key, "***")
    return reason[:_MAX_REASON_CHARS]
