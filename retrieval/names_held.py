"""The names of the stored documents, prepared once a generation, and which of them a search may see."""

from __future__ import annotations

import threading

from core.store import Reader
from core.store.records import NamedVersion
from ingest.indexes.search_index import Allowed
from retrieval.query.names import DocumentName, NameBook
from retrieval.query.understand import understand
from retrieval.query.understood import Understood


class NamesHeld:
    """Shared by the threads of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: tuple[int, tuple[NamedVersion, ...], NameBook] | None = None

    def understood(self, question: str, reader: Reader, allowed: Allowed) -> tuple[Understood, Allowed]:
        """What the question asks for, and what of ``allowed`` a search may be held to by the names in it.

        Documents that may not be seen are not recognised, so that no name tells of them.
        """
        rows, book = self._at(reader)
        seen = None if allowed is None else frozenset(allowed)
        visible = None if seen is None else {row.document_id for row in rows if row.version_id in seen}
        found = understand(question, book, visible)
        if not found.documents:
            return found, allowed
        named = set(found.documents)
        return found, frozenset(
            row.version_id
            for row in rows
            if row.document_id in named and (seen is None or row.version_id in seen)
        )

    def _at(self, reader: Reader) -> tuple[tuple[NamedVersion, ...], NameBook]:
        generation = reader.generation()
        with self._lock:
            if self._held is None or self._held[0] != generation:
                rows = reader.document_names()
                names = [
                    DocumentName(document_id=row.document_id, name=row.name, title=row.title) for row in rows
                ]
                self._held = (generation, rows, NameBook(names))
            return self._held[1], self._held[2]
