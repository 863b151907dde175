"""A server with the addresses of documents alone, and browsers of several users."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from chainlit.auth import get_current_user
from chainlit.user import User
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response

from app import state
from app.managing import list_routes, routes
from core.scope import Visibility
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.support import make_ingest


class Visits:
    """A browser whose user is ``name`` (empty: nobody). ``chats`` says whose each chat is."""

    def __init__(self, base: KnowledgeBase, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.base = base
        self.name, self.login_on, self.admins = "", False, {"root"}
        self.chats: dict[str, str] = {}
        self._folder = folder
        web = FastAPI()
        web.include_router(routes.router)
        web.include_router(list_routes.router)
        web.dependency_overrides[get_current_user] = lambda: User(identifier=self.name) if self.name else None
        self.client = TestClient(web)
        patch.setattr(state, "knowledge_base", lambda: base)
        patch.setattr(state, "viewer_of", self._viewer)
        patch.setattr(state, "chats", lambda: SimpleNamespace(get_thread_author=self._author))
        patch.setattr(state, "entry", lambda: SimpleNamespace(is_admin=self._is_admin))

    def add(
        self,
        name: str,
        words: str | bytes,
        collection: str = "default",
        *,
        owner: str | None = None,
        visibility: Visibility | None = None,
    ) -> str:
        """Store a file; the id of its current version."""
        path = self._folder / "added"
        path.write_bytes(words.encode() if isinstance(words, str) else words)
        report = make_ingest(self.base).add_sources(
            [Source(name=name, path=path)], collection, owner=owner, visibility=visibility
        )
        assert not any(result.error for result in report.files)
        with self.base.workspace.store.read() as reader:
            return reader.document(name, collection).version_id

    def document_of(self, version_id: str) -> str:
        with self.base.workspace.store.read() as reader:
            return reader.version(version_id).document_id

    def get(self, path: str, name: str | None = None, **headers: str) -> Response:
        """What the server says to the user ``name``."""
        self.name = self.name if name is None else name
        return self.client.get(path, headers={key.replace("_", "-"): value for key, value in headers.items()})

    def rows(self, query: str = "", name: str | None = None) -> dict[str, Mapping[str, object]]:
        """The list of documents by name."""
        reply = self.get(f"/documents.json{query}", name)
        assert reply.status_code == 200
        return {str(row["name"]): row for row in reply.json()["documents"]}

    def _viewer(self, user: User | None) -> str | None:
        return (user.identifier if user else "") if self.login_on else None

    def _is_admin(self, identifier: str | None) -> bool:
        return not self.login_on or identifier in self.admins

    async def _author(self, thread_id: str) -> str:
        return self.chats.get(thread_id, "")
