"""The text of a file that is read and not stored."""

from __future__ import annotations

from core.reading import Reading
from core.settings import Settings
from ingest.isolation import Worker
from ingest.parsers.detect import route_of
from ingest.prepare import RoutedParser
from ingest.sources import Source


def file_text(source: Source, settings: Settings, worker: Worker) -> str:
    """What a reader of the file sees, in reading order. Raises ``DocumentError``, ``MissingExtraError``, ``OSError``."""
    data = source.path.read_bytes()
    parser = RoutedParser(route_of(source.name, data), source.name, len(data), worker)
    return parser.parse(data, source.name, Reading(settings=settings.parsing)).text
