"""What the list of documents shows, as plain data: pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from app.texts import text
from core.scope import is_ephemeral, kind_of
from core.store import DocumentRow
from core.store.history import VersionRow
from ingest.report import notice_text


def listed(row: DocumentRow, language: str, *, may_manage: bool) -> dict[str, object]:
    """One row of the list; the interface itself says what the user may do with it."""
    return {
        "id": row.id,
        "version": row.version_id,
        "name": row.name,
        "title": row.title if row.title not in (row.name, PurePosixPath(row.name).stem) else "",
        "kind": kind_of(row.name, row.media_type).upper()[:8],
        "place": place_of(row, language),
        "pages": row.page_count,
        "chunks": row.chunk_count,
        "number": row.version_number,
        "added": row.updated_at,
        "warnings": [notice_text(one.code, one.details, language) for one in row.notices],
        "manage": may_manage,
    }


def place_of(row: DocumentRow, language: str) -> str:
    """The collection's name; files of one chat lie in "this chat"."""
    return text("filter_this_chat", language) if is_ephemeral(row.collection) else row.collection


def listed_versions(versions: Sequence[VersionRow]) -> list[dict[str, object]]:
    """All versions of a document, the newest first, each with the number of the one before it (0: none)."""
    before = (0, *(row.number for row in versions))
    return [
        {
            "id": row.id,
            "number": row.number,
            "added": row.created_at,
            "bytes": row.source_bytes,
            "current": row.is_current,
            "before": number,
        }
        for row, number in reversed(list(zip(versions, before, strict=False)))
    ]
