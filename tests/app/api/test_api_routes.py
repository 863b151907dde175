"""The API as another program sees it: shapes, refusals, limits, streams, and whose documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chainlit.auth.jwt import create_jwt
from chainlit.user import User
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app import state
from app.api import routes
from app.api.work import SEATS
from app.login.entry import Entry
from core.settings import Settings
from retrieval.knowledge_base import KnowledgeBase

QUESTION = "员工请病假须同时满足哪些条件？"
ZH = {"accept-language": "zh-CN"}


@pytest.fixture
def client(filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[TestClient]:
    web = FastAPI()
    web.router.routes[:0] = routes.router.routes
    alone = Entry(Settings(home=tmp_path / "nobody"))
    monkeypatch.setenv("CHAINLIT_AUTH_SECRET", "a-key-of-the-tests-that-is-long-enough")
    monkeypatch.setattr(state, "knowledge_base", lambda: filled)
    monkeypatch.setattr(state, "entry", lambda: alone)
    with TestClient(web) as made:
        yield made


def test_search_ask_and_verify_answer_with_exact_words(client: TestClient) -> None:
    found = client.post("/api/search", json={"question": QUESTION, "passages": 1})
    assert found.status_code == 200
    assert len(found.json()["passages"]) == 1
    asked = client.post("/api/ask", json={"question": QUESTION, "method": "extractive"}).json()
    assert "诊断证明" in asked["answer"]
    assert asked["answer_id"]
    checked = client.post("/api/verify", json={"text": "请病假须有诊断证明。"}).json()
    assert (checked["method"], len(checked["checks"])) == ("verify", 1)


def test_a_stream_tells_the_evidence_before_the_answer(client: TestClient) -> None:
    reply = client.post("/api/ask", json={"question": QUESTION, "stream": True})
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = [line[7:] for line in reply.text.splitlines() if line.startswith("event: ")]
    assert (events[0], events[-1]) == ("found", "answer")
    failed = client.post("/api/ask", json={"question": " ", "stream": True})
    assert "event: error" in failed.text
    assert SEATS.free > 0


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"question": " "}, "question_empty"),
        ({"question": "x", "collections": ["chat:1"]}, "api_filter"),
        ({"question": "x", "since": "soon"}, "api_filter"),
    ],
)
def test_what_cannot_be_asked_is_told_in_the_callers_language(
    client: TestClient, asked: dict[str, object], code: str
) -> None:
    reply = client.post("/api/search", json=asked, headers=ZH)
    assert (reply.status_code, reply.json()["code"]) == (422, code)
    assert reply.json()["message"] != client.post("/api/search", json=asked).json()["message"]


def test_a_viewer_cannot_be_named_and_other_content_is_not_read(client: TestClient) -> None:
    assert client.post("/api/search", json={"question": "x", "viewer": "bob"}).status_code == 422
    plain = client.post("/api/search", content='{"question": "x"}', headers={"content-type": "text/plain"})
    assert plain.status_code in (415, 422)


def test_a_full_server_says_when_to_come_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SEATS, "free", 0)
    for more in ({}, {"stream": True}):
        reply = client.post("/api/ask", json={"question": QUESTION, **more})
        assert (reply.status_code, reply.headers["retry-after"]) == (503, "2")


def test_with_a_log_in_nobody_reads_what_is_not_shown_to_him(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, filled: KnowledgeBase
) -> None:
    settings = Settings(home=tmp_path / "many")
    ann = Entry(settings).accounts.add("ann", "korrekt-Pferd-9")
    entry = Entry(settings)
    monkeypatch.setattr(state, "entry", lambda: entry)
    assert client.post("/api/search", json={"question": QUESTION}).status_code == 401
    token = create_jwt(User(identifier="ann", metadata={"stamp": ann.stamp}))
    seen: list[str | None] = []
    search = filled.search
    monkeypatch.setattr(
        filled, "search", lambda *args, **more: seen.append(more["scope"].viewer) or search(*args, **more)
    )
    headers = {"authorization": f"Bearer {token}"}
    assert client.post("/api/search", json={"question": QUESTION}, headers=headers).status_code == 200
    assert seen == ["ann"]


def test_the_description_names_every_address(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"/api/search", "/api/ask", "/api/verify"} == set(paths)


def test_a_log_in_that_ended_asks_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path / "many")
    ann = Entry(settings).accounts.add("ann", "korrekt-Pferd-9")
    entry = Entry(settings)
    monkeypatch.setattr(state, "entry", lambda: entry)
    token = create_jwt(User(identifier="ann", metadata={"stamp": ann.stamp}))
    entry.accounts.set_password("ann", "korrekt-Pferd-10")
    reply = client.post("/api/ask", json={"question": "x"}, headers={"authorization": f"Bearer {token}"})
    assert (reply.status_code, reply.json()["code"]) == (401, "api_login")
