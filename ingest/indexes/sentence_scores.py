"""The score of each candidate's best sentence, from the vectors in the store."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.store import ChunkRow, Reader
from ingest.indexes.search_index import Aims


def sentence_scores(reader: Reader, model: str, aims: Aims, chunks: Iterable[ChunkRow]) -> dict[str, float]:
    """By chunk id, on the scale of ``SearchIndex.dense``; made for some dozens of candidates.

    Chunks of one sentence, whose own score is that of their best sentence, and those whose sentences were
    not embedded are left out. ``model`` is the fingerprint of the embedding model.
    """
    wanted = {chunk.id: chunk for chunk in chunks if chunk.language in aims}
    stored = reader.sentence_vectors((chunk.embed_hash for chunk in wanted.values()), model)
    scores: dict[str, float] = {}
    for chunk_id, chunk in wanted.items():
        if (found := stored.get(chunk.embed_hash)) is not None:
            aim = aims[chunk.language]
            scores[chunk_id] = float(np.max((found.data @ aim.vector) * found.scales)) - aim.offset
    return scores
