"""The local index that fits a reader: from memory, else from disk, brought up to date from the store."""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.errors import ModelMismatchError, ModelSwitchedError, StoreBusyError, StoreError
from core.protocols import Embedder
from core.settings import Settings
from core.store import Reader, Store
from ingest.indexes import files
from ingest.indexes.local import LocalIndex
from ingest.indexes.refreshing import Refresh

_LOG = logging.getLogger(__name__)

_WAIT_FOR_WRITERS_S = 1.0


class LocalIndexes:
    """Shared by the threads of a process; each gets the index of its reader's generation.

    What is held or kept of another generation, be it older or newer, only saves work: the store says which
    versions there are, and an index that does not hold as many chunks as the store is made anew.
    """

    def __init__(self, settings: Settings, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._root = store.home / "index"
        self._refresh = Refresh(
            model=embedder.fingerprint, dimension=embedder.dimension, settings=settings.index
        )
        self._lock = threading.Lock()
        # The newest one, and the one before, which readers of that generation still ask for.
        self._held: tuple[LocalIndex, ...] = ()

    def at(self, reader: Reader) -> LocalIndex:
        """The index of the reader's generation.

        Raises what ``Refresh.run`` raises, ``StoreError`` when its files can be written nowhere, and
        ``ModelSwitchedError`` when another model took over while this program ran.
        """
        generation = reader.generation()
        if (found := self._held_at(generation)) is not None:
            return found
        with self._lock:
            # Another thread may have made it meanwhile.
            if (found := self._held_at(generation)) is not None:
                return found
            try:
                return self._hold(self._made(reader, self._bases(generation)))
            except ModelMismatchError as exc:
                if not self._held:
                    raise
                model = self._refresh.model
                raise ModelSwitchedError(stored=reader.embedding_model(), current=model) from exc

    def rebuild(self, reader: Reader) -> LocalIndex:
        """The index made anew from the store; what was held and kept is forgotten, unfinished files too."""
        with self._lock:
            self._held = ()
            with self._store.exclusive():
                shutil.rmtree(self._root, ignore_errors=True)
            return self._hold(self._made(reader, (None,)))

    def _bases(self, generation: int) -> Iterator[LocalIndex | None]:
        """What to start from, the next one when that does not work; ``None`` is nothing but the store.

        The files first when another process made them for this generation, else what is held. The files of
        what is held may be gone meanwhile.
        """
        held = self._held[0] if self._held else None
        if held is not None and files.current_generation(self._root) != generation:
            yield held
        if (kept := files.load(self._root, self._refresh.model, held)) is not None:
            yield kept
        yield None

    def _held_at(self, generation: int) -> LocalIndex | None:
        return next((index for index in self._held if index.generation == generation), None)

    def _hold(self, index: LocalIndex) -> LocalIndex:
        newest = sorted((*self._held, index), key=lambda held: -held.generation)
        self._held = tuple(newest[:2])
        return index

    def _made(self, reader: Reader, bases: Iterable[LocalIndex | None]) -> LocalIndex:
        """The index from the first base that works, its files under the home folder or, failing that, elsewhere."""
        reason = ""
        for base in bases:
            for folder in self._folders(reader.generation()):
                try:
                    index = self._refresh.run(reader, base, folder / files.WORDS)
                except OSError as exc:
                    reason = str(exc)
                    _LOG.warning("the index could not be written under %s: %s", folder, exc)
                    shutil.rmtree(folder, ignore_errors=True)
                else:
                    self._keep(index, base, folder)
                    return index
        raise StoreError(reason=f"the index could not be written: {reason}")

    def _folders(self, generation: int) -> Iterator[Path]:
        """Where the files may be put, the next one when that does not work."""
        yield files.new_folder(self._root, generation)
        yield Path(tempfile.mkdtemp(prefix="youju-index-"))

    def _keep(self, index: LocalIndex, base: LocalIndex | None, folder: Path) -> None:
        """Keep the files for the next start where that works, else for as long as the index lives."""
        if base is not None and index.words is base.words:
            return
        forget = base is None or not base.versions.items() <= index.versions.items()
        if folder.parent != self._root or not self._saved(index, folder, forget=forget):
            weakref.finalize(index.words, shutil.rmtree, folder, ignore_errors=True)

    def _saved(self, index: LocalIndex, folder: Path, *, forget: bool) -> bool:
        """Whether the files are the current ones now; without them the next start only takes longer."""
        try:
            with self._store.exclusive(timeout_s=_WAIT_FOR_WRITERS_S):
                if files.current_generation(self._root) > index.generation:
                    return False
                files.save(index, folder, forget=forget)
        except StoreBusyError:
            return False
        except OSError as exc:
            _LOG.warning("the index could not be kept: %s; the next start takes longer", exc)
            return False
        return True
