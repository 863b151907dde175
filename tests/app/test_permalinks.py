"""The address of a stored answer: for whose it is, as a page and as files, and for nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chainlit.auth import get_current_user
from chainlit.user import User
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app import permalinks, state
from core.scope import Scope
from retrieval.knowledge_base import KnowledgeBase

QUESTION = "员工请病假须同时满足哪些条件？"


class Visits:
    """A browser whose user is ``name``; nobody has to log in while ``login_on`` is false."""

    def __init__(self) -> None:
        web = FastAPI()
        web.include_router(permalinks.router)
        web.dependency_overrides[get_current_user] = lambda: User(identifier=self.name) if self.name else None
        self.name = ""
        self.login_on = False
        self.client = TestClient(web)

    def viewer(self, user: User | None) -> str | None:
        return (user.identifier if user else "") if self.login_on else None


@pytest.fixture
def visits(filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visits]:
    made = Visits()
    monkeypatch.setattr(state, "knowledge_base", lambda: filled)
    monkeypatch.setattr(state, "viewer_of", made.viewer)
    with made.client:
        yield made


def test_a_page_and_files_in_the_browsers_language(visits: Visits, filled: KnowledgeBase) -> None:
    key = filled.keep(filled.ask(QUESTION)).id
    reply = visits.client.get(f"/answers/{key}", headers={"accept-language": "zh-CN,zh;q=0.9"})
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["cache-control"] == "no-store"
    assert "引用的原文" in reply.text
    assert f'href="{key}.json"' in reply.text
    for form, kind in (("md", "text/markdown"), ("html", "text/html"), ("json", "application/json")):
        saved = visits.client.get(f"/answers/{key}.{form}")
        assert saved.headers["content-type"].startswith(kind)
        assert saved.headers["content-disposition"] == f'attachment; filename="answer-{key}.{form}"'
        assert "诊断证明" in saved.text
        # A file that lies elsewhere has nothing to load from the server.
        assert f"{key}.json" not in saved.text


def test_what_is_not_there_is_said_without_a_page(visits: Visits, filled: KnowledgeBase) -> None:
    key = filled.keep(filled.ask(QUESTION)).id
    for name in ("0" * 24, f"{key}.exe", f"{key[:-1]}.md", "<b>"):
        reply = visits.client.get(f"/answers/{name}", headers={"accept-language": "en"})
        assert reply.status_code == 404
        assert reply.headers["content-type"].startswith("text/plain")
        assert "诊断证明" not in reply.text


def test_with_a_log_in_an_answer_is_its_users_own(visits: Visits, filled: KnowledgeBase) -> None:
    scope = Scope(viewer="ann")
    key = filled.keep(filled.ask(QUESTION, scope=scope), scope).id
    nobodys = filled.keep(filled.ask(QUESTION)).id
    visits.login_on = True
    for name, status in (("ann", 200), ("bob", 404), ("", 404)):
        visits.name = name
        reply = visits.client.get(f"/answers/{key}")
        assert reply.status_code == status
        assert ("诊断证明" in reply.text) == (name == "ann")
        assert visits.client.get(f"/answers/{nobodys}").status_code == 404


def test_a_removed_document_is_gone_from_the_page(visits: Visits, filled: KnowledgeBase) -> None:
    key = filled.keep(filled.ask(QUESTION)).id
    filled.workspace.remove(["handbook.md"])
    for form in ("", ".md", ".html", ".json"):
        reply = visits.client.get(f"/answers/{key}{form}")
        assert reply.status_code == 200
        assert "诊断证明" not in reply.text
        assert "handbook" not in reply.text
