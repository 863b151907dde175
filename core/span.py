"""Half-open intervals of Unicode code points over one document's text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The characters ``[start, end)`` of a document's text; never empty, never negative.

    Raises ``ValueError`` when ``0 <= start < end`` does not hold.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"expected 0 <= start < end, got start={self.start!r} end={self.end!r}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters of ``text`` inside this span."""
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def intersection(self, other: Span) -> Span | None:
        """The shared characters, or ``None`` when there are none."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Span(start, end) if start < end else None

    def hull(self, other: Span) -> Span:
        """The smallest span that contains both."""
        return Span(min(self.start, other.start), max(self.end, other.end))


def union(spans: Iterable[Span], *, gap: int = 0) -> tuple[Span, ...]:
    """Disjoint spans in ascending order that cover exactly ``spans``.

    Spans that overlap, touch, or lie at most ``gap`` characters apart become one.
    """
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end + gap:
            merged[-1] = merged[-1].hull(span)
        else:
            merged.append(span)
    return tuple(merged)


def trimmed(text: str, start: int, end: int) -> Span | None:
    """``[start, end)`` of ``text`` without white space and invisible marks at its ends; ``None`` if blank."""
    while start < end and is_blank(text[start]):
        start += 1
    while end > start and is_blank(text[end - 1]):
        end -= 1
    return Span(start, end) if start < end else None


_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")


def is_blank(char: str) -> bool:
    """Whether a reader sees nothing: white space, zero-width marks, soft hyphens, byte order marks."""
    return char.isspace() or char in _INVISIBLE
