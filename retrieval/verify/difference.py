"""One thing that a sentence says otherwise than its source."""

from __future__ import annotations

from dataclasses import dataclass

from core.verdict import Aspect, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """``certain``: the source contradicts the sentence; otherwise the source says less or more of it."""

    reason: Reason
    certain: bool


def difference(aspect: Aspect, said: str, found: str = "", *, certain: bool = True) -> Difference:
    """A difference in one line each."""
    reason = Reason(aspect=aspect, said=_line(said), found=_line(found))
    return Difference(reason=reason, certain=certain)


def _line(text: str, most: int = 80) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
