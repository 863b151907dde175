"""The documents that are drafted from: files, read by our parsers, and stored documents, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.document import Document
from core.errors import DocumentError
from core.reading import Reading
from core.settings import Settings
from core.store import Reader
from core.terminal import tell
from ingest.isolation import Worker
from ingest.parsers.detect import route_of
from ingest.prepare import RoutedParser
from ingest.sources import sources_of
from ingest.workspace import Workspace


def documents_of(names: Sequence[str], settings: Settings) -> Iterator[tuple[str, Document]]:
    """Name and document of each: what is a path is a file or a folder, anything else a stored document.

    A file that cannot be read is told and passed over. Raises ``UnknownDocumentError``.
    """
    paths = [Path(name) for name in names if Path(name).exists()]
    yield from _files(paths, settings)
    stored = [name for name in names if not Path(name).exists()]
    if not stored:
        return
    workspace = Workspace(settings)
    try:
        with workspace.store.read() as reader:
            for name in stored:
                yield name, _stored(name, reader)
    finally:
        workspace.close()


def _files(paths: Sequence[Path], settings: Settings) -> Iterator[tuple[str, Document]]:
    with Worker() as worker:
        for source in sources_of(paths):
            data = source.path.read_bytes()
            try:
                parser = RoutedParser(route_of(source.name, data), source.name, len(data), worker)
                document = parser.parse(data, source.name, Reading(settings=settings.parsing))
            except DocumentError as exc:
                tell(exc.message(settings.interface_language))
            else:
                yield source.name, document


def _stored(name: str, reader: Reader) -> Document:
    version = reader.version(reader.document(name).version_id)
    return Document(
        text=version.text,
        title=version.title,
        language=version.language,
        media_type=version.media_type,
        blocks=reader.blocks(version.id),
    )
