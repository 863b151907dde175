"""The truth: one transactional database and the original files beside it."""

from core.store.database import Store
from core.store.reader import Reader
from core.store.records import ChunkRow, DocumentRow, PreparedDocument, StoredVersion
from core.store.writer import Writer

__all__ = ["ChunkRow", "DocumentRow", "PreparedDocument", "Reader", "Store", "StoredVersion", "Writer"]
