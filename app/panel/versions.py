"""Which version of its document a passage is of, and whether there is a newer one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.texts import text
from core.answer import Passage
from core.store import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionNote:
    """``added`` is a date (ISO 8601); ``newest`` the number of the current version."""

    number: int
    added: str
    newest: int
    media_type: str

    def said(self, language: str) -> str:
        """ "version 2 · 2026-11-30"."""
        return text("version_added", language, number=self.number, added=self.added)

    def badge(self, language: str) -> str:
        """Empty for the only version there ever was."""
        if self.number != self.newest:
            return text("version_older", language, newest=self.newest)
        return text("version_newest", language) if self.number > 1 else ""


def version_notes(reader: Reader, passages: Iterable[Passage]) -> dict[str, VersionNote]:
    """By id of version, for those that are still stored. Raises ``StoreError``."""
    notes: dict[str, VersionNote] = {}
    for document_id in dict.fromkeys(passage.document_id for passage in passages):
        document = reader.find(document_id)
        for row in reader.versions(document) if document else ():
            notes[row.id] = VersionNote(
                number=row.number,
                added=row.created_at[:10],
                newest=document.version_number if document else row.number,
                media_type=row.media_type,
            )
    return notes
