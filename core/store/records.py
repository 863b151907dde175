"""Rows of the store as plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.chunk import Chunk, Parent
from core.document import Document, Notice
from core.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedDocument:
    """A document that is ready to be stored in one transaction.

    ``vectors`` maps the hash of each distinct ``embed_text`` to its vector
    (``(dimension,) float32``, L2-normalised) made by ``model``; hashes already stored may be left out.
    """

    collection: str
    name: str
    source_sha256: str
    source_bytes: int
    fingerprint: str
    version_id: str
    document: Document
    chunks: tuple[Chunk, ...]
    parents: tuple[Parent, ...]
    model: str
    vectors: dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A stored document and its current version. Times are ISO 8601 in UTC."""

    id: str
    collection: str
    name: str
    version_id: str
    version_number: int
    source_sha256: str
    source_bytes: int
    fingerprint: str
    media_type: str
    title: str
    language: str
    page_count: int
    chunk_count: int
    notices: tuple[Notice, ...]
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVersion:
    """The text of one version, and what is needed to show it."""

    id: str
    document_id: str
    collection: str
    name: str
    number: int
    title: str
    language: str
    media_type: str
    source_sha256: str
    page_count: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRow:
    """A child chunk with where it belongs; ``parent_span`` is the run that expansion may grow to."""

    id: str
    version_id: str
    document_id: str
    parent_id: str
    section_id: str
    ordinal: int
    span: Span
    section_path: tuple[str, ...]
    kinds: tuple[str, ...]
    reasons: tuple[str, ...]
    token_count: int
    embed_text: str
    embed_hash: str
    previous_id: str | None
    next_id: str | None
