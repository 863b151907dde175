"""What chunking yields: children for finding, parents for reading."""

from __future__ import annotations

from dataclasses import dataclass

from core.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A child chunk. ``token_count`` is that of ``embed_text`` in the embedding model's own tokens.

    ``previous_id`` and ``next_id`` stay inside the section. ``reasons`` say why its borders lie where
    they lie. ``dates`` are those its text names (ISO 8601, as exact as the text: 2024-05-01, 2024-05, 2024).
    """

    id: str
    parent_id: str
    section_id: str
    ordinal: int
    span: Span
    section_path: tuple[str, ...]
    kinds: tuple[str, ...]
    embed_text: str
    token_count: int
    previous_id: str | None
    next_id: str | None
    reasons: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """A whole section, or a run of neighbouring children inside one section."""

    id: str
    ordinal: int
    span: Span
    section_path: tuple[str, ...]
    token_count: int
