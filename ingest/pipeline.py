"""Adding files: one after the other, each visible in full or not at all."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import CancelledError, DocumentError, DocumentTooLargeError
from core.hashing import sha256, stable_id
from core.protocols import Vectors
from core.reading import Reading
from core.store import PreparedDocument
from core.store.writer import embed_hash_of
from ingest.prepare import Prepared, fingerprint_of, make_parser, make_splitter, prepare
from ingest.report import FileResult, IngestReport, Outcome, Progress, Stage, notice_text
from ingest.sources import Source, sources_of
from ingest.workspace import Workspace

_LOG = logging.getLogger(__name__)

OnProgress = Callable[[Progress], None]
OnResult = Callable[[FileResult], None]
Cancelled = Callable[[], bool]


class Ingest:
    """Adds files to one knowledge base. ``on_result`` is called when a file's outcome is durable."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        on_progress: OnProgress = lambda progress: None,
        on_result: OnResult = lambda result: None,
        cancelled: Cancelled = lambda: False,
    ) -> None:
        self._settings = workspace.settings
        self._store = workspace.store
        self._embedder = workspace.embedder
        self._indexes = workspace.indexes
        self._splitter = make_splitter(workspace.settings)
        self._on_progress = on_progress
        self._on_result = on_result
        self._cancelled = cancelled
        self._position = (0, 0)
        self._report = IngestReport()

    def add(self, paths: Sequence[Path], collection: str) -> IngestReport:
        """Add files and folders; a file that cannot be taken is reported and the next one is tried.

        Raises ``FileMissingError`` before anything is stored when a path does not exist.
        """
        return self.add_sources(sources_of(paths), collection)

    def add_sources(self, sources: Sequence[Source], collection: str) -> IngestReport:
        """As ``add``, for files whose names were chosen by the caller."""
        self._report = report = IngestReport()
        for number, source in enumerate(sources, start=1):
            self._position = (number, len(sources))
            try:
                result = self._add_one(source, collection)
            except CancelledError:
                report.cancelled = True
                break
            except DocumentError as exc:
                result = FileResult(name=source.name, outcome=Outcome.REFUSED, error=exc)
            report.files.append(result)
            self._on_result(result)
        self.refresh_indexes()
        return report

    def refresh_indexes(self) -> None:
        """Bring the search indexes to the store's generation."""
        started = time.perf_counter()
        with self._store.read() as reader:
            self._indexes.at(reader)
        self._clock(Stage.INDEX, time.perf_counter() - started)

    def _add_one(self, source: Source, collection: str) -> FileResult:
        self._tell(source.name, Stage.PARSE, 0, 1)
        data = self._read(source)
        digest = sha256(data)
        parser = make_parser(source.name, data)
        fingerprint = fingerprint_of(parser, self._splitter, self._settings, self._embedder.fingerprint)
        known = self._known(source.name, collection, digest, fingerprint)
        if known is not None:
            return known
        version_id = stable_id("version", collection, source.name, digest, fingerprint)
        reading = Reading(
            settings=self._settings.parsing,
            on_page=lambda done, total: self._tell(source.name, Stage.PARSE, done, total),
        )
        prepared = prepare(
            data, source.name, version_id, parser, self._splitter, self._settings, self._embedder,
            self._clock, reading,
        )  # fmt: skip
        vectors = self._embed(source.name, prepared)
        self._tell(source.name, Stage.SAVE, 0, 1)
        started = time.perf_counter()
        with self._store.write() as writer:
            # Under the lock: deleting the last document with these bytes must not come in between.
            self._store.blobs.put(data)
            number = writer.put(
                PreparedDocument(
                    collection=collection,
                    name=source.name,
                    source_sha256=digest,
                    source_bytes=len(data),
                    fingerprint=fingerprint,
                    version_id=version_id,
                    document=prepared.document,
                    chunks=prepared.chunks,
                    parents=prepared.parents,
                    model=self._embedder.fingerprint,
                    vectors=vectors,
                )
            )
        self._clock(Stage.SAVE, time.perf_counter() - started)
        return self._result(source.name, prepared, Outcome.REPLACED if number > 1 else Outcome.ADDED)

    def _read(self, source: Source) -> bytes:
        limit = self._settings.limits.max_file_mb
        size = source.path.stat().st_size
        if size > limit * 1_000_000:
            raise DocumentTooLargeError(name=source.name, size_mb=round(size / 1e6), limit_mb=limit)
        try:
            return source.path.read_bytes()
        except OSError as exc:
            raise DocumentError(name=source.name, reason=exc.strerror or "?") from exc

    def _known(self, name: str, collection: str, digest: str, fingerprint: str) -> FileResult | None:
        """The outcome when nothing has to be done: the same file again, or its twin under another name."""
        with self._store.read() as reader:
            stored = reader.find(name, collection)
            if stored and (stored.source_sha256, stored.fingerprint) == (digest, fingerprint):
                return FileResult(
                    name=name, outcome=Outcome.UNCHANGED, chunks=stored.chunk_count, pages=stored.page_count
                )
            twins = [twin for twin in reader.same_source(collection, digest) if twin != name]
        if twins and stored is None:
            return FileResult(name=name, outcome=Outcome.DUPLICATE, same_as=twins[0])
        return None

    def _embed(self, name: str, prepared: Prepared) -> dict[str, Vectors]:
        """Vectors by hash for every distinct text that the store has none for."""
        texts = {embed_hash_of(chunk.embed_text): chunk for chunk in prepared.chunks}
        with self._store.read() as reader:
            stored = reader.vectors(texts, self._embedder.fingerprint)
        # Texts of like length together: a batch costs as much as its longest text.
        missing = sorted((key for key in texts if key not in stored), key=lambda key: texts[key].token_count)
        vectors: dict[str, Vectors] = {}
        size = self._settings.embedding.batch_size
        for start in range(0, len(missing), size):
            self._tell(name, Stage.EMBED, start, len(missing))
            batch = missing[start : start + size]
            started = time.perf_counter()
            made = self._embedder.passages([texts[key].embed_text for key in batch])
            self._clock(Stage.EMBED, time.perf_counter() - started)
            vectors.update(zip(batch, made, strict=True))
        self._report.embedded_texts += len(missing)
        self._report.embedded_tokens += sum(texts[key].token_count for key in missing)
        return vectors

    def _result(self, name: str, prepared: Prepared, outcome: Outcome) -> FileResult:
        language = self._settings.interface_language
        return FileResult(
            name=name,
            outcome=outcome,
            chunks=len(prepared.chunks),
            pages=prepared.document.page_count,
            characters=len(prepared.document.text),
            notices=tuple(notice_text(n.code, n.details, language) for n in prepared.document.notices),
        )

    def _tell(self, name: str, stage: Stage, done: int, total: int) -> None:
        if self._cancelled():
            raise CancelledError
        file, files = self._position
        self._on_progress(Progress(name=name, stage=stage, done=done, total=total, file=file, files=files))

    def _clock(self, stage: Stage, seconds: float) -> None:
        self._report.seconds[stage] += seconds
