"""The truth: one transactional database and the original files beside it."""

from core.store.database import Store
from core.store.reader import Reader
from core.store.records import (
    ChunkRow,
    CollectionRow,
    CurrentVersion,
    DocumentRow,
    PreparedDocument,
    SentenceVectors,
    StoredVersion,
)
from core.store.writer import Writer

__all__ = [
    "ChunkRow",
    "CollectionRow",
    "CurrentVersion",
    "DocumentRow",
    "PreparedDocument",
    "Reader",
    "SentenceVectors",
    "Store",
    "StoredVersion",
    "Writer",
]
