"""Questions about collections, and about who may see which document."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import sqlalchemy as sa

from core.errors import StoreDamagedError, UnknownCollectionError
from core.period import days_of
from core.scope import Scope, Visibility, is_ephemeral
from core.store import schema
from core.store.records import CollectionRow, CurrentVersion
from core.store.rows import Rows

# More than these are read faster with the whole table than one by one.
_FEW: Final = 100


class Access(Rows):
    """Part of ``Reader``."""

    def collections(self) -> tuple[str, ...]:
        """Names of all collections, in order of name."""
        return tuple(row.name for row in self.collection_rows())

    def collection_rows(self) -> tuple[CollectionRow, ...]:
        """All collections with their members, in order of name."""
        return tuple(
            self._read(sa.select(schema.collections).order_by(schema.collections.c.name), _collection)
        )

    def require_collections(self, names: tuple[str, ...] | None) -> None:
        """Raises ``UnknownCollectionError`` when one of the names is not stored."""
        known = self.collections()
        for name in names or ():
            if name not in known:
                raise UnknownCollectionError(name=name, known=_listed(known))

    def require_open(self, collection: str, viewer: str | None) -> None:
        """Raises ``UnknownCollectionError`` when it is not stored, or not open to that user (``None``: operator)."""
        rows = self.collection_rows()
        scope = Scope(viewer=viewer)
        open_to_him = [row.name for row in rows if scope.admits("", Visibility.COLLECTION, row.members)]
        if collection not in open_to_him:
            raise UnknownCollectionError(name=collection, known=_listed(open_to_him))

    def current_versions(self) -> tuple[CurrentVersion, ...]:
        """The current version of every document, ordered by version id."""
        return tuple(self._read(_current().order_by(schema.documents.c.version_id), _current_version))

    def visible_versions(self, scope: Scope) -> frozenset[str] | None:
        """Ids of the current versions that ``scope`` may see; ``None`` when these are all that are stored.

        Raises ``UnknownCollectionError`` for a collection that is not there, or not for this viewer.
        """
        shown = self._shown(scope)
        if not scope.looks_inside:
            return shown
        wanted = self._wanted(scope, schema.documents.c.version_id == schema.versions.c.id)
        return wanted if shown is None else shown & wanted

    def _shown(self, scope: Scope) -> frozenset[str] | None:
        """As ``visible_versions``, by place and owner alone."""
        collections = {row.id: row for row in self.collection_rows()}
        if scope.is_whole and all(scope.names(row.name) for row in collections.values()):
            return None
        # Asked at every question: plain rows, and one answer for all documents of the same kind.
        d = schema.documents
        query = sa.select(d.c.version_id, d.c.id, d.c.collection_id, d.c.owner, d.c.visibility)
        stored = self._connection.execute(query).all()
        kinds = {row[2:] for row in stored}
        if not {kind[0] for kind in kinds} <= collections.keys():
            raise StoreDamagedError(reason="a document is in no collection")
        shown = {kind for kind in kinds if _shows(scope, collections[kind[0]], *kind[1:])}
        _require_named(scope, collections.values(), {collections[kind[0]].name for kind in shown})
        if scope.documents is not None:
            wanted = frozenset(scope.documents)
            return frozenset(row[0] for row in stored if row[2:] in shown and row[1] in wanted)
        return None if shown == kinds else frozenset(row[0] for row in stored if row[2:] in shown)

    def can_see(self, version_id: str, scope: Scope) -> bool:
        """Whether ``scope`` may see this version, be it the current one or an earlier one."""
        v, d, c = schema.versions, schema.documents, schema.collections
        query = (
            sa.select(c, d.c.id.label("document_id"), d.c.owner, d.c.visibility)
            .join(d, d.c.collection_id == c.c.id)
            .join(v, v.c.document_id == d.c.id)
            .where(v.c.id == version_id)
        )

        def shown(row: sa.Row[Any]) -> bool:
            wanted = scope.documents is None or row.document_id in scope.documents
            return wanted and _shows(scope, _collection(row), row.owner, row.visibility)

        return (self._first(query, shown) or False) and (
            not scope.looks_inside or version_id in self._wanted(scope, v.c.id == version_id)
        )

    def _wanted(self, scope: Scope, which: sa.ColumnElement[bool]) -> frozenset[str]:
        """Ids of those of ``which`` versions whose kind and dates ``scope`` asks for."""
        v, d = schema.versions, schema.documents
        query = sa.select(v.c.id, v.c.media_type, v.c.created_at, d.c.name)
        query = query.join(d, d.c.id == v.c.document_id).where(which)
        rows = [row for row in self._connection.execute(query) if scope.wants_kind(row.name, row.media_type)]
        if rows and not scope.period.is_endless:
            dates = self._dates([row.id for row in rows])
            rows = [row for row in rows if scope.wants_dates(dates.get(row.id, ()), row.created_at)]
        return frozenset(row.id for row in rows)

    def _dates(self, version_ids: Collection[str]) -> Mapping[str, set[str]]:
        """The dates that the chunks of these versions name; of others too where that is faster."""
        version_id, dates = schema.chunks.c.version_id, sa.cast(schema.chunks.c.dates, sa.Text).label("dates")
        query = sa.select(version_id, dates).where(dates != "[]").distinct()
        if len(version_ids) <= _FEW:
            query = query.where(version_id.in_(version_ids))
        found: dict[str, set[str]] = defaultdict(set)
        for owner, named in self._read(query, lambda row: (row.version_id, _parsed(row.dates))):
            found[owner].update(named)
        return found


_CURRENT = (
    schema.documents.c.version_id,
    schema.documents.c.id.label("document_id"),
    schema.collections.c.name.label("collection"),
    schema.documents.c.owner,
    schema.documents.c.visibility,
    schema.documents.c.version_number,
    schema.documents.c.updated_at,
)


def _current() -> sa.Select[Any]:
    d, c = schema.documents, schema.collections
    return sa.select(*_CURRENT).join(c, c.c.id == d.c.collection_id)


def _shows(scope: Scope, collection: CollectionRow, owner: str, visibility: str) -> bool:
    return scope.names(collection.name) and scope.admits(owner, visibility, collection.members)


def _require_named(scope: Scope, collections: Iterable[CollectionRow], shown: set[str]) -> None:
    """A collection that the viewer may not open, and that shows him nothing, is not there for him."""
    open_to_him = {row.name for row in collections if scope.admits("", Visibility.COLLECTION, row.members)}
    for name in scope.collections or ():
        if name not in open_to_him | shown:
            raise UnknownCollectionError(name=name, known=_listed(sorted(open_to_him | shown)))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(name for name in names if not is_ephemeral(name)) or "-"


def _collection(row: sa.Row[Any]) -> CollectionRow:
    return CollectionRow(id=row.id, name=row.name, members=tuple(row.members), created_at=row.created_at)


@lru_cache(maxsize=4096)
def _parsed(dates: str) -> tuple[str, ...]:
    """A stored list of dates, each of which is one."""
    return tuple(iso for iso in json.loads(dates) if days_of(iso))


def _current_version(row: sa.Row[Any]) -> CurrentVersion:
    return CurrentVersion(
        version_id=row.version_id,
        stamp=f"{row.version_number} {row.updated_at}",
        document_id=row.document_id,
        collection=row.collection,
        owner=row.owner,
        visibility=Visibility(row.visibility),
    )
