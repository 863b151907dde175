"""What a splitter returns, and the one way to cut where nothing else fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import category

from core.span import Span, is_blank, trimmed
from ingest.sections import Section

CLOSING_MARKS = frozenset("。！？；：，、”’」』）】〕》〉.!?;:,)]}％%…")
# The first guess at how many characters a token stands for; only speed depends on it.
_CHARS_A_TOKEN = 4
_JOINER = "\u200d"

Measure = Callable[[Span], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A span that becomes a chunk, its size in tokens, and why its borders lie there."""

    span: Span
    size: int
    reasons: tuple[str, ...] = ()


def windows(section: Section, span: Span, limit: int, overlap: int) -> list[Piece]:
    """Windows of at most ``limit`` tokens that cover ``span``; each repeats about ``overlap`` tokens.

    No window starts with a closing mark or in white space; every step makes progress.
    """
    spans = forced_windows(section.document.text, span, limit, section.size, overlap)
    sizes = section.sizes(spans)
    return [
        Piece(span=window, size=size, reasons=("token",)) for window, size in zip(spans, sizes, strict=True)
    ]


def forced_windows(text: str, span: Span, limit: int, measure: Measure, overlap: int = 0) -> list[Span]:
    """The windows of ``span`` that ``measure`` at most ``limit`` tokens, trimmed, in order."""
    found: list[Span] = []
    start = span.start
    while start < span.end:
        end = _furthest(text, Span(start, span.end), limit, measure)
        window = trimmed(text, start, end)
        if window is not None:
            # A short window may lie wholly inside the next one, which repeats it.
            if found and window.contains(found[-1]):
                found.pop()
            found.append(window)
        if end >= span.end:
            break
        start = overlapping_start(text, Span(start, end), overlap, measure) if overlap else end
    return found


def overlapping_start(text: str, before: Span, overlap: int, measure: Measure) -> int:
    """Where what follows ``before`` starts so that it repeats about ``overlap`` of its tokens."""
    per_char = measure(before) / len(before)
    back = before.end - min(int(overlap / max(per_char, 1e-6)), len(before) // 2)
    while back < before.end and (
        text[back] in CLOSING_MARKS or is_blank(text[back]) or _inside_word(text, back)
    ):
        back += 1
    return back


def _furthest(text: str, span: Span, limit: int, measure: Measure) -> int:
    """The largest end such that the window fits, moved so that the rest starts with no closing mark."""
    start, stop = span.start, span.end
    reach = limit * _CHARS_A_TOKEN
    low = start + 1
    # The window's length is doubled until it does not fit: the whole rest is measured only at the end.
    while start + reach < stop and measure(Span(start, start + reach)) <= limit:
        low, reach = start + reach, reach * 2
    high = min(start + reach, stop)
    if high == stop and measure(Span(start, stop)) <= limit:
        return stop
    while low < high:
        middle = (low + high + 1) // 2
        if measure(Span(start, middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    end = low
    while end > start + 1 and (
        text[end] in CLOSING_MARKS or _inside_word(text, end) or measure(Span(start, end)) > limit
    ):
        end -= 1
    return end if end > start + (low - start) // 2 else low


def _inside_word(text: str, position: int) -> bool:
    """Whether a cut would part a word of letters, or a character from its accents and joiners."""
    before, after = text[position - 1], text[position]
    if _JOINER in (before, after) or category(after) in ("Mn", "Mc", "Me"):
        return True
    return before.isalnum() and after.isalnum() and before < "\u2e80" and after < "\u2e80"
