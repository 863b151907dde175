"""The addresses of stored documents: the file, how it was cut, and what changed.

Each is for users who may see the document. What is hidden is answered like what is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app import state
from app.managing.chunk_view import chunk_page
from app.managing.original import original_file
from app.managing.replying import Visitor, language, page, told
from app.managing.rights import opened_document, opened_version
from core.store import Reader
from ingest.versions.difference import Difference, load_difference, load_pair
from ingest.versions.page import html

# Comparing long texts takes seconds of a core.
_COMPARING: Final = BoundedSemaphore(2)

router = APIRouter(include_in_schema=False)


@router.get("/versions/{version_id}/original")
def original(request: Request, version_id: str, user: Visitor) -> Response:
    """The file as it was added."""
    store = state.knowledge_base().workspace.store
    return told(request, lambda r: original_file(store, opened_version(r, version_id, user)))


@router.get("/versions/{version_id}/chunks")
def chunks(
    request: Request, version_id: str, user: Visitor, start: Annotated[int, Query(alias="page")] = 1
) -> Response:
    """The page that shows how a document was read and cut; of a long one the part from page ``start`` on."""
    store = state.knowledge_base().workspace.store

    def made(reader: Reader) -> Response:
        version = opened_version(reader, version_id, user)
        return page(chunk_page(reader, store, version, start, language(request)))

    return told(request, made)


@router.get("/documents/{document_id}/difference")
def difference(
    request: Request, document_id: str, user: Visitor, a: int | None = None, b: int | None = None
) -> Response:
    """What changed from version ``a`` to version ``b`` of a document; by default at the last change."""
    return _compared(request, lambda r: load_difference(r, opened_document(r, document_id, user), a, b))


@router.get("/compare")
def compare(request: Request, user: Visitor, a: str = "", b: str = "") -> Response:
    """Any two versions side by side, of one document or of two."""

    def loaded(reader: Reader) -> Difference:
        pair = [opened_version(reader, version_id, user) for version_id in (a, b)]
        rows = [opened_document(reader, version.document_id, user) for version in pair]
        return load_pair(reader, (rows[0], pair[0].number), (rows[1], pair[1].number))

    return _compared(request, loaded)


def _compared(request: Request, load: Callable[[Reader], Difference]) -> Response:
    def made(reader: Reader) -> Response:
        with _COMPARING:
            return page(iter(["".join(html(load(reader), language(request)))]))

    return told(request, made)
