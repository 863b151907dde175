"""The words on pictures inside slides and sheets: each picture read once, the unread ones reported."""

from __future__ import annotations

from core.errors import OcrUnavailableError
from core.hashing import sha256
from core.settings import ParsingSettings
from ingest.parsers.builder import DocumentBuilder

# Below this the engine saw patterns, not words.
_LEAST_CONFIDENCE = 0.5


class PictureReader:
    """Reads pictures as the settings say, and counts what it read and what it could not."""

    def __init__(self, settings: ParsingSettings) -> None:
        self._is_on = settings.ocr == "auto"
        self._seen: set[str] = set()
        self._read = 0
        self._unread: list[str] = []

    def text(self, data: bytes, place: str) -> str:
        """The words on a picture; nothing for one without words, read before or not readable.

        ``place`` is what the notice about unread pictures calls its slide or sheet.
        """
        digest = sha256(data)
        if not self._is_on or digest in self._seen:
            return ""
        self._seen.add(digest)
        # Imported here: it loads the recognition models, which few files need.
        from ingest.parsers.ocr.reader import read_image

        try:
            image = read_image(data)
        except (OcrUnavailableError, ValueError):
            self._unread.append(place)
            return ""
        if not image.text.strip() or image.confidence < _LEAST_CONFIDENCE:
            return ""
        self._read += 1
        return image.text

    def report(self, builder: DocumentBuilder) -> None:
        """Notices about pictures whose words were recognised and about those that could not be read."""
        if self._read:
            builder.notice("pictures_read", count=self._read)
        if self._unread:
            builder.notice("pictures_unread", places=", ".join(dict.fromkeys(self._unread)))
