"""The truth: one transactional database and the original files beside it."""

from core.store.answers import AnswerRow, AnswerWriter
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
    "AnswerRow",
    "AnswerWriter",
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
