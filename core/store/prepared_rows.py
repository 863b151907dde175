"""The rows that a prepared document becomes."""

from __future__ import annotations

import numpy as np

from core.language import language_of
from core.protocols import Vectors
from core.store.records import PreparedDocument, SentenceVectors, embed_hash_of, text_hash_of

RowValues = dict[str, object]


def version_row(prepared: PreparedDocument, document_id: str, number: int, created_at: str) -> RowValues:
    document = prepared.document
    return {
        "id": prepared.version_id,
        "document_id": document_id,
        "number": number,
        "source_sha256": prepared.source_sha256,
        "source_bytes": prepared.source_bytes,
        "fingerprint": prepared.fingerprint,
        "media_type": document.media_type,
        "title": document.title,
        "language": document.language,
        "page_count": document.page_count,
        "notices": [[notice.code, [list(pair) for pair in notice.details]] for notice in document.notices],
        "text": document.text,
        "text_sha256": text_hash_of(document.text),
        "created_at": created_at,
    }


def block_rows(prepared: PreparedDocument) -> list[RowValues]:
    return [
        {
            "version_id": prepared.version_id,
            "ordinal": ordinal,
            "kind": block.kind.value,
            "level": block.level,
            "start": block.span.start,
            "end": block.span.end,
            "section_path": list(block.section_path),
        }
        for ordinal, block in enumerate(prepared.document.blocks)
    ]


def line_rows(prepared: PreparedDocument) -> list[RowValues]:
    return [
        {"version_id": prepared.version_id, "ordinal": ordinal, "page": line.page}
        | {"start": line.span.start, "end": line.span.end}
        | {"x0": line.x0, "y0": line.y0, "x1": line.x1, "y1": line.y1}
        for ordinal, line in enumerate(prepared.document.lines)
    ]


def parent_rows(prepared: PreparedDocument) -> list[RowValues]:
    return [
        {
            "id": parent.id,
            "version_id": prepared.version_id,
            "ordinal": parent.ordinal,
            "start": parent.span.start,
            "end": parent.span.end,
            "section_path": list(parent.section_path),
            "token_count": parent.token_count,
        }
        for parent in prepared.parents
    ]


def chunk_rows(prepared: PreparedDocument) -> list[RowValues]:
    return [
        {
            "id": chunk.id,
            "version_id": prepared.version_id,
            "parent_id": chunk.parent_id,
            "section_id": chunk.section_id,
            "ordinal": chunk.ordinal,
            "start": chunk.span.start,
            "end": chunk.span.end,
            "section_path": list(chunk.section_path),
            "kinds": list(chunk.kinds),
            "reasons": list(chunk.reasons),
            "token_count": chunk.token_count,
            "embed_text": chunk.embed_text,
            "embed_hash": embed_hash_of(chunk.embed_text),
            "previous_id": chunk.previous_id,
            "next_id": chunk.next_id,
            "language": language_of(chunk.embed_text),
            "dates": list(chunk.dates),
        }
        for chunk in prepared.chunks
    ]


def vector_row(embed_hash: str, model: str, vector: Vectors) -> RowValues:
    return {"embed_hash": embed_hash, "model": model, "data": vector.astype(np.float32).tobytes()}


def sentence_row(embed_hash: str, model: str, sentences: SentenceVectors) -> RowValues:
    return {
        "embed_hash": embed_hash,
        "model": model,
        "spans": sentences.spans.astype(np.int32).tobytes(),
        "scales": sentences.scales.astype(np.float32).tobytes(),
        "data": sentences.data.astype(np.int8).tobytes(),
    }
