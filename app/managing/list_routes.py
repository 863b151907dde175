"""The addresses that the list of documents in the chat asks: so it is never out of date, in an old chat either."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from app.managing.listing import listed, listed_versions
from app.managing.replying import FRESH, Visitor, language, told
from app.managing.rights import may_manage, opened_document, scope_of
from core.scope import EPHEMERAL_PREFIX
from core.store import Reader

router = APIRouter(include_in_schema=False)


@router.get("/documents.json")
def documents(request: Request, user: Visitor, chat: str = "", collection: str = "") -> Response:
    """The documents that the user may see, with those of his own ``chat``; of one ``collection`` when it is named."""
    tongue, names = language(request), (collection,) if collection else None

    def made(reader: Reader) -> Response:
        own = scope_of(user, EPHEMERAL_PREFIX + chat if chat else "")
        rows = [
            row
            for row in reader.visible_documents(own)
            if names is None or row.collection in (*names, own.chat)
        ]
        shown = [listed(row, tongue, may_manage=may_manage(row, user)) for row in rows]
        return JSONResponse({"documents": shown}, headers=FRESH)

    return told(request, made)


@router.get("/documents/{document_id}/versions.json")
def versions(request: Request, document_id: str, user: Visitor) -> Response:
    """All versions of a document."""

    def made(reader: Reader) -> Response:
        found = reader.versions(opened_document(reader, document_id, user))
        return JSONResponse({"versions": listed_versions(found)}, headers=FRESH)

    return told(request, made)
