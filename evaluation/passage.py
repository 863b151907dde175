"""A chunk as the metrics see it, whoever made it, and where things stand in a set of documents."""

from __future__ import annotations

from dataclasses import dataclass

from core.span import Span


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Characters of one document."""

    doc: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """``text`` is what a reader is shown, ``embed_text`` what the model embeds.

    ``tokens`` is the size of ``text`` without the marks that the model adds to each text,
    ``embed_tokens`` that of ``embed_text`` with them. ``follows``: it may be shown joined with the
    passage before it, and nothing but white space lies between them.
    """

    place: Place
    text: str
    embed_text: str
    tokens: int
    embed_tokens: int
    follows: bool
