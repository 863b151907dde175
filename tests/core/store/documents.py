"""Small prepared documents, as ingest would make them."""

from __future__ import annotations

import numpy as np

from core.chunk import Chunk, Parent
from core.document import Block, BlockKind, Document, Line, Notice
from core.hashing import sha256, stable_id
from core.scope import Visibility
from core.span import Span
from core.store import AnswerRow, PreparedDocument, SentenceVectors
from core.store.records import embed_hash_of

MODEL = "model-a"


def prepared(
    name: str,
    *texts: str,
    collection: str = "default",
    owner: str | None = None,
    visibility: Visibility | None = None,
    model: str = MODEL,
) -> PreparedDocument:
    """A document of one section whose chunks are ``texts``, one a line; each has two sentence vectors."""
    text = "\n".join(texts)
    version_id = stable_id("version", collection, name, text)
    starts = [sum(len(other) + 1 for other in texts[:i]) for i in range(len(texts))]
    spans = [Span(start, start + len(part)) for start, part in zip(starts, texts, strict=True)]
    whole = Span(0, len(text))
    chunks = tuple(_chunk(version_id, i, span, texts[i]) for i, span in enumerate(spans))
    hashes = [embed_hash_of(chunk.embed_text) for chunk in chunks]
    return PreparedDocument(
        collection=collection,
        name=name,
        source_sha256=sha256(text.encode()),
        source_bytes=len(text.encode()),
        fingerprint="settings",
        version_id=version_id,
        document=Document(
            text=text,
            title=name,
            language="zh",
            media_type="text/plain",
            blocks=(Block(kind=BlockKind.PARAGRAPH, span=whole, section_path=("章", "节")),),
            lines=(Line(span=whole, page=1, x0=1.5, y0=2.0, x1=3.25, y1=4.0),),
            page_count=1,
            notices=(Notice(code="note", details=(("pages", "1"),)),),
        ),
        chunks=chunks,
        parents=(
            Parent(id=f"{version_id}-p", ordinal=0, span=whole, section_path=("章", "节"), token_count=9),
        ),
        model=model,
        vectors={key: vector_of(key) for key in hashes},
        sentence_vectors={key: sentences_of(key) for key in hashes},
        owner=owner,
        visibility=visibility,
    )


def record(
    key: str, *, owner: str = "", created_at: str = "2026-11-30T10:00:00+00:00", question: str = "几天？"
) -> AnswerRow:
    """The row of an answer."""
    return AnswerRow(
        id=key,
        created_at=created_at,
        owner=owner,
        question=question,
        answered=True,
        complete=False,
        method="extractive",
        model="",
        language="zh",
        latency_ms=12.5,
        body='{"text": "五天\\u0000"}',
    )


def vector_of(key: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array([int(key[:4], 16), 1, 2, 3], dtype=np.float32)


def sentences_of(key: str) -> SentenceVectors:
    return SentenceVectors(
        spans=np.array([[0, 2], [2, 5]], dtype=np.int32),
        scales=np.array([0.5, 0.25], dtype=np.float32),
        data=np.array([[1, -2, 3, 127], [int(key[0], 16), 0, 0, -128]], dtype=np.int8),
    )


def _chunk(version_id: str, ordinal: int, span: Span, text: str) -> Chunk:
    return Chunk(
        id=f"{version_id}-{ordinal}",
        parent_id=f"{version_id}-p",
        section_id=f"{version_id}-s",
        ordinal=ordinal,
        span=span,
        section_path=("章", "节"),
        kinds=("paragraph",),
        embed_text=text,
        token_count=len(text),
        previous_id=f"{version_id}-{ordinal - 1}" if ordinal else None,
        next_id=None,
        reasons=("start",),
        dates=("2024-05",),
    )
