"""How long a stage of a file still takes, from how fast its last steps went."""

from __future__ import annotations

from collections import deque
from typing import Final

# Older steps say little about the next ones: a book's tables are slower than its prose.
_WINDOW_S: Final = 30.0
# Before that much is known nothing is said.
_LEAST_S, _LEAST_STEPS = 2.0, 2
# A step that takes so many times as long as those before it: nobody knows when it ends.
_STALLED: Final = 4.0
_STALLED_S: Final = 10.0


class Pace:
    """The steps of one stage. Times are seconds of a clock that only goes forward."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def note(self, at_s: float, done: int) -> None:
        """``done`` steps are done at that time; a stage that starts again forgets what was."""
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()
        if not self._seen or done > self._seen[-1][1]:
            self._seen.append((at_s, done))
        while len(self._seen) > 2 and at_s - self._seen[1][0] > _WINDOW_S:
            self._seen.popleft()

    def left_s(self, at_s: float, total: int) -> float | None:
        """Seconds until ``total`` steps are done; ``None`` while nothing honest can be said."""
        if len(self._seen) < 2:
            return None
        (first_s, first), (last_s, last) = self._seen[0], self._seen[-1]
        took_s, steps, waited_s = last_s - first_s, last - first, at_s - last_s
        if took_s < _LEAST_S or steps < _LEAST_STEPS or last >= total:
            return None
        step_s = took_s / steps
        if waited_s > max(_STALLED * step_s, _STALLED_S):
            return None
        return max((total - last) * step_s - waited_s, 0.0)
