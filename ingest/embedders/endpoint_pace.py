"""When to call an endpoint: spaced by its rate limits, and again after a failure that may pass."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_FIRST_DELAY_S: Final = 0.5
_LONGEST_DELAY_S: Final = 30.0
# A server that asks for more is out of quota rather than busy.
LONGEST_RETRY_AFTER_S: Final = 120.0
_PASSING: Final = frozenset({408, 409, 425, 429})


class Pace:
    """Spreads calls evenly, so that no window of a minute holds more than allowed. One for all threads."""

    def __init__(self, *, requests_per_minute: int, tokens_per_minute: int) -> None:
        """0 is no limit."""
        self._s_a_call = 60 / requests_per_minute if requests_per_minute else 0.0
        self._s_a_token = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._lock = threading.Lock()
        self._next_at = 0.0

    def wait(self, tokens: int) -> None:
        """Come back when a call with ``tokens`` may start; the next one waits for its share."""
        with self._lock:
            start = max(time.monotonic(), self._next_at)
            self._next_at = start + max(self._s_a_call, tokens * self._s_a_token)
        time.sleep(max(0.0, start - time.monotonic()))

    def hold(self, seconds: float) -> None:
        """No call of any thread starts before ``seconds`` have passed."""
        with self._lock:
            self._next_at = max(self._next_at, time.monotonic() + seconds)


def delay_before_retry(status: int | None, headers: Mapping[str, str], failures: int) -> float | None:
    """Seconds until the next try after ``failures`` failed ones; ``None``: another try will not help.

    ``status`` is ``None`` for a call without a reply. What the server asks for is honoured; else twice as
    long each time, less a random part so that clients do not come back together (exponential backoff with
    jitter, Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015).
    """
    if status is not None and status < 500 and status not in _PASSING:
        return None
    asked = _retry_after(headers)
    if asked is not None:
        return asked if asked <= LONGEST_RETRY_AFTER_S else None
    longest: float = min(_LONGEST_DELAY_S, _FIRST_DELAY_S * 2 ** (failures - 1))
    return longest * random.uniform(0.5, 1.0)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from ``retry-after-ms`` (OpenAI) or ``retry-after``, a number or a date (RFC 9110, 10.2.3)."""
    milliseconds, told = headers.get("retry-after-ms", ""), headers.get("retry-after", "")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(told)) if told else None
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
