"""Rows of the store as plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.chunk import Chunk, Parent
from core.document import Document, Notice
from core.hashing import sha256
from core.scope import Visibility
from core.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceVectors:
    """The sentences of one chunk, each with its own vector ``data[i] * scales[i]``, L2-normalised before.

    ``spans`` is ``(n, 2) int32``, code points from the start of the chunk; ``scales`` is ``(n,) float32``
    and ``data`` ``(n, dimension) int8``.
    """

    spans: npt.NDArray[np.int32]
    scales: npt.NDArray[np.float32]
    data: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedDocument:
    """A document that is ready to be stored in one transaction.

    ``vectors`` maps the hash of each distinct ``embed_text`` to its vector
    (``(dimension,) float32``, L2-normalised) made by ``model``; ``sentence_vectors`` those of its sentences.
    Hashes already stored may be left out. ``owner`` and ``visibility`` of ``None`` stay what they are.
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
    vectors: Mapping[str, npt.NDArray[np.float32]]
    sentence_vectors: Mapping[str, SentenceVectors] = field(default_factory=dict)
    owner: str | None = None
    visibility: Visibility | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionRow:
    """A collection; ``members`` are the users who may open it, nobody named means everyone."""

    id: str
    name: str
    members: tuple[str, ...]
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentVersion:
    """The current version of a document, and who may see it.

    ``stamp`` is another one when the same version was stored again: then its chunks may be others.
    """

    version_id: str
    stamp: str
    document_id: str
    collection: str
    owner: str
    visibility: Visibility


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
    owner: str = ""
    visibility: Visibility = Visibility.COLLECTION


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedVersion:
    """The current version of a document, and what the document is called."""

    version_id: str
    document_id: str
    name: str
    title: str


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
    """A child chunk with where it belongs. ``language`` is that of its embedded text; dates are ISO 8601."""

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
    language: str = ""
    dates: tuple[str, ...] = ()


def embed_hash_of(embed_text: str) -> str:
    """The key under which the vectors of ``embed_text`` are stored."""
    return text_hash_of(embed_text)[:32]


def text_hash_of(text: str) -> str:
    """The SHA-256 of a text, which proves that it is still what was stored."""
    return sha256(text.encode("utf-8", "surrogatepass"))
