"""Asking again after a failure that may pass: a busy server, an error of its own, a lost connection."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from core.chat.faults import Fault, fault_of

# A server that wants more time than this is given up: nobody waits for an answer so long.
_LONGEST_S: Final = 20.0
_FIRST_S: Final = 0.5
_MOST_S: Final = 8.0
_SLICE_S: Final = 0.2
_PASSING: Final = (Fault.QUOTA, Fault.SERVER, Fault.UNREACHABLE)
_SPENT: Final = ("insufficient_quota", "insufficient_balance", "billing_hard_limit_reached")


def wait_s(exc: BaseException, tries: int) -> float | None:
    """Seconds to wait after the failed try number ``tries`` (from 1); ``None`` when it is no use.

    What the server asks for in Retry-After counts, else half a second, doubled each time. A call that
    was not answered in time is not repeated: the user has waited long enough.
    """
    response = getattr(exc, "response", None)
    if fault_of(exc) not in _PASSING or getattr(exc, "code", None) in _SPENT or _is_spent(response):
        return None
    told = _seconds(response.headers.get("retry-after")) if response is not None else None
    if told is not None and told > _LONGEST_S:
        return None
    return told if told is not None else min(_FIRST_S * 2 ** (tries - 1), _MOST_S)


def wait(seconds: float, on_wait: Callable[[], None]) -> None:
    """Wait; ``on_wait`` is called now and then and may raise, for whoever does not want to wait any more."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        on_wait()
        time.sleep(min(left, _SLICE_S))


def _is_spent(response: object) -> bool:
    """402 is the status of an empty balance."""
    return getattr(response, "status_code", 0) == 402


def _seconds(header: str | None) -> float | None:
    """Retry-After in seconds; a date there is not read, and the usual wait taken."""
    try:
        told = float(header or "")
    except ValueError:
        return None
    return told if 0 <= told < float("inf") else None
