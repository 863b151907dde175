"""Passages of any text, for tests of metrics."""

from __future__ import annotations

from core.span import Span
from evaluation.passage import Passage, Place


def passage(
    start: int,
    end: int,
    *,
    doc: str = "d",
    text: str = "",
    header: str = "",
    tokens: int = 0,
    follows: bool = True,
) -> Passage:
    """``tokens`` 0: one a character."""
    shown = text[start:end] if text else "x" * (end - start)
    size = tokens or end - start
    return Passage(
        place=Place(doc, Span(start, end)),
        text=shown,
        embed_text=header + shown,
        tokens=size,
        embed_tokens=size,
        follows=follows,
    )
