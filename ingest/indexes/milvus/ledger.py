"""Which versions lie on the server in full: one row a version, and one that says how far all of it goes."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ingest.indexes.milvus.server import Row, Server
from ingest.indexes.milvus.view import digest_of, listed

_HEAD: Final = "head"
_LIVE, _DYING = 0, -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The last synchronisation that was finished, from 1; 0 when there was none.

    ``contents`` is the ``digest_of`` the versions that were live then, ``languages`` those of all rows
    ever written.
    """

    seq: int = 0
    contents: str = ""
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A version whose rows were written by the synchronisation ``seq``.

    ``gone`` is 0 while the store has it, -1 when its rows may be half deleted, else the time since which
    the store has it no more (seconds since 1970); until then they are complete.
    """

    seq: int
    gone: int = _LIVE

    @property
    def live(self) -> bool:
        return self.gone == _LIVE

    @property
    def complete(self) -> bool:
        return self.gone != _DYING

    def expired(self, grace_s: float) -> bool:
        """Whether its rows may be deleted: no search that began when the store had it still runs."""
        return not self.live and (not self.complete or self.gone <= time.time() - grace_s)


Entries = Mapping[str, Entry]


class Ledger:
    """Reads and writes the ledger; written only under the writers' lock."""

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self._name = name

    def head(self) -> Head:
        """The last finished synchronisation."""
        rows = self._server.rows(self._name, f'id == "{_HEAD}"', ["seq", "note"])
        if not rows:
            return Head()
        note = json.loads(str(rows[0]["note"]))
        return Head(
            seq=_number(rows[0], "seq"), contents=note["contents"], languages=tuple(note["languages"])
        )

    def entries(self, head: Head, *, with_live: bool = True) -> dict[str, Entry]:
        """By key of the version, what the synchronisations up to ``head`` left on the server."""
        where = f'id != "{_HEAD}" and seq <= {head.seq}' + ("" if with_live else f" and gone != {_LIVE}")
        rows = self._server.rows(self._name, where, ["id", "seq", "gone"])
        return {str(row["id"]): Entry(seq=_number(row, "seq"), gone=_number(row, "gone")) for row in rows}

    def add(self, keys: Iterable[str], seq: int, live: Collection[str]) -> None:
        """Note versions whose rows are all written; they count once ``finish(seq)`` is done."""
        now = int(time.time())
        self._put({key: Entry(seq=seq, gone=_LIVE if key in live else now) for key in keys})

    def retire(self, entries: Entries) -> Entries:
        """Note that the store has these versions no more; returns what was noted."""
        return self._put({key: replace(entry, gone=int(time.time())) for key, entry in entries.items()})

    def revive(self, entries: Entries) -> Entries:
        """Note that the store has these versions again, as after a backup was played back."""
        return self._put({key: replace(entry, gone=_LIVE) for key, entry in entries.items()})

    def doom(self, entries: Entries) -> Entries:
        """Note that the rows of these versions are about to be deleted."""
        return self._put({key: replace(entry, gone=_DYING) for key, entry in entries.items()})

    def remove(self, keys: Collection[str]) -> None:
        """Forget versions whose rows are deleted."""
        self._server.delete(self._name, f"id in {listed(keys)}")

    def drop_unfinished(self, head: Head) -> None:
        """Forget what a synchronisation that broke off had noted."""
        self._server.delete(self._name, f"seq > {head.seq}")

    def finish(self, seq: int, live: Iterable[str], languages: Iterable[str]) -> Head:
        """Everything up to ``seq`` is written and counts from now on."""
        head = Head(seq=seq, contents=digest_of(live), languages=tuple(sorted(languages)))
        note = json.dumps({"contents": head.contents, "languages": head.languages})
        self._server.put(self._name, [_row(_HEAD, Entry(seq=seq), note)])
        return head

    def _put(self, entries: Entries) -> Entries:
        self._server.put(self._name, [_row(key, entry) for key, entry in entries.items()])
        return entries


def _row(key: str, entry: Entry, note: str = "") -> Row:
    return {"id": key, "note": note, "seq": entry.seq, "gone": entry.gone, "dense": [0.0, 0.0]}


def _number(row: Row, name: str) -> int:
    return int(str(row[name]))
