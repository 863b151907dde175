"""How a file is to be read: what the parsers are told besides the bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.settings import ParsingSettings


def _nobody(done: int, total: int) -> None:
    del done, total


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """``password`` opens a protected file. ``on_page`` hears pages done and pages in all, as they are read."""

    settings: ParsingSettings = field(default_factory=ParsingSettings)
    password: str = field(default="", repr=False)
    on_page: Callable[[int, int], None] = _nobody


DEFAULT_READING = Reading()
