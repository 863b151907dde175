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
from app.api import admission, routes
from app.api.pace import Pace
from app.api.replies import AnswerReply, SearchReply
from app.api.work import SEATS
from app.login.entry import Entry
from core.settings import Settings
from retrieval.knowledge_base import KnowledgeBase

QUESTION = "员工请病假须同时满足哪些条件？"
ZH = {"accept-language": "zh-CN"}


@pytest.fixture
def client(filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[TestClient]:
    web = FastAPI()
    web.router.routes[:0] = [*routes.router.routes, *routes.described.routes]
    alone = Entry(Settings(home=tmp_path / "nobody"))
    monkeypatch.setenv("CHAINLIT_AUTH_SECRET", "a-key-of-the-tests-that-is-long-enough")
    monkeypatch.setattr(state, "knowledge_base", lambda: filled)
    monkeypatch.setattr(state, "entry", lambda: alone)
    admission._pace.cache_clear()
    with TestClient(web) as made:
        yield made


def test_search_ask_and_verify_answer_with_exact_words(client: TestClient) -> None:
    found = client.post("/api/search", json={"question": QUESTION, "passages": 1})
    assert found.status_code == 200
    SearchReply.model_validate(found.json())
    assert len(found.json()["passages"]) == 1
    asked = client.post("/api/ask", json={"question": QUESTION, "method": "extractive"}).json()
    assert "诊断证明" in asked["answer"]
    assert asked["answer_id"]
    AnswerReply.model_validate(asked)
    checked = client.post("/api/verify", json={"text": "请病假须有诊断证明。"}).json()
    assert (checked["method"], len(checked["checks"])) == ("verify", 1)
    AnswerReply.model_validate(checked)


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
    assert (plain.status_code, plain.json()["code"]) == (415, "api_json")


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


def test_a_body_of_another_shape_is_told_what_is_wrong(client: TestClient) -> None:
    for body in ({"question": 3}, {"viewer": "bob", "question": "x"}, {}):
        reply = client.post("/api/search", json=body, headers=ZH)
        assert (reply.status_code, reply.json()["code"]) == (422, "api_shape")
        assert reply.json()["message"].startswith("请求的 JSON 不对：")
    broken = client.post("/api/search", content="{", headers={"content-type": "application/json"})
    assert (broken.status_code, broken.json()["code"]) == (422, "api_shape")


def test_strangers_learn_nothing_of_the_shapes(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path / "many")
    Entry(settings).accounts.add("ann", "korrekt-Pferd-9")
    entry = Entry(settings)
    monkeypatch.setattr(state, "entry", lambda: entry)
    assert client.post("/api/search", json={"nonsense": 1}).status_code == 401
    plain = client.post("/api/search", content="{", headers={"content-type": "text/plain"})
    assert plain.status_code == 401


def test_a_long_request_is_not_read(client: TestClient) -> None:
    reply = client.post("/api/search", json={"question": "x" * (admission.MOST_BYTES + 1)})
    assert (reply.status_code, reply.json()["code"]) == (413, "api_long")


def test_a_key_asks_as_its_user_until_it_ends(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, filled: KnowledgeBase
) -> None:
    settings = Settings(home=tmp_path / "many")
    accounts = Entry(settings).accounts
    accounts.add("ann", "korrekt-Pferd-9")
    accounts.add("bob", "korrekt-Pferd-9")
    entry = Entry(settings)
    monkeypatch.setattr(state, "entry", lambda: entry)
    seen: list[str | None] = []
    search = filled.search
    monkeypatch.setattr(
        filled, "search", lambda *args, **more: seen.append(more["scope"].viewer) or search(*args, **more)
    )

    def status(key: str) -> int:
        headers = {"authorization": f"Bearer {key}"}
        return client.post("/api/search", json={"question": QUESTION}, headers=headers).status_code

    first = accounts.new_token("ann")
    assert first not in (tmp_path / "many" / "users.json").read_text()
    second, bobs = accounts.new_token("ann"), accounts.new_token("bob")
    assert [status(key) for key in (first, second, bobs, "yj_", "yj_x")] == [401, 200, 200, 401, 401]
    assert seen == ["ann", "bob"]
    accounts.end_token("ann")
    accounts.set_password("bob", "korrekt-Pferd-10")
    assert [status(key) for key in (second, bobs)] == [401, 401]


def test_who_asks_too_often_is_told_when_to_come_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Pace(2, lambda: 0.0)
    monkeypatch.setattr(admission, "_pace", lambda: slow)
    replies = [client.post("/api/search", json={"question": QUESTION}) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert replies[2].headers["retry-after"] == "30"
