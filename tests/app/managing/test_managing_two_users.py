"""Two users and an administrator on a real server: buttons, commands and knowledge bases of one serve no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from app.login.accounts import Accounts
from core.scope import Visibility
from core.settings import Settings
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.chat_server import Server, environment, serving
from tests.chat_visitor import Visitor, Window, visiting
from tests.support import make_ingest

PASSWORDS = {"ann": "geheim-ann-1", "bob": "geheim-bob-1", "root": "geheim-root-1"}
CANARY = "金丝雀甲的暗号是芝麻开门"
# Name, collection, owner, visibility.
STORED = (
    ("private.md", "default", "ann", Visibility.PRIVATE),
    ("shared.md", "default", "ann", Visibility.ALL),
    ("club.md", "secret-club", None, None),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("managing")
    home = folder / "home"
    base = KnowledgeBase(Settings(home=home, embedding={"name": "hashing"}))
    for user, password in PASSWORDS.items():
        Accounts(home).add(user, password, admin=user == "root")
    for name, collection, owner, visibility in STORED:
        (folder / name).write_text(f"# {name}\n\n{CANARY}（{name}）。\n", "utf-8")
        source = Source(name=name, path=folder / name)
        make_ingest(base).add_sources([source], collection, owner=owner, visibility=visibility)
    with base.workspace.store.write() as writer:
        writer.set_members("secret-club", ["ann"])
    base.workspace.close()
    env = environment(home, YOUJU_EMBEDDING__NAME="hashing", LANG="en_US.UTF-8")
    with serving(home, env, host="0.0.0.0") as made:
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


async def listed(visitor: Visitor, chat: str = "") -> dict[str, dict[str, object]]:
    reply = await visitor.http.get("/documents.json", params={"chat": chat})
    return {row["name"]: row for row in reply.json()["documents"]}


async def test_no_button_of_anothers_document_works(ann: Visitor, bob: Visitor) -> None:
    rows = await listed(ann)
    assert set(rows) == {"private.md", "shared.md", "club.md"}
    assert {name for name, row in rows.items() if row["manage"]} == {"private.md", "shared.md"}
    assert {name: row["manage"] for name, row in (await listed(bob)).items()} == {"shared.md": False}
    async with bob.window() as window:
        for name in ("private.md", "shared.md", "club.md"):
            document = rows[name]["id"]
            await bob.act(window, "remove_document", {"document": document})
            await bob.act(window, "chunk_again", {"document": document, "strategy": "fixed"})
        for name in ("private.md", "club.md"):
            await bob.act(window, "ask_only", {"document": rows[name]["id"]})
        # What would come, comes by the socket a moment later.
        await asyncio.sleep(0.5)
        assert "Upload" not in window.text()
        assert "芝麻开门" not in window.text()
        assert not any(scope_lines(window))
    assert await listed(ann) == rows


async def test_no_command_finds_anothers_document(bob: Visitor) -> None:
    async with bob.window() as window:
        for typed in (
            "/scope private",
            "/compare private.md club",
            "/compare club shared",
            "/scope secret-club",
        ):
            told = str(await window.ask(typed))
            assert "没有名称含" in told, typed
        await window.ask("/docs")
        assert "芝麻开门" not in window.text()


async def test_a_knowledge_base_that_is_not_open_is_not_even_named(ann: Visitor, bob: Visitor) -> None:
    settings = [await one.http.get("/project/settings", params={"language": "en"}) for one in (ann, bob)]
    names = [[profile["name"] for profile in reply.json()["chatProfiles"]] for reply in settings]
    assert names == [["all", "in:default", "in:secret-club"], []]
    async with bob.window(profile="in:secret-club") as window:
        assert "知识库“secret-club”还是空的" in window.text()
        await window.ask("金丝雀甲的暗号是什么？")
        assert "芝麻开门" not in window.text()


async def test_a_chat_about_one_knowledge_base_searches_no_other(ann: Visitor) -> None:
    async with ann.window(profile="in:secret-club") as window:
        assert "知识库“secret-club”里有 1 份文档" in window.text()
        told = str(await window.ask("金丝雀甲的暗号是什么？"))
        assert "club.md" in told
        assert "shared.md" not in told
        assert "没有名称含" in str(await window.ask("/scope shared"))
        thread = window.thread_id
    await _kept(ann, thread)
    async with ann.window(thread) as again:
        told = str(await again.ask("金丝雀甲的暗号是什么？"))
        assert "club.md" in told
        assert "shared.md" not in told


async def test_the_original_of_a_file_of_a_chat(ann: Visitor, bob: Visitor) -> None:
    words = "灯塔食堂早餐七点十五分开始供应。"
    async with ann.window() as window:
        file_id = (await ann.upload(window, "食堂.md", f"# 食堂\n\n{words}\n".encode())).json()["id"]
        await window.ask("灯塔食堂早餐几点开始？", file_id)
        row = await _found(ann, window, "食堂.md")
        assert row["place"] in ("本次对话", "this chat")
        original = f"/versions/{row['version']}/original"
        reply = await ann.http.get(original)
        assert words in reply.text
        # Beside the address's own policy stands the one for everything.
        assert "sandbox" in reply.headers["content-security-policy"]
        assert (await bob.http.get(original)).status_code == 404
        assert "食堂.md" not in await listed(bob, window.thread_id)
        async with visiting(ann.url) as nobody:
            assert (await nobody.http.get(original)).status_code == 401


async def test_an_owner_deletes_and_an_administrator_too(server: Server, ann: Visitor, bob: Visitor) -> None:
    rows = await listed(ann)
    async with ann.window() as window:
        await ann.act(window, "ask_only", {"document": rows["private.md"]["id"]})
        await _until(lambda: _line(window).startswith("private.md"))
        await ann.act(window, "remove_document", {"document": rows["private.md"]["id"]})
        # What is gone is not searched for either.
        await _until(lambda: _line(window) == "")
    async with visiting(server.url) as root:
        await root.log_in("root", PASSWORDS["root"])
        async with root.window() as window:
            await root.act(window, "remove_document", {"document": rows["shared.md"]["id"]})
    assert set(await listed(ann)) == {"club.md"}
    assert await listed(bob) == {}
    old = await ann.http.get(f"/versions/{rows['private.md']['version']}/original")
    assert old.status_code == 404


def scope_lines(window: Window) -> list[str]:
    """What the window was told of its scope, in order."""
    told = [value for event, value in window.events if event == "window_message"]
    return [value["line"] for value in told if value["type"] == "youju_scope"]


def _line(window: Window) -> str:
    return scope_lines(window)[-1]


async def _until(true: Callable[[], bool]) -> None:
    """What a button does is told by the socket, which may come after the reply."""
    for _ in range(100):
        if true():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come")


async def _kept(visitor: Visitor, thread: str) -> None:
    """Wait until the chat is written with what it is about."""
    for _ in range(100):
        reply = await visitor.http.get(f"/project/thread/{thread}")
        if reply.status_code == 200 and "in:secret-club" in reply.text:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the chat is not written")


async def _found(visitor: Visitor, window: Window, name: str) -> dict[str, object]:
    for _ in range(50):
        rows = await listed(visitor, window.thread_id)
        if name in rows:
            return rows[name]
        await asyncio.sleep(0.1)
    raise AssertionError(f"{name} is not listed")
