"""From one generation of the index to the next: only what came is read, what is gone is left out."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from core.errors import ModelMismatchError
from core.registry import resolve
from core.settings import IndexSettings
from core.store import Reader
from ingest.indexes.analyzer import analyze
from ingest.indexes.lexical import Entry, LexicalIndex
from ingest.indexes.local import LocalIndex
from ingest.indexes.merging import Part, settled
from ingest.indexes.segment import Draft

_LOG = logging.getLogger(__name__)

_CHUNKS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Refresh:
    """Makes the indexes of a reader's generation, for vectors of one model."""

    model: str
    dimension: int
    settings: IndexSettings

    def run(self, reader: Reader, base: LocalIndex | None, folder: Path) -> LocalIndex:
        """The index of the reader's generation, from that of any other generation where there is one.

        The index by words may keep files under ``folder``, which is new. Raises ``ModelMismatchError``,
        ``StoreDamagedError`` and ``OSError``.
        """
        stored, chunks = reader.embedding_model(), reader.count("chunks")
        if chunks and stored != self.model:
            raise ModelMismatchError(stored=stored, current=self.model)
        make = resolve("lexical index", self._kind(base, chunks))
        if base is not None and isinstance(base.words, make):
            index = self._from(reader, base, folder)
            if len(index) == len(index.words) == chunks:
                return index
            _LOG.warning("the index does not hold what the store holds; it is made anew")
            shutil.rmtree(folder, ignore_errors=True)
        _LOG.info("making the index of %d chunks from the store", chunks)
        return self._from(reader, self._empty(make()), folder)

    def _kind(self, base: LocalIndex | None, chunks: int) -> str:
        """The name of the index by words; "auto" goes back only far below the bound, not to and fro."""
        if self.settings.lexical != "auto":
            return self.settings.lexical
        was_large = base is not None and len(base) >= self.settings.tantivy_from
        bound = self.settings.tantivy_from // 2 if was_large else self.settings.tantivy_from
        return "tantivy" if chunks >= bound else "bm25plus"

    def _empty(self, words: LexicalIndex) -> LocalIndex:
        return LocalIndex(generation=-1, model=self.model, dimension=self.dimension, parts=(), words=words)

    def _from(self, reader: Reader, base: LocalIndex, folder: Path) -> LocalIndex:
        stamps = {row.version_id: row.stamp for row in reader.current_versions()}
        gone = {version_id for version_id, stamp in base.versions.items() if stamps.get(version_id) != stamp}
        came = [version_id for version_id in stamps if version_id in gone or version_id not in base.versions]
        draft = Draft(dimension=self.dimension)
        if not came and not gone and base.generation >= 0:
            return base.at(reader.generation())
        # The words first: the draft fills while they are drawn.
        words = base.words.changed(gone, self._read(reader, came, stamps, draft), folder)
        segment = draft.segment(self.settings.hnsw_from)
        parts = [_without(part, gone) for part in base.parts]
        if len(segment):
            parts.append(Part(segment=segment, live=np.ones(len(segment.version_ids), dtype=np.bool_)))
        return LocalIndex(
            generation=reader.generation(),
            model=self.model,
            dimension=self.dimension,
            parts=settled(parts, self.settings.hnsw_from),
            words=words,
        )

    def _read(
        self, reader: Reader, version_ids: Iterable[str], stamps: Mapping[str, str], draft: Draft
    ) -> Iterator[Entry]:
        """The words of the chunks of the versions; their vectors are added to ``draft`` on the way."""
        stored = reader.chunks_of_versions(version_ids)
        while chunks := tuple(islice(stored, _CHUNKS_AT_ONCE)):
            draft.add(chunks, stamps, reader.vectors((chunk.embed_hash for chunk in chunks), self.model))
            for chunk in chunks:
                yield Entry(chunk.id, chunk.version_id, analyze(chunk.embed_text))


def _without(part: Part, gone: set[str]) -> Part:
    named = (version_id in gone for version_id, _ in part.segment.versions)
    return Part(
        segment=part.segment, live=part.live & ~np.fromiter(named, dtype=np.bool_, count=len(part.live))
    )
