"""What a splitter returns, and the one way to cut where nothing else fits."""

from __future__ import annotations

from dataclasses import dataclass

from core.span import Span, is_blank, trimmed
from ingest.sections import Section

CLOSING_MARKS = frozenset("。！？；：，、”’」』）】〕》〉.!?;:,)]}％%…")


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
    text = section.document.text
    pieces: list[Piece] = []
    start = span.start
    while start < span.end:
        end = _furthest(section, start, span.end, limit)
        window = trimmed(text, start, end)
        if window is not None:
            pieces.append(Piece(span=window, size=section.size(window), reasons=("token",)))
        if end >= span.end:
            break
        start = _next_start(section, start, end, overlap) if overlap else end
    return pieces


def _furthest(section: Section, start: int, stop: int, limit: int) -> int:
    """The largest end such that the window fits, moved so that the rest starts with no closing mark."""
    low, high = start + 1, stop
    if section.size(Span(start, stop)) <= limit:
        return stop
    while low < high:
        middle = (low + high + 1) // 2
        if section.size(Span(start, middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    text = section.document.text
    end = low
    while end > start + 1 and end < stop and (text[end] in CLOSING_MARKS or _inside_word(text, end)):
        end -= 1
    return end if end > start + (low - start) // 2 else low


def _next_start(section: Section, start: int, end: int, overlap: int) -> int:
    """Where the next window starts so that it repeats about ``overlap`` tokens before ``end``."""
    text = section.document.text
    per_char = section.tokens.count([text[start:end]])[0] / (end - start)
    back = end - min(int(overlap / max(per_char, 1e-6)), (end - start) // 2)
    while back < end and (text[back] in CLOSING_MARKS or is_blank(text[back]) or _inside_word(text, back)):
        back += 1
    return back


def _inside_word(text: str, position: int) -> bool:
    before, after = text[position - 1], text[position]
    return before.isalnum() and after.isalnum() and before < "\u2e80" and after < "\u2e80"
