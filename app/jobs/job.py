"""One order being carried out: which file is at which stage, what came of the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from app.jobs.order import Order
from app.jobs.pace import Pace
from core.errors import PasswordNeededError, WrongPasswordError, YoujuError
from core.store.waiting import Holder
from ingest.pipeline import Ingest
from ingest.report import FileResult, Outcome, Progress, Stage
from ingest.sources import Source
from ingest.workspace import Workspace

TRIES: Final = 3
_LOCKED: Final = (PasswordNeededError, WrongPasswordError)


class Phase(StrEnum):
    """Where an order is."""

    QUEUED = "queued"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNow:
    """A file as it is now: ``stage`` is ``None`` while it waits; ``left_s`` while nobody knows.

    ``locked``: a password is asked for, after ``tries`` wrong ones.
    """

    name: str
    stage: Stage | None = None
    done: int = 0
    total: int = 0
    left_s: float | None = None
    result: FileResult | None = None
    locked: bool = False
    tries: int = 0


@dataclass(slots=True)
class _File:
    now: FileNow
    pace: Pace = field(default_factory=Pace)


class Job:
    """Carries out an order in whatever thread calls ``run``; all else may be asked from any thread."""

    def __init__(self, order: Order, sources: Sequence[Source], clock: Callable[[], float] = time.monotonic):
        self.order = order
        self.phase = Phase.QUEUED
        self.waits_for: Holder | None = None
        # The knowledge base that the user then had it kept in, and a question that a locked file may answer.
        self.kept = ""
        self.question = ""
        # What went wrong with the whole order, not with one file.
        self.error: YoujuError | None = None
        self._given = tuple(sources)
        self._todo = self._given
        self._opening = ""
        self._files = {source.name: _File(FileNow(name=source.name)) for source in sources}
        self._clock = clock
        self._lock = threading.RLock()
        self._cancelled = threading.Event()

    @property
    def is_over(self) -> bool:
        return self.phase in (Phase.ENDED, Phase.CANCELLED)

    @property
    def results(self) -> list[FileResult]:
        with self._lock:
            return [file.now.result for file in self._files.values() if file.now.result]

    @property
    def is_usable(self) -> bool:
        """Whether at least one file can be asked about."""
        return any(result.outcome is not Outcome.REFUSED for result in self.results)

    @property
    def is_locked(self) -> bool:
        """Whether a password may still open one of the files."""
        return any(file.locked for file in self.files())

    def files(self) -> list[FileNow]:
        """All files, those found inside archives behind them; an archive that gave its files is none of them."""
        now_s = self._clock()
        with self._lock:
            return [
                replace(file.now, left_s=file.pace.left_s(now_s, file.now.total))
                for file in self._files.values()
                if file.now.result or not self._gave_files(file.now.name)
            ]

    def cancel(self) -> None:
        """End it at the next step; what is finished stays. One that waits ends at once."""
        self._cancelled.set()
        with self._lock:
            if self.phase is Phase.QUEUED:
                self.phase = Phase.CANCELLED

    def give_up(self) -> None:
        """End it as it is: nobody can carry it out."""
        with self._lock:
            if not self.is_over:
                self.phase = Phase.ENDED

    def run(self, workspace: Workspace) -> None:
        """Add the files. Whatever stops it as a whole is its ``error``."""
        with self._lock:
            if self.phase is not Phase.QUEUED:
                return
            self.phase = Phase.RUNNING
        is_cut = False
        try:
            is_cut = self._add(workspace)
        except YoujuError as exc:
            self.error = exc
        finally:
            with self._lock:
                self.phase = Phase.CANCELLED if is_cut else Phase.ENDED

    def open_with(self, name: str, password: str) -> bool:
        """Have a locked file tried again with that password, by the next ``run``; whether there is such a file.

        The password is kept no longer than until then.
        """
        with self._lock:
            file = self._files.get(name)
            if file is None or not file.now.locked or not self.is_over:
                return False
            self._todo = tuple(
                replace(source, password=password)
                for source in self._given
                if source.name == name or name.startswith(f"{source.name}/")
            )
            self._opening = name
            file.now = FileNow(name=name, tries=file.now.tries)
            self._cancelled.clear()
            self.phase = Phase.QUEUED
            return True

    def leave_locked(self, name: str) -> None:
        """Ask no more for that file's password."""
        with self._lock:
            if (file := self._files.get(name)) is not None:
                file.now = replace(file.now, locked=False)

    def _add(self, workspace: Workspace) -> bool:
        """Whether it was cancelled before all was done."""
        order, sources = self.order, self._todo
        # No password is kept.
        self._todo = ()
        ingest = Ingest(
            workspace.cutting_by(order.strategy),
            on_progress=self._progressed,
            on_result=self._finished,
            on_wait=self._waits,
            cancelled=self._cancelled.is_set,
        )
        report = ingest.add_sources(sources, order.collection, owner=order.owner, visibility=order.visibility)
        return report.cancelled

    def _progressed(self, progress: Progress) -> None:
        with self._lock:
            self.waits_for = None
            file = self._files.setdefault(progress.name, _File(FileNow(name=progress.name)))
            if file.now.result is not None:
                # Opened once more for another file of the same archive.
                return
            if file.now.stage is not progress.stage:
                file.pace = Pace()
            file.pace.note(self._clock(), progress.done)
            file.now = replace(file.now, stage=progress.stage, done=progress.done, total=progress.total)

    def _finished(self, result: FileResult) -> None:
        with self._lock:
            self.waits_for = None
            file = self._files.setdefault(result.name, _File(FileNow(name=result.name)))
            before = file.now.result
            if before is not None and before.outcome is not Outcome.REFUSED:
                return
            was_tried = isinstance(result.error, WrongPasswordError) and result.name == self._opening
            tries = file.now.tries + was_tried
            locked = isinstance(result.error, _LOCKED) and tries < TRIES
            file.now = FileNow(name=result.name, result=result, locked=locked, tries=tries)

    def _waits(self, holder: Holder) -> None:
        self.waits_for = holder

    def _gave_files(self, name: str) -> bool:
        return any(other.startswith(f"{name}/") for other in self._files)
