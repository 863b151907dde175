"""The vectors of a document's chunks and of their sentences, each distinct text once.

A sentence is embedded under the header of its chunk, which says what it is about: without it the documents
of one kind are all alike (docs/decisions/0007).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.chunk import Chunk
from core.protocols import Embedder, Vectors
from core.span import Span
from core.store import ChunkRow, Reader, Store
from core.store.records import SentenceVectors, embed_hash_of
from ingest.sentences import sentences

# (texts done, all of them), before every batch.
OnBatch = Callable[[int, int], None]

# Vectors of sentences that are kept for the next documents of a run, where headers and forms come again.
_REMEMBERED: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """Vectors by the hash of the embedded text, those already stored included; how much had to be made.

    ``tokens`` are exact for chunks and estimated by length for sentences.
    """

    vectors: Mapping[str, Vectors]
    sentences: Mapping[str, SentenceVectors]
    texts: int
    tokens: int


class Embedding:
    """For one run: what it embedded once is not embedded again. ``size``: texts a call."""

    def __init__(self, embedder: Embedder, *, size: int, with_sentences: bool) -> None:
        self._embedder = embedder
        self._size = size
        self._with_sentences = with_sentences
        self._known: dict[str, Vectors] = {}

    def of(self, chunks: Sequence[Chunk], text: str, store: Store, on_batch: OnBatch) -> Made:
        """The vectors of the chunks of a document with this text. Raises ``EmbeddingError``."""
        by_hash = {embed_hash_of(chunk.embed_text): chunk for chunk in chunks}
        # Read first and at once: nobody waits for a reader that stays while everything is embedded.
        with store.read() as reader:
            stored = reader.vectors(by_hash, self._embedder.fingerprint)
            cut = self._cut(by_hash, text, reader)
        missing = {key: chunk for key, chunk in by_hash.items() if key not in stored}
        headed = {
            key: headed_sentences(by_hash[key].embed_text, by_hash[key].span, spans, text)
            for key, spans in cut.items()
        }
        wanted = {chunk.embed_text for chunk in missing.values()}.union(*headed.values())
        new = wanted - self._known.keys()
        made = self.passages(new, on_batch)
        self._remember(made)
        known = self._known | made
        return Made(
            vectors=stored | {key: known[chunk.embed_text] for key, chunk in missing.items()},
            sentences={
                key: packed(by_hash[key].span, spans, [known[sentence] for sentence in headed[key]])
                for key, spans in cut.items()
            },
            texts=len(missing),
            tokens=_tokens(chunks, new),
        )

    def again(self, chunks: Mapping[str, ChunkRow], reader: Reader) -> dict[str, SentenceVectors]:
        """The sentences of stored chunks, by the hash of their embedded text."""
        if not self._with_sentences:
            return {}
        texts = {chunk.version_id: "" for chunk in chunks.values()}
        texts = {version_id: reader.version(version_id).text for version_id in texts}
        cut = {key: _several(texts[chunk.version_id], chunk.span) for key, chunk in chunks.items()}
        words = {
            key: headed_sentences(chunk.embed_text, chunk.span, cut[key], texts[chunk.version_id])
            for key, chunk in chunks.items()
        }
        made = self.passages({word for several in words.values() for word in several})
        return {
            key: packed(chunks[key].span, spans, [made[word] for word in words[key]])
            for key, spans in cut.items()
            if spans
        }

    def passages(
        self, texts: Iterable[str], on_batch: OnBatch = lambda done, total: None
    ) -> dict[str, Vectors]:
        """Vectors by text. Texts of like length go together: a batch costs as much as its longest text."""
        ordered = sorted(texts, key=lambda text: (len(text), text))
        made: dict[str, Vectors] = {}
        for start in range(0, len(ordered), self._size):
            on_batch(start, len(ordered))
            batch = ordered[start : start + self._size]
            made.update(zip(batch, self._embedder.passages(batch), strict=True))
        return made

    def _cut(self, chunks: Mapping[str, Chunk], text: str, reader: Reader) -> dict[str, list[Span]]:
        """The sentences of every chunk that has several and whose sentences are not stored."""
        if not self._with_sentences:
            return {}
        stored = reader.sentence_vectors(chunks, self._embedder.fingerprint)
        cut = {key: _several(text, chunk.span) for key, chunk in chunks.items() if key not in stored}
        return {key: spans for key, spans in cut.items() if spans}

    def _remember(self, made: Mapping[str, Vectors]) -> None:
        if len(self._known) + len(made) > _REMEMBERED:
            self._known = {}
        self._known |= made


def _several(text: str, chunk: Span) -> list[Span]:
    """The sentences of a chunk; none when there is only one, whose vector is nearly the chunk's own."""
    spans = sentences(text, chunk.start, chunk.end)
    return spans if len(spans) > 1 else []


def headed_sentences(embed_text: str, chunk: Span, spans: Sequence[Span], text: str) -> list[str]:
    """What is embedded for each of the sentences ``spans`` of a chunk at ``chunk`` of the document ``text``."""
    header = embed_text.removesuffix(chunk.of(text)).partition("\n")[0]
    return ["\n".join(filter(None, (header, span.of(text)))) for span in spans]


def packed(chunk: Span, spans: Sequence[Span], vectors: Sequence[Vectors]) -> SentenceVectors:
    """One int8 row a sentence with its own scale; spans from the start of the chunk on."""
    matrix = np.stack(vectors)
    scales = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / 127
    return SentenceVectors(
        spans=np.array(
            [(span.start - chunk.start, span.end - chunk.start) for span in spans], dtype=np.int32
        ),
        scales=scales.astype(np.float32),
        data=np.round(matrix / scales[:, None]).astype(np.int8),
    )


def _tokens(chunks: Sequence[Chunk], new: Iterable[str]) -> int:
    """Tokens of the texts: those of a chunk are known, the others go by length."""
    exact = {chunk.embed_text: chunk.token_count for chunk in chunks}
    characters = sum(map(len, exact))
    a_character = sum(exact.values()) / characters if characters else 0.0
    return round(sum(exact.get(text, len(text) * a_character) for text in new))
