"""Adding files: one after the other, each visible in full or not at all."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.chat.usage import counted
from core.errors import (
    CancelledError,
    DocumentError,
    DocumentTooLargeError,
    MissingExtraError,
    PasswordNeededError,
    WrongPasswordError,
    YoujuError,
)
from core.hashing import sha256, stable_id
from core.reading import Reading
from core.scope import Visibility
from core.store import PreparedDocument
from core.store.waiting import OnWait
from ingest.archives import Refused, Used, contents, holds_files
from ingest.embedding import Embedding, Made
from ingest.focus import make_focus
from ingest.isolation import Worker
from ingest.originals import keep_original
from ingest.parsers.detect import Route, route_of
from ingest.place import Place, known
from ingest.prepare import Clock, Prepared, RoutedParser, fingerprint_of, make_splitter, prepare
from ingest.report import FileResult, IngestReport, Outcome, Progress, Stage
from ingest.sources import Source, sources_of
from ingest.workspace import Workspace

_LOG = logging.getLogger(__name__)

OnProgress = Callable[[Progress], None]
OnResult = Callable[[FileResult], None]
OnPassword = Callable[[str], str]
Cancelled = Callable[[], bool]

_PASSWORD_TRIES = 10


class Ingest:
    """Adds files to one knowledge base. ``on_result`` is called when a file's outcome is durable.

    ``on_password`` is asked for the password of a file that does not open, by its name; "" gives it up.
    ``on_wait`` is told when another writer has to be waited for; without it, whom the workspace tells.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        on_progress: OnProgress = lambda progress: None,
        on_result: OnResult = lambda result: None,
        on_password: OnPassword = lambda name: "",
        on_wait: OnWait | None = None,
        cancelled: Cancelled = lambda: False,
    ) -> None:
        self._settings = workspace.settings
        self._store = workspace.store
        self._embedder = workspace.embedder
        self._indexes = workspace.indexes
        options = workspace.settings.embedding
        self._embedding = Embedding(
            workspace.embedder,
            size=options.batch_size * options.concurrency,
            with_sentences=options.sentences,
        )
        self._splitter = make_splitter(workspace)
        self._focus = make_focus(workspace.settings)
        self._on_progress = on_progress
        self._on_result = on_result
        self._on_password = on_password
        self._on_wait = on_wait
        self._cancelled = cancelled
        self._place = Place(collection="")
        self._file, self._files, self._used = 0, 0, Used()
        self._told: Progress | None = None
        self._worker = Worker()
        self._report = IngestReport()

    def add(
        self,
        paths: Sequence[Path],
        collection: str,
        *,
        owner: str | None = None,
        visibility: Visibility | None = None,
    ) -> IngestReport:
        """Add files and folders; a file that cannot be taken is reported and the next one is tried.

        ``owner`` and ``visibility`` as in ``Place``.

        Raises ``FileMissingError`` before anything is stored when a path does not exist.
        """
        return self.add_sources(sources_of(paths), collection, owner=owner, visibility=visibility)

    def add_sources(
        self,
        sources: Sequence[Source],
        collection: str,
        *,
        owner: str | None = None,
        visibility: Visibility | None = None,
    ) -> IngestReport:
        """As ``add``, for files whose names were chosen by the caller.

        The files inside an archive, and those attached to a mail, are files like any other, with names
        like "archive.zip/folder/file.pdf"; an archive itself has a result only when it cannot be opened.
        """
        self._report = report = IngestReport()
        self._place = Place(collection=collection, owner=owner, visibility=visibility)
        self._file, self._files = 0, len(sources)
        try:
            with self._worker:
                for source in sources:
                    self._used = Used()
                    self._take(source)
        except CancelledError:
            report.cancelled = True
        self.refresh_indexes()
        return report

    def refresh_indexes(self) -> None:
        """Bring the search indexes to the store's generation."""
        started = time.perf_counter()
        with self._store.read() as reader:
            self._indexes.at(reader)
        self._clock(Stage.INDEX, time.perf_counter() - started)

    def _take(self, source: Source) -> None:
        """Add a file and what lies in it; whatever is wrong with it is its result."""
        self._file += 1
        for tries_left in reversed(range(_PASSWORD_TRIES)):
            try:
                self._open(source)
            except (PasswordNeededError, WrongPasswordError) as exc:
                if tries_left and (password := self._on_password(source.name)):
                    source = replace(source, password=password)
                    continue
                self._refuse(source.name, exc)
            except (DocumentError, MissingExtraError) as exc:
                self._refuse(source.name, exc)
            return

    def _open(self, source: Source) -> None:
        self._tell(source.name, Stage.PARSE, 0, 1)
        data = self._read(source)
        route = route_of(source.name, data, source.password)
        if route.is_archive:
            self._take_contents(source, data, route)
        else:
            self._done(self._add_one(source, data, route))

    def _take_contents(self, source: Source, data: bytes, route: Route) -> None:
        with TemporaryDirectory(prefix="youju-") as folder:
            reading = self._reading(source)
            found = contents(source, data, route, reading, self._worker, Path(folder), self._used)
            self._files += len(found)
            for entry in found:
                if isinstance(entry, Refused):
                    self._file += 1
                    self._refuse(entry.name, entry.error)
                else:
                    self._take(entry)

    def _take_attached(self, source: Source, data: bytes, route: Route) -> None:
        """Before the document itself: once that is stored, it is not opened again."""
        try:
            self._take_contents(source, data, route)
        except DocumentError as exc:
            self._refuse(f"{source.name}/*", exc)

    def _refuse(self, name: str, error: YoujuError) -> None:
        self._done(FileResult(name=name, outcome=Outcome.REFUSED, error=error))

    def _done(self, result: FileResult) -> None:
        self._report.files.append(result)
        self._on_result(result)

    def _reading(self, source: Source) -> Reading:
        return Reading(
            settings=self._settings.parsing,
            password=source.password,
            on_page=lambda done, total: self._tell(source.name, Stage.PARSE, done, total),
        )

    def _add_one(self, source: Source, data: bytes, route: Route) -> FileResult:
        digest = sha256(data)
        parser = RoutedParser(route, source.name, len(data), self._worker)
        fingerprint = fingerprint_of(
            parser, self._splitter, self._focus, self._settings, self._embedder.fingerprint
        )
        place = self._place
        if done := known(self._store, place, source.name, digest, fingerprint):
            keep_original(self._store, digest, data)
            return done
        version_id = stable_id("version", place.collection, source.name, digest, fingerprint)
        with counted() as calls:
            prepared = prepare(
                data, source.name, version_id, parser, self._splitter, self._focus, self._settings,
                self._embedder, self._clock_of(source.name), self._reading(source),
            )  # fmt: skip
        self._report.chat_calls += calls
        if holds_files(route):
            self._take_attached(source, data, route)
        made = self._embed(source.name, prepared)
        self._tell(source.name, Stage.SAVE, 0, 1)
        started = time.perf_counter()
        with self._store.write(on_wait=self._on_wait) as writer:
            number = writer.put(
                PreparedDocument(
                    collection=place.collection,
                    name=source.name,
                    source_sha256=digest,
                    source_bytes=len(data),
                    fingerprint=fingerprint,
                    version_id=version_id,
                    document=prepared.document,
                    chunks=prepared.chunks,
                    parents=prepared.parents,
                    model=self._embedder.fingerprint,
                    vectors=made.vectors,
                    sentence_vectors=made.sentences,
                    owner=place.owner,
                    visibility=place.visibility,
                )
            )
            # Under the lock: deleting the last document with these bytes must not come in between.
            self._store.blobs.put(data)
        self._clock(Stage.SAVE, time.perf_counter() - started)
        return self._result(source.name, prepared, Outcome.REPLACED if number > 1 else Outcome.ADDED)

    def _read(self, source: Source) -> bytes:
        limit = self._settings.limits.max_file_mb
        try:
            size = source.path.stat().st_size
            if size > limit * 1_000_000:
                raise DocumentTooLargeError(name=source.name, size_mb=round(size / 1e6), limit_mb=limit)
            return source.path.read_bytes()
        except OSError as exc:
            raise DocumentError(name=source.name, reason=exc.strerror or "?") from exc

    def _embed(self, name: str, prepared: Prepared) -> Made:
        """The vectors of every distinct text; only those that the store has none for are made.

        The stored ones are given along: their last document may be removed before this one is stored.
        """
        started = time.perf_counter()
        made = self._embedding.of(
            prepared.chunks,
            prepared.document.text,
            self._store,
            lambda done, total: self._tell(name, Stage.EMBED, done, total),
        )
        self._clock(Stage.EMBED, time.perf_counter() - started)
        self._report.embedded_texts += made.texts
        self._report.embedded_tokens += made.tokens
        return made

    def _result(self, name: str, prepared: Prepared, outcome: Outcome) -> FileResult:
        return FileResult(
            name=name,
            outcome=outcome,
            chunks=len(prepared.chunks),
            pages=prepared.document.page_count,
            characters=len(prepared.document.text),
            notices=prepared.document.notices,
        )

    def _tell(self, name: str, stage: Stage, done: int, total: int) -> None:
        if self._cancelled():
            raise CancelledError
        progress = Progress(
            name=name, stage=stage, done=done, total=total, file=self._file, files=self._files
        )
        # A parser that takes its time says the same again, only so that it can be stopped.
        if progress != self._told:
            self._told = progress
            self._on_progress(progress)

    def _clock_of(self, name: str) -> Clock:
        """What is told how long the stages of that file took; after the parser comes the splitter."""

        def clock(stage: Stage, seconds: float) -> None:
            self._clock(stage, seconds)
            if stage is Stage.PARSE:
                self._tell(name, Stage.CHUNK, 0, 1)

        return clock

    def _clock(self, stage: Stage, seconds: float) -> None:
        self._report.seconds[stage] += seconds
