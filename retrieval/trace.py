"""What each stage did and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.answer import Hit, TraceStep


@dataclass(slots=True)
class _Open:
    counts: dict[str, int] = field(default_factory=dict)
    note: str = ""
    hits: Sequence[Hit] = ()
    dropped: dict[str, str] = field(default_factory=dict)


class Trace:
    """Collects the steps of one question."""

    def __init__(self) -> None:
        self._steps: list[TraceStep] = []

    @contextmanager
    def step(self, name: str) -> Iterator[_Open]:
        """Times the block; it may set what a ``TraceStep`` has on what is yielded."""
        started = time.perf_counter()
        opened = _Open()
        yield opened
        latency_ms = (time.perf_counter() - started) * 1000
        self._steps.append(
            TraceStep(
                name=name,
                latency_ms=latency_ms,
                counts=tuple(opened.counts.items()),
                note=opened.note,
                hits=tuple(opened.hits),
                dropped=tuple(opened.dropped.items()),
            )
        )

    def steps(self) -> tuple[TraceStep, ...]:
        return tuple(self._steps)
