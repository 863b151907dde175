"""Whether each document is whole: its versions, their texts and originals, and what stands over the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from core.errors import StoreDamagedError
from core.store import DocumentRow, Reader, Store
from core.store.history import VersionRow
from ingest.checks.problem import Problem, problem
from ingest.checks.structure import stored_structure, structure_problems


def document_problems(store: Store, reader: Reader, row: DocumentRow) -> Iterator[Problem]:
    """What is wrong with one document and its history."""
    where = f"{row.collection}/{row.name}"
    versions = reader.versions(row)
    for one in (
        *_of_history(row, versions),
        *_of_originals(store, versions),
        *(found for version in versions for found in _of_version(reader, version)),
    ):
        yield replace(one, where=where)


def _of_history(row: DocumentRow, versions: tuple[VersionRow, ...]) -> Iterator[Problem]:
    if versions[-1].id != row.version_id or versions[-1].number != row.version_number:
        yield problem("wrong_current")
    for before, after in pairwise(versions):
        if before.number == after.number:
            yield problem("same_number", number=after.number)


def _of_originals(store: Store, versions: tuple[VersionRow, ...]) -> Iterator[Problem]:
    for digest in dict.fromkeys(version.source_sha256 for version in versions):
        if not store.blobs.path(digest).exists():
            yield problem("original_missing", digest=digest[:12])
            continue
        try:
            store.blobs.get(digest)
        except StoreDamagedError:
            yield problem("original_changed", digest=digest[:12])


def _of_version(reader: Reader, version: VersionRow) -> Iterator[Problem]:
    if version.is_current:
        yield from current_problems(reader, version.id)
        return
    try:
        reader.version(version.id)
        reader.blocks(version.id)
    except StoreDamagedError as exc:
        yield problem("unreadable", reason=exc.details["reason"])


def current_problems(reader: Reader, version_id: str) -> Iterator[Problem]:
    """What does not fit together in a current version."""
    try:
        yield from structure_problems(stored_structure(reader, version_id))
    except StoreDamagedError as exc:
        yield problem("unreadable", reason=exc.details["reason"])
