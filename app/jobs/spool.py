"""Files that wait to be added lie on disk with their order, so that a killed server goes on where it was."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from app.jobs.order import Order, order_of
from app.login.private_file import copy_private, write_private
from ingest.sources import Source

_ORDER: Final = "order.json"
_LOCK: Final = "lock"


class Spool:
    """A folder an order, with a lock that its server holds: others on the same base leave it alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._locks: dict[str, FileLock] = {}

    def put(self, order: Order, paths: Sequence[Path]) -> list[Source]:
        """Keep copies of the files, whose names the order has; their sources. Raises ``OSError``.

        The order comes last: what was cut short has none and is swept away.
        """
        folder = self._folder / order.id
        folder.mkdir(parents=True, mode=0o700)
        self._take(order.id)
        for number, path in enumerate(paths):
            copy_private(path, folder / str(number))
        write_private(folder / _ORDER, json.dumps(order.as_json(), ensure_ascii=False).encode())
        return self.sources(order)

    def sources(self, order: Order) -> list[Source]:
        """The files of an order, under the names they were given."""
        folder = self._folder / order.id
        return [Source(name=name, path=folder / str(number)) for number, name in enumerate(order.files)]

    def holds(self, order_id: str) -> bool:
        """Whether the order is here, whichever server works on it."""
        return (self._folder / order_id / _ORDER).is_file()

    def close(self, order_id: str) -> None:
        """Nobody is to take the order up again; its files stay while this server runs."""
        with contextlib.suppress(OSError):
            (self._folder / order_id / _ORDER).unlink(missing_ok=True)

    def drop(self, order_id: str) -> None:
        """Forget an order and its files."""
        # Before the lock goes: nobody finds an order that is done.
        self.close(order_id)
        if lock := self._locks.pop(order_id, None):
            lock.release()
        shutil.rmtree(self._folder / order_id, ignore_errors=True)

    def left_behind(self) -> Iterator[Order]:
        """The orders of servers that are gone, now held by this one; broken ones are swept away."""
        for folder in sorted(self._folder.glob("*/")):
            if folder.name in self._locks or not self._take(folder.name):
                continue
            try:
                yield order_of(json.loads((folder / _ORDER).read_text("utf-8")))
            except (OSError, ValueError, KeyError, TypeError):
                # Over, or cut short before all of it was here.
                self.drop(folder.name)

    def _take(self, order_id: str) -> bool:
        lock = FileLock(str(self._folder / order_id / _LOCK), blocking=False, thread_local=False)
        try:
            lock.acquire()
        except (Timeout, OSError):
            return False
        self._locks[order_id] = lock
        return True
