"""Bringing the rows on the server to what the store holds."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.store import Reader
from ingest.indexes.milvus import layout
from ingest.indexes.milvus.layout import Names
from ingest.indexes.milvus.ledger import Entries, Entry, Head, Ledger
from ingest.indexes.milvus.points import points_of
from ingest.indexes.milvus.server import Server
from ingest.indexes.milvus.view import View, digest_of, key_of, listed

_LOG = logging.getLogger(__name__)
# So many new chunks at once are worth the seconds that it takes.
_SETTLE_FROM: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a reader finds on the server: ``size`` chunks in some of the ``languages``.

    ``current``: nothing is there but what the reader has, and what is known to be gone, since ``gone``
    (seconds since 1970) at the earliest.
    """

    view: View
    size: int
    languages: tuple[str, ...]
    current: bool
    gone: int | None

    def untidy_at(self, grace_s: float) -> float:
        """When to synchronise again although nothing is missing."""
        if not self.current:
            return 0.0
        return float("inf") if self.gone is None else self.gone + grace_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Collections:
    """The collections of one knowledge base and model. ``model`` made the vectors."""

    server: Server
    names: Names
    model: str
    dimension: int

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.server, self.names.ledger)

    def state(self, reader: Reader) -> State | None:
        """What the reader may find by the ledger, or ``None`` when not all of it is there."""
        keys = keys_of(reader)
        own, head = set(keys.values()), self.ledger.head()
        # What was live at the last synchronisation is known by its digest; mostly only the rest is read.
        current = head.contents == digest_of(own)
        entries = self.ledger.entries(head, with_live=not current)
        there = {key for key, entry in entries.items() if entry.complete}
        if own & (entries.keys() - there) or not (current or own <= there):
            return None
        retired = [entry.gone for entry in entries.values() if not entry.live]
        return State(
            view=View(seq=head.seq, keys=keys, hidden=frozenset(entries.keys() - own)),
            size=reader.count("chunks"),
            languages=head.languages,
            current=current,
            gone=min(retired, default=None),
        )

    def hold(self, state: State) -> bool:
        """Whether as many chunks are there as there must be."""
        where = state.view.filter()
        return (0 if where is None else self.server.count(self.names.chunks, where)) == state.size

    def synchronise(self, latest: Reader, reader: Reader, grace_s: float) -> None:
        """Add what is missing, retire what is gone, delete what is gone for ``grace_s`` seconds.

        Only under the writers' lock, ``latest`` opened under it; ``reader`` may be on an older generation.
        After a crash at any place the next call finishes the work.
        """
        ledger, head = self.ledger, self.ledger.head()
        self._drop_unfinished(ledger, head)
        live = frozenset(keys_of(latest).values())
        wanted = live | set(keys_of(reader).values())
        entries = _settled(ledger, ledger.entries(head), live)
        expired = {
            k: e for k, e in entries.items() if e.expired(grace_s) and (k not in wanted or not e.complete)
        }
        self._delete(ledger, expired)
        there = set(entries) - set(expired)
        languages = set(head.languages)
        for source in (latest, reader):
            missing = {version: key for version, key in keys_of(source).items() if key not in there}
            languages |= self._write(source, missing, head.seq + 1)
            ledger.add(missing.values(), head.seq + 1, live)
            there |= set(missing.values())
        ledger.finish(head.seq + 1, live, languages)
        layout.drop(self.server, layout.former(self.server, self.names))

    def ready(self) -> bool:
        """Whether the collections are there."""
        return layout.ready(self.server, self.names)

    def create(self) -> None:
        """Make the collections anew, empty. Only under the writers' lock."""
        layout.create(self.server, self.names, self.dimension)

    def _drop_unfinished(self, ledger: Ledger, head: Head) -> None:
        for name in (self.names.chunks, self.names.parents):
            self.server.delete(name, f"seq > {head.seq}")
        ledger.drop_unfinished(head)

    def _delete(self, ledger: Ledger, entries: Entries) -> None:
        """Noted before and after, so that rows half deleted are never taken for whole ones."""
        if not entries:
            return
        ledger.doom(entries)
        for name in (self.names.chunks, self.names.parents):
            self.server.delete(name, f"version in {listed(entries)}")
        ledger.remove(entries)

    def _write(self, reader: Reader, keys: Mapping[str, str], seq: int) -> frozenset[str]:
        """Write the rows of versions; returns their languages."""
        languages: set[str] = set()
        written = 0
        for points in points_of(reader, keys, self.model, seq):
            self.server.put(self.names.chunks, points.chunks)
            self.server.put(self.names.parents, points.parents)
            languages |= points.languages
            written += len(points.chunks)
        if written >= _SETTLE_FROM:
            self.server.settle(self.names.chunks)
            self.server.settle(self.names.parents)
        _LOG.info("wrote %d chunks of %d documents to %s", written, len(keys), self.server.address)
        return frozenset(languages)


def keys_of(reader: Reader) -> dict[str, str]:
    """The names of the rows of all current versions, by version id."""
    return {version.version_id: key_of(version) for version in reader.current_versions()}


def _settled(ledger: Ledger, entries: Entries, live: frozenset[str]) -> dict[str, Entry]:
    """The entries once it is noted which versions the store has no more, and which it has again."""
    gone = ledger.retire({k: e for k, e in entries.items() if e.live and k not in live})
    back = ledger.revive({k: e for k, e in entries.items() if e.complete and not e.live and k in live})
    return {**entries, **gone, **back}
