"""Proof that what is stored belongs together."""

from __future__ import annotations

from collections.abc import Iterator

from core.store import Reader, Store
from ingest.checks.documents import document_problems
from ingest.checks.problem import Problem, problem
from ingest.checks.structure import uncovered_characters as uncovered_characters
from ingest.checks.vectors import vector_problems
from ingest.indexes.search_index import SearchIndex
from ingest.originals import stray_files


def problems(store: Store) -> list[Problem]:
    """Every broken invariant of the store; empty when all hold.

    Looked at: rows of every table that belong to nothing; of every document one current version, the newest,
    and of every version its text and its original by hash; spans inside the text, every chunk inside its
    parent, neighbours that name each other, every visible character inside a chunk; a vector for every
    chunk, of one dimension and of length 1, and sentences inside their chunk.
    """
    with store.read() as reader:
        found = [problem("orphans", table=name, count=count) for name, count in reader.orphans().items()]
        for row in reader.documents():
            found += document_problems(store, reader, row)
        found += vector_problems(reader)
    return found


def leftovers(store: Store) -> Iterator[Problem]:
    """What a program that died has left behind: it breaks nothing, but nobody needs it."""
    if strays := stray_files(store):
        yield problem("stray_files", count=len(strays))


def index_problems(reader: Reader, index: SearchIndex) -> Iterator[Problem]:
    """Where a search index is not that of the reader's generation."""
    if index.generation != reader.generation():
        yield problem("index_stale", found=index.generation, expected=reader.generation())
    if len(index) != reader.count("chunks"):
        yield problem("index_rows", rows=len(index), chunks=reader.count("chunks"))
