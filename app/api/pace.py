"""How often one caller may ask: a bucket of permits that fills with time."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from core.api_errors import ApiOftenError

_MINUTE_S: Final = 60.0
# Callers that are remembered; who is forgotten has a full bucket again.
_MOST_CALLERS: Final = 10_000


class Pace:
    """Token bucket: a minute's permits at once, then as they come in. Used by one event loop."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._clock = per_minute, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """One request. Raises ``ApiOftenError``; a limit of 0 is none."""
        if not self._limit:
            return
        now = self._clock()
        left, seen = self._buckets.pop(caller, (float(self._limit), now))
        left = min(self._limit, left + (now - seen) * self._limit / _MINUTE_S)
        enough = left >= 1
        self._buckets[caller] = (left - 1 if enough else left, now)
        while len(self._buckets) > _MOST_CALLERS:
            self._buckets.popitem(last=False)
        if not enough:
            wait_s = math.ceil((1 - left) * _MINUTE_S / self._limit)
            raise ApiOftenError(limit=self._limit, wait_s=wait_s)
