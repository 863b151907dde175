"""The page that shows how a stored version was read and cut, in parts that a browser opens fast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from app.texts import text
from core.errors import StoreDamagedError, UnknownDocumentError
from core.store import DocumentRow, Reader, Store, StoredVersion
from ingest.viewer.pictures import drawer
from ingest.viewer.view import DocumentView, load_view
from ingest.viewer.write import Choice, html

# A picture of a page takes about a tenth of a second and 0.2 MB.
PAGES_SHOWN: Final = 24


def chunk_page(
    reader: Reader, store: Store, version: StoredVersion, page: int, language: str
) -> Iterator[str]:
    """The page piece by piece, from printed page ``page`` on. All that it needs is read before it begins."""
    view = _view(reader, version)
    first = max(1, min(page, view.page_count or 1))
    last = min(first + PAGES_SHOWN - 1, view.page_count)
    is_part = last - first + 1 < view.page_count
    choice = Choice(
        pages=f"{first}-{last}" if is_part else "",
        language=language,
        links=_links(version, view.page_count, first, last, language),
    )
    try:
        data = store.blobs.get(version.source_sha256)
    except StoreDamagedError:
        # Its words are still there; pages are drawn without pictures.
        data = b""
    return _written(view, range(first, last + 1), data, choice)


def _written(view: DocumentView, pages: range, data: bytes, choice: Choice) -> Iterator[str]:
    with drawer(data, view.row.media_type, view.lines) as draw:
        yield from html(view, pages if view.page_count else (), draw, choice)


def _view(reader: Reader, version: StoredVersion) -> DocumentView:
    """The version as ``load_view`` has it. Of an earlier one neither chunks nor places on pages are kept."""
    row = reader.document_by_id(version.document_id)
    if row is None:
        raise UnknownDocumentError(name=version.id)
    shown = row if row.version_id == version.id else _as_it_was(row, version)
    return load_view(reader, shown, with_chunks=True)


def _as_it_was(row: DocumentRow, version: StoredVersion) -> DocumentRow:
    return replace(
        row,
        version_id=version.id,
        version_number=version.number,
        source_sha256=version.source_sha256,
        media_type=version.media_type,
        title=version.title,
        page_count=0,
        chunk_count=0,
        notices=(),
    )


def _links(
    version: StoredVersion, page_count: int, first: int, last: int, language: str
) -> tuple[tuple[str, str], ...]:
    """The parts before and after, and the file itself; relative, wherever a proxy mounts the program."""
    links = [(text("doc_original", language), "original")]
    for key, start in (("doc_pages_before", max(first - PAGES_SHOWN, 1)), ("doc_pages_after", last + 1)):
        if start < first or first < start <= page_count:
            end = min(start + PAGES_SHOWN - 1, page_count)
            label = text(key, language, first=start, last=end)
            links.append((label, "chunks?" + urlencode({"page": start, "lang": language})))
    return tuple(links)
