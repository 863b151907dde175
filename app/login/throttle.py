"""Guessing passwords is slow: after some failures each attempt waits longer, by name and by address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

# An attempt that would wait longer than this is refused, so that nobody can pile up connections.
_LONGEST_WAIT_S: Final = 30.0
_FORGET_AFTER_S: Final = 900.0
_MOST_KEYS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """``free`` attempts cost nothing; the pause after each further one doubles up to ``longest_s``."""

    free: int
    longest_s: float

    def pause_s(self, attempts: int) -> float:
        return min(2.0 ** (attempts - self.free - 1), self.longest_s) if attempts > self.free else 0.0


# A name's pause stays short: who guesses at it shall not keep its owner out.
_NAME: Final = Rule(free=5, longest_s=8.0)
_ADDRESS: Final = Rule(free=15, longest_s=30.0)


@dataclass(slots=True)
class _Record:
    attempts: int = 0
    free_at: float = 0.0
    seen_at: float = 0.0


class Throttle:
    """Counts attempts until they succeed. Used by one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._records: OrderedDict[tuple[str, str], _Record] = OrderedDict()

    def enter(self, name: str, address: str) -> float | None:
        """Seconds until this attempt may be made; ``None``: it may not. Counts it as failed for now."""
        now = self._clock()
        pairs = [
            (self._record(("name", name), now), _NAME),
            (self._record(("address", address), now), _ADDRESS),
        ]
        start = max(now, *(record.free_at for record, _ in pairs))
        if start - now > _LONGEST_WAIT_S:
            return None
        for record, rule in pairs:
            record.attempts += 1
            record.free_at = start + rule.pause_s(record.attempts)
        return start - now

    def succeeded(self, name: str, address: str) -> None:
        """Forget the failures of the name; those of the address only lose this attempt."""
        self._records.pop(("name", name), None)
        if record := self._records.get(("address", address)):
            record.attempts -= 1

    def _record(self, key: tuple[str, str], now: float) -> _Record:
        record = self._records.setdefault(key, _Record(seen_at=now))
        if now - record.seen_at > _FORGET_AFTER_S:
            record = self._records[key] = _Record()
        record.seen_at = now
        self._records.move_to_end(key)
        while len(self._records) > _MOST_KEYS:
            self._records.popitem(last=False)
        return record
