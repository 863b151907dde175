"""Thumbs, marks and settings on a real server: what is one's own is kept, and nothing crosses to others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.login.accounts import Accounts
from core.settings import Settings
from evaluation.reviewing.decisions import read_drafts
from retrieval.knowledge_base import KnowledgeBase
from tests.chat_server import Server, environment, serving
from tests.chat_visitor import Visitor, Window, visiting
from tests.support import HANDBOOK, make_ingest

PASSWORDS = {"ann": "geheim-ann-1", "bob": "geheim-bob-1"}
QUESTION = "员工请病假须满足什么条件？"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("learning")
    base = KnowledgeBase(Settings(home=folder / "home", embedding={"name": "hashing"}))  # type: ignore[arg-type]
    for user, password in PASSWORDS.items():
        Accounts(folder / "home").add(user, password)
    (folder / "handbook.md").write_text(HANDBOOK, "utf-8")
    make_ingest(base).add([folder / "handbook.md"], "default")
    base.workspace.close()
    env = environment(folder / "home", YOUJU_EMBEDDING__NAME="hashing", LANG="en_US.UTF-8")
    with serving(folder / "home", env, host="0.0.0.0") as made:
        yield made


@pytest.fixture
async def ann(server: Server) -> AsyncIterator[Visitor]:
    async with visiting(server.url) as visitor:
        assert await visitor.log_in("ann", PASSWORDS["ann"]) == 200
        yield visitor


@pytest.fixture
async def bob(server: Server) -> AsyncIterator[Visitor]:
    async with visiting(server.url) as visitor:
        assert await visitor.log_in("bob", PASSWORDS["bob"]) == 200
        yield visitor


def lines(server: Server, name: str = "feedback.jsonl") -> list[dict[str, Any]]:
    path = server.home / "feedback" / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


async def answered(visitor: Visitor, window: Window) -> tuple[str, dict[str, Any]]:
    """The run that a thumb is given to, and the properties of its sources."""
    await window.ask(QUESTION)
    for _ in range(100):
        reply = await visitor.http.get(f"/project/thread/{window.thread_id}")
        thread = reply.json() if reply.status_code == 200 else {"elements": [], "steps": []}
        parents = {step["id"]: step["parentId"] for step in thread["steps"]}
        for element in thread["elements"]:
            # Each is written by a task of its own.
            if element["name"] == "Sources" and parents.get(element["forId"]) in parents:
                return parents[element["forId"]], element["props"]
        await asyncio.sleep(0.05)
    raise AssertionError("the answer was not stored")


async def test_a_thumb_reaches_the_review_is_changed_and_taken_back(ann: Visitor, server: Server) -> None:
    async with ann.window() as window:
        run, props = await answered(ann, window)
        said = {"forId": run, "value": 0, "comment": "少了一项"}
        put = await ann.http.put("/feedback", json={"feedback": said, "sessionId": window.session_id})
        feedback_id = put.json()["feedbackId"]
        row = lines(server)[-1]
        assert (row["answer_id"], row["verdict"], row["comment"]) == (props["answerId"], "bad", "少了一项")
        assert row["passages"] and all(passage["text"] in HANDBOOK for passage in row["passages"])
        path: Path = server.home / "feedback" / "feedback.jsonl"
        [draft] = read_drafts(path)
        assert draft.case.question == QUESTION and "少了一项" in draft.remark
        # The comment that went with the other thumb goes with it.
        said = {"forId": run, "value": 1, "id": feedback_id}
        again = await ann.http.put("/feedback", json={"feedback": said, "sessionId": window.session_id})
        assert again.json()["feedbackId"] == feedback_id
        thread = (await ann.http.get(f"/project/thread/{window.thread_id}")).json()
        [kept] = [step["feedback"] for step in thread["steps"] if step.get("feedback")]
        assert (kept["value"], kept["comment"]) == (1, None)
        assert [draft.case.answer for draft in read_drafts(path)] == [lines(server)[-1]["answer"]]
        gone = await ann.http.request("DELETE", "/feedback", json={"feedbackId": feedback_id})
        assert gone.status_code == 200
        assert read_drafts(path) == []


async def test_nobody_judges_in_anothers_chat(ann: Visitor, bob: Visitor, server: Server) -> None:
    async with ann.window() as anns, bob.window() as bobs:
        run, _ = await answered(ann, anns)
        before = lines(server)
        said = {"forId": run, "value": 0, "threadId": anns.thread_id, "comment": "von bob"}
        for session in (anns.session_id, bobs.session_id):
            reply = await bob.http.put("/feedback", json={"feedback": said, "sessionId": session})
            assert reply.status_code == 404
        async with visiting(server.url) as nobody:
            reply = await nobody.http.put("/feedback", json={"feedback": said, "sessionId": ""})
            assert reply.status_code in (401, 404)
        own = await ann.http.put("/feedback", json={"feedback": said | {"value": 1}, "sessionId": ""})
        feedback_id = own.json()["feedbackId"]
        refused = await bob.http.request("DELETE", "/feedback", json={"feedbackId": feedback_id})
        assert refused.status_code == 404
        thread = await ann.http.get(f"/project/thread/{anns.thread_id}")
        assert [s["feedback"]["value"] for s in thread.json()["steps"] if s.get("feedback")] == [1]
        # Without a session of hers, from the stored answer.
        assert [row["verdict"] for row in lines(server)[len(before) :]] == ["good"]


async def test_a_citation_is_marked_and_goes_with_its_chat(
    ann: Visitor, bob: Visitor, server: Server
) -> None:
    async with ann.window() as window, bob.window() as bobs:
        _, props = await answered(ann, window)
        card = props["cards"][0]
        mark = {"answerId": props["answerId"], "passage": card["passage"], "n": card["n"], "right": False}
        assert (await ann.act(window, "mark_citation", mark)).status_code == 200
        await window.wait_for("toast")
        assert "记下了" in window.text()
        [draft] = read_drafts(server.home / "feedback" / "citations.jsonl")
        assert draft.case.question == QUESTION and draft.contexts
        # Another's answer is not there for him, and nonsense is no mark.
        for visitor, at, wrong in (
            (bob, bobs, mark),
            (ann, window, mark | {"n": 99}),
            (ann, window, mark | {"passage": "x"}),
        ):
            await visitor.act(at, "mark_citation", wrong)
        assert "不在当前会话" in bobs.text()
        assert len(lines(server, "citations.jsonl")) == len(
            {row["sentence"] for row in lines(server, "citations.jsonl")}
        )
        chat = window.thread_id
    assert any(row["chat"] == chat for row in lines(server, "citations.jsonl"))
    deleted = await ann.http.request("DELETE", "/project/thread", json={"threadId": chat})
    assert deleted.status_code == 200
    assert not any(row["chat"] == chat for row in lines(server, "citations.jsonl"))


def form(window: Window, after: int = 0) -> dict[str, object]:
    """What the settings form shows, by field."""
    tabs = [value for event, value in window.events[after:] if event == "chat_settings"][-1]
    return {field["id"]: field["initial"] for tab in tabs for field in tab["inputs"]}


async def test_settings_come_back_with_their_chat_and_begin_the_next_of_the_same_user(
    ann: Visitor, bob: Visitor
) -> None:
    async with ann.window() as window:
        before = len(window.events)
        stale = {
            "passages": 2,
            "language": "en",
            "method": "oracle",
            "strict": "yes",
            "since": None,
            "x": [1],
        }
        await window.client.emit("chat_settings_change", stale)
        toast = await window.wait_for("toast", before)
        assert toast["message"] == "Set: Number of sources: 2; Language: English."
        await window.wait_for("set_commands", before)
        now = form(window, before)
        assert (now["passages"], now["language"], now["method"]) == (2, "en", "extractive")
        _, props = await answered(ann, window)
        assert len(props["cards"]) + len(props["uncited"]) <= 2
        assert "Cited sources" in props["title"]
        chat = window.thread_id
    for thread_id in (chat, ""):
        async with ann.window(thread_id) as again:
            await again.wait_for("set_commands")
            assert form(again)["passages"] == 2
    async with bob.window() as bobs:
        await bobs.wait_for("set_commands")
        assert form(bobs)["passages"] == 16
    # As it was, for the tests that follow.
    async with ann.window(chat) as again:
        before = len(again.events)
        await again.client.emit("chat_settings_change", {})
        await again.wait_for("toast", before)


async def test_a_disk_that_is_full_is_told_and_breaks_nothing(ann: Visitor, server: Server) -> None:
    async with ann.window() as window:
        run, _ = await answered(ann, window)
        folder = server.home / "feedback"
        aside = folder.rename(folder.with_name("aside")) if folder.exists() else None
        folder.write_text("no folder")
        try:
            said = {"forId": run, "value": 1}
            put = await ann.http.put("/feedback", json={"feedback": said, "sessionId": window.session_id})
        finally:
            folder.unlink()
            if aside:
                aside.rename(folder)
        assert put.status_code == 200
        await window.wait_for("toast")
        assert "没有写入" in window.text()
        assert "病假" in str(await window.ask(QUESTION))
