"""The versions of a document, each with what made it another one than the version before."""

from __future__ import annotations

from dataclasses import dataclass

from core.store import DocumentRow, Reader
from core.store.history import VersionRow
from ingest.versions.compare import compare
from ingest.versions.texts import word


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A version; ``removed`` and ``added`` count characters against the version before (0 for the first).

    ``bytes_changed`` tells another file, ``settings_changed`` another parser, splitter or model.
    ``same_as`` is the number of the latest earlier version with the same file and settings, 0 without one.
    """

    row: VersionRow
    characters: int
    removed: int
    added: int
    bytes_changed: bool
    settings_changed: bool
    same_as: int

    def cause_text(self, language: str) -> str:
        """In words: ``the file changed, 12 characters gone, 3 new``."""
        if not (self.bytes_changed or self.settings_changed):
            return word("first", language)
        causes = [word("new_bytes" if self.bytes_changed else "new_settings", language)]
        if self.same_as:
            causes.append(word("restored", language, number=self.same_as))
        if self.removed or self.added:
            causes.append(word("changed", language, removed=self.removed, added=self.added))
        else:
            causes.append(word("same_text", language))
        return "，".join(causes) if language == "zh" else ", ".join(causes)

    def as_json(self) -> dict[str, object]:
        """Plain data for ``--json``."""
        return {
            "version": self.row.number,
            "version_id": self.row.id,
            "current": self.row.is_current,
            "created_at": self.row.created_at,
            "title": self.row.title,
            "media_type": self.row.media_type,
            "bytes": self.row.source_bytes,
            "sha256": self.row.source_sha256,
            "characters": self.characters,
            "characters_removed": self.removed,
            "characters_added": self.added,
            "bytes_changed": self.bytes_changed,
            "settings_changed": self.settings_changed,
            "same_as_version": self.same_as or None,
        }


def history(reader: Reader, document: DocumentRow) -> tuple[Step, ...]:
    """The versions of a document, the oldest first. Two texts are held at a time."""
    steps: list[Step] = []
    before: VersionRow | None = None
    text = ""
    known: dict[tuple[str, str], int] = {}
    for row in reader.versions(document):
        earlier, text = text, reader.version(row.id).text
        made_from = (row.source_sha256, row.fingerprint)
        compared = compare(earlier, text) if before and earlier != text else None
        steps.append(
            Step(
                row=row,
                characters=len(text),
                removed=compared.removed if compared else 0,
                added=compared.added if compared else 0,
                bytes_changed=before is not None and before.source_sha256 != row.source_sha256,
                settings_changed=before is not None and before.fingerprint != row.fingerprint,
                same_as=known.get(made_from, 0),
            )
        )
        known[made_from] = row.number
        before = row
    return tuple(steps)
