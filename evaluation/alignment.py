"""Where the chunks of other programs stand in the text that they were made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.span import Span, is_blank


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """``spans`` in the order of the chunks; ``empty`` had nothing visible, ``lost`` are not in the text."""

    spans: tuple[Span, ...]
    empty: int
    lost: int


def align(text: str, chunks: Sequence[str], overlap: int = 0) -> Aligned:
    """The span of each chunk, which starts at most ``overlap`` characters before the end of the last.

    Chunks may have more or less white space than the text, as programs strip it or join sentences by
    one of their own; every visible character must fit.
    """
    seen = [place for place, char in enumerate(text) if not is_blank(char)]
    visible = "".join(text[place] for place in seen)
    spans: list[Span] = []
    empty = lost = start = end = 0
    for chunk in chunks:
        wanted = "".join(char for char in chunk if not is_blank(char))
        if not wanted:
            empty += 1
            continue
        found = visible.find(wanted, max(end - overlap, start))
        if found < 0:
            lost += 1
            continue
        start, end = found, found + len(wanted)
        spans.append(Span(seen[start], seen[end - 1] + 1))
    return Aligned(spans=tuple(spans), empty=empty, lost=lost)
