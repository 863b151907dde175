"""All vectors made anew with another model, while the old ones go on serving.

New vectors are stored batch by batch beside the old ones, which is where a stopped run goes on. The switch is
one transaction: it embeds what was added meanwhile, names the new model and drops the old vectors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.errors import StoreError
from core.protocols import Vectors
from core.store import Reader, SentenceVectors
from ingest.embedding import Embedding
from ingest.workspace import Workspace

# So few texts that came meanwhile are embedded while other writers wait.
_FEW: Final = 64


class ChunksTooLongError(StoreError):
    """Nothing is cut off in silence: the documents must be cut anew for the new model."""

    code = "chunks_too_long"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """How far it is: texts of all, those that an earlier run had made, and what this run did in how long."""

    done: int
    total: int
    kept: int
    tokens: int
    seconds: float

    @property
    def tokens_per_s(self) -> float:
        """0 before anything was made."""
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float:
        """By the pace until now; 0 before anything was made."""
        made = self.done - self.kept
        return self.seconds / made * (self.total - self.done) if made else 0.0


OnEmbedded = Callable[[Embedded], None]


def embed_again(workspace: Workspace, on_progress: OnEmbedded = lambda progress: None) -> int:
    """Give every chunk a vector of the configured model, and make that the model of the store.

    Returns how many texts were embedded in this run. Raises ``ChunksTooLongError`` before anything is made,
    and ``EmbeddingError``; what was made until then is kept for the next run.
    """
    return _Run(workspace, on_progress).run()


class _Run:
    def __init__(self, workspace: Workspace, on_progress: OnEmbedded) -> None:
        self._store = workspace.store
        self._embedder = workspace.embedder
        self._model = workspace.embedder.fingerprint
        options = workspace.settings.embedding
        self._size = options.batch_size * options.concurrency
        self._embedding = Embedding(self._embedder, size=self._size, with_sentences=options.sentences)
        self._on_progress = on_progress
        self._kept = self._made = self._tokens = 0
        self._started = time.monotonic()

    def run(self) -> int:
        """Rounds until next to nothing is missing, then the switch."""
        missing = self._missing()
        self._require_fit(missing)
        self._kept = self._all() - len(missing)
        while missing:
            self._embed(missing)
            missing = self._missing()
            if len(missing) <= _FEW:
                break
        with self._store.write() as writer:
            late = writer.reader.unembedded(self._model)
            self._require_fit(late)
            for keys in self._batches(list(late)):
                vectors, sentences = self._vectors(writer.reader, keys)
                writer.put_vectors(vectors, self._model)
                writer.put_sentence_vectors(sentences, self._model)
            writer.change_model(self._model)
        self._store.compact()
        return self._made

    def _all(self) -> int:
        with self._store.read() as reader:
            return reader.embedded_texts()

    def _missing(self) -> dict[str, int]:
        with self._store.read() as reader:
            return reader.unembedded(self._model)

    def _require_fit(self, missing: dict[str, int]) -> None:
        too_long: list[str] = []
        with self._store.read() as reader:
            for keys in self._batches(list(missing)):
                chunks = list(reader.chunks_by_hash(keys).values())
                counts = self._embedder.count([chunk.embed_text for chunk in chunks])
                too_long += [
                    chunk.document_id
                    for chunk, count in zip(chunks, counts, strict=True)
                    if count > self._embedder.max_tokens
                ]
            if too_long:
                name = reader.document(too_long[0]).name
                raise ChunksTooLongError(count=len(too_long), limit=self._embedder.max_tokens, name=name)

    def _embed(self, missing: dict[str, int]) -> None:
        """A short transaction for each batch, which shows nothing: readers stay on their generation."""
        total = self._kept + self._made + len(missing)
        for keys in self._batches(list(missing)):
            with self._store.read() as reader:
                vectors, sentences = self._vectors(reader, keys)
            with self._store.write() as writer:
                # Not of what was removed while they were made.
                there = writer.reader.chunks_by_hash(keys).keys()
                writer.put_vectors({key: vectors[key] for key in vectors.keys() & there}, self._model)
                writer.put_sentence_vectors(
                    {key: sentences[key] for key in sentences.keys() & there}, self._model
                )
            self._tokens += sum(missing[key] for key in vectors)
            seconds = time.monotonic() - self._started
            done = self._kept + self._made
            self._on_progress(
                Embedded(done=done, total=total, kept=self._kept, tokens=self._tokens, seconds=seconds)
            )

    def _vectors(
        self, reader: Reader, keys: Sequence[str]
    ) -> tuple[dict[str, Vectors], dict[str, SentenceVectors]]:
        """Vectors by hash, and those of sentences; texts that were removed meanwhile are left out."""
        chunks = reader.chunks_by_hash(keys)
        self._made += len(chunks)
        made = self._embedding.passages(chunk.embed_text for chunk in chunks.values())
        vectors = {key: made[chunk.embed_text] for key, chunk in chunks.items()}
        return vectors, self._embedding.again(chunks, reader)

    def _batches(self, keys: Sequence[str]) -> Iterator[Sequence[str]]:
        for start in range(0, len(keys), self._size):
            yield keys[start : start + self._size]
