"""Chats are read back as they were written, by their own users, and gone when they are deleted."""

from __future__ import annotations

import asyncio
import socket
import uuid
from pathlib import Path

import chainlit as cl
import pytest
import sqlalchemy as sa
from chainlit.types import Feedback, Pagination, ThreadFilter

from app.history.tables import database_url, prepare
from core.errors import SettingsError, StoreDamagedError, StoreVersionError
from tests.app.history.conftest import Desk

CANARY = "金丝雀KX7741"


async def names(desk: Desk, user_id: str, search: str | None = None, first: int = 20) -> list[str | None]:
    page = await desk.history.list_threads(
        Pagination(first=first), ThreadFilter(userId=user_id, search=search)
    )
    return [thread["name"] for thread in page.data]


async def test_a_chat_with_a_profile_is_read_back(desk: Desk) -> None:
    """B71: lists cannot be bound, so the chat of a profile was never stored."""
    ann = await desk.user("ann")
    thread_id = await desk.thread(ann)
    await desk.history.update_thread(thread_id, tags=["律师函", "b"], metadata={"turns": [{"role": "user"}]})
    step_id = await desk.say(
        thread_id, "问题\ud800", tags=["x"], metadata={"favorite": True}, generation={"a": [1]}
    )
    await desk.history.upsert_feedback(Feedback(forId=step_id, value=0, comment="错了"))
    thread = await desk.history.get_thread(thread_id)
    assert thread is not None
    assert thread["tags"] == ["律师函", "b"]
    assert thread["metadata"] == {"turns": [{"role": "user"}]}
    [step] = thread["steps"]
    assert step["output"] == "问题\ufffd"
    assert (step["metadata"], step["tags"], step["generation"]) == ({"favorite": True}, ["x"], {"a": [1]})
    assert step["feedback"] is not None
    assert (step["feedback"]["value"], step["feedback"]["comment"]) == (0, "错了")
    assert await desk.history.get_thread_author(thread_id) == "ann"
    assert await desk.history.get_thread_author(str(uuid.uuid4())) == ""


async def test_elements_come_back_with_their_properties(desk: Desk, tmp_path: Path) -> None:
    ann = await desk.user("ann")
    thread_id = await desk.thread(ann)
    message = await desk.say(thread_id, "答案")
    cards = cl.CustomElement(name="Sources", props={"cards": [{"n": 1}], "answerId": "r1"}, display="inline")
    (tmp_path / "upload").write_bytes(b"%PDF")
    page = cl.Pdf(name="手册.pdf", path=str(tmp_path / "upload"), display="page")
    board = cl.TaskList(status="x")
    for element in (cards, page):
        element.for_id = message
        await desk.history.create_element(element)
    board.for_id = ""
    await desk.history.create_element(board)
    await desk.history.execute_sql('UPDATE elements SET "props" = NULL WHERE "id" = :id', {"id": page.id})
    thread = await desk.history.get_thread(thread_id)
    assert thread is not None
    found = {element["name"]: element for element in thread["elements"] or ()}
    assert set(found) == {"Sources", "手册.pdf"}
    assert found["Sources"]["props"] == {"cards": [{"n": 1}], "answerId": "r1"}
    assert found["手册.pdf"]["props"] == {}
    assert found["手册.pdf"]["url"] == f"/chat-files/{ann.id}/{thread_id}/{page.id}"
    assert (tmp_path / "files" / ann.id / thread_id / page.id).read_bytes() == b"%PDF"
    shown = await desk.history.get_element(thread_id, page.id)
    assert shown is not None
    assert shown["props"] == {}
    cards.props["cards"].append({"n": 2})
    await desk.history.create_element(cards)
    changed = await desk.history.get_element(thread_id, cards.id)
    assert changed is not None
    assert len(changed["props"]["cards"]) == 2  # type: ignore[index]


async def test_a_chat_is_read_when_what_was_said_is_written(desk: Desk) -> None:
    """A page that was loaded again right behind an answer showed it without its sources."""
    thread_id = await desk.thread(await desk.user("ann"))
    cards = cl.CustomElement(name="Sources", props={"answerId": "r1"}, display="inline")
    cards.for_id = await desk.say(thread_id, "答案", "assistant_message")
    async with desk.history._turn(cards.id):
        # The disk is slow.
        writing = asyncio.create_task(desk.history.create_element(cards))
        await asyncio.sleep(0.02)
        reading = asyncio.create_task(desk.history.get_thread(thread_id))
        await asyncio.sleep(0.05)
        assert not reading.done()
    await writing
    thread = await reading
    assert thread is not None
    assert [element["name"] for element in thread["elements"] or ()] == ["Sources"]


async def test_the_last_state_of_a_message_stays(desk: Desk) -> None:
    """Chainlit writes each state in a task of its own, so that an early one may come last."""
    thread_id = await desk.thread(await desk.user("ann"))
    step_id, made_at = str(uuid.uuid4()), await desk.history.get_current_timestamp()
    states = [
        asyncio.create_task(desk.say(thread_id, "字" * n, "assistant_message", id=step_id, createdAt=made_at))
        for n in range(1, 31)
    ]
    await asyncio.gather(*states)
    thread = await desk.history.get_thread(thread_id)
    assert thread is not None
    assert [len(step["output"]) for step in thread["steps"]] == [30]


async def test_a_list_has_a_users_own_chats_the_last_used_first(desk: Desk) -> None:
    ann, bob = await desk.user("ann"), await desk.user("bob")
    old = await desk.thread(ann, "旧 的\n谈话", says="年假有几天")
    await desk.thread(ann, "新谈话 " + "长" * 300, says="100% 的工资")
    await desk.thread(bob, "鲍勃的", says=f"{CANARY} 年假")
    assert [(name or "")[:5] for name in await names(desk, ann.id)] == ["新谈话 长", "旧 的 谈话"[:5]]
    assert len((await names(desk, ann.id))[0] or "") == 120
    await desk.say(old, "再问", "user_message")
    assert (await names(desk, ann.id))[0] == "旧 的 谈话"
    assert await names(desk, ann.id, "年假") == ["旧 的 谈话 · 年假有几天"]
    assert await names(desk, ann.id, "谈话 旧") == []
    assert await names(desk, ann.id, "的 谈话") == ["旧 的 谈话"]
    assert await names(desk, ann.id, "0% 的") == [f"{(await names(desk, ann.id))[1]} · 100% 的工资"]
    assert await names(desk, ann.id, "0_ 的") == []
    assert await names(desk, ann.id, CANARY) == []
    first = await desk.history.list_threads(Pagination(first=1), ThreadFilter(userId=ann.id))
    assert first.pageInfo.hasNextPage
    rest = await desk.history.list_threads(
        Pagination(first=5, cursor=first.pageInfo.endCursor), ThreadFilter(userId=ann.id)
    )
    assert len(rest.data) == 1
    assert not rest.pageInfo.hasNextPage
    liked = await desk.history.list_threads(Pagination(first=5), ThreadFilter(userId=ann.id, feedback=1))
    assert liked.data == []


async def test_a_deleted_chat_leaves_nothing_and_does_not_come_back(desk: Desk, tmp_path: Path) -> None:
    ann = await desk.user("ann")
    kept, gone = await desk.thread(ann, "保留", says="保留"), await desk.thread(ann, CANARY, says=CANARY)
    step_id = await desk.say(gone, CANARY, "assistant_message")
    await desk.history.upsert_feedback(Feedback(forId=step_id, value=1))
    (tmp_path / "upload").write_bytes(CANARY.encode())
    for element in (
        cl.File(name="a.txt", path=str(tmp_path / "upload")),
        cl.CustomElement(name="Sources", props={"answerId": "r7", "words": CANARY}),
    ):
        element.for_id = step_id
        await desk.history.create_element(element)
    (tmp_path / "upload").unlink()
    await desk.history.delete_thread(gone)
    assert desk.deleted == [(gone, "ann", ["r7"])]
    # The window is still open: what it says now, and what it remembers when it closes, is too late.
    await desk.say(gone, CANARY)
    await desk.history.update_thread(gone, metadata={"turns": [CANARY]})
    assert await desk.history.get_thread(gone) is None
    assert await desk.history.thread_ids() == {kept}
    assert await names(desk, ann.id) == ["保留"]
    for table in ("steps", "elements", "feedbacks"):
        rows = await desk.history.execute_sql(f"SELECT * FROM {table}", {})
        assert CANARY not in repr(rows)
    assert await desk.history.execute_sql("SELECT * FROM feedbacks", {}) == []
    left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert CANARY.encode() not in left


async def test_a_browser_names_no_chat_but_its_own(desk: Desk) -> None:
    ann, bob = await desk.user("ann"), await desk.user("bob")
    anns = await desk.thread(ann, says="秘密")
    element = cl.CustomElement(name="Sources", props={"a": 1})
    element.for_id = "m"
    await desk.history.create_element(element)
    await desk.thread(bob)
    forged = cl.CustomElement(id=element.id, thread_id=anns, name="Sources", props={"a": "forged"})
    forged.for_id = "m"
    await desk.history.create_element(forged)
    await desk.history.delete_element(element.id, anns)
    found = await desk.history.get_element(anns, element.id)
    assert found is not None
    assert found["props"] == {"a": 1}


async def test_what_is_no_id_reaches_no_statement(desk: Desk) -> None:
    """Chainlit writes ids of chats into its statements, and takes them from browsers."""
    ann = await desk.user("ann")
    await desk.thread(ann, says=CANARY)
    name = "x') OR 1=1 --"
    await desk.history.update_thread(name, name="x", user_id=ann.id)
    await desk.say(name, "x")
    assert len(await desk.history.thread_ids()) == 1
    # However it came there.
    await desk.history.execute_sql('INSERT INTO threads ("id") VALUES (:id)', {"id": name})
    assert await desk.history.get_thread(name) is None


async def test_no_address_is_fetched_whoever_names_it(desk: Desk) -> None:
    """CVE-2026-22218 and -22219: Chainlit fetched the address, or read the file, that a browser named."""
    ann = await desk.user("ann")
    thread_id = await desk.thread(ann)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        element = cl.File(name="x", url=f"http://127.0.0.1:{listener.getsockname()[1]}/canary")
        element.for_id = "m"
        await desk.history.create_element(element)
        with pytest.raises(TimeoutError):
            listener.accept()
    found = await desk.history.get_element(thread_id, element.id)
    assert found is not None
    assert found["url"] is None


async def test_chats_that_nobody_uses_are_known(desk: Desk) -> None:
    ann = await desk.user("ann")
    old = await desk.thread(ann)
    await desk.history.execute_sql("""UPDATE threads SET "createdAt" = '2020-01-01T00:00:00'""", {})
    await desk.say(old, "旧", createdAt="2020-01-02T00:00:00Z")
    new = await desk.thread(ann, says="新")
    assert await desk.history.unused_since("2021-01-01T00:00:00") == (old,)
    assert set(await desk.history.unused_since("2999")) == {old, new}


def test_tables_are_made_once_and_those_of_a_later_program_refused(tmp_path: Path) -> None:
    url = database_url(tmp_path / "家", "")
    prepare(url)
    prepare(url)
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO users VALUES ('u', 'ann', '{}', '2020')")
        connection.exec_driver_sql('UPDATE chat_version SET "version" = 99')
    with pytest.raises(StoreVersionError):
        prepare(url)
    with engine.begin() as connection:
        connection.exec_driver_sql('UPDATE chat_version SET "version" = 1')
    prepare(url)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM users").scalar() == 1
    engine.dispose()


def test_wrong_addresses_and_files_are_told_without_the_password(tmp_path: Path) -> None:
    for wrong in ("mysql://u:canary@host/x", "//canary"):
        with pytest.raises(SettingsError) as caught:
            database_url(tmp_path, wrong)
        assert "canary" not in str(caught.value)
        assert "HISTORY_URL" in str(caught.value)
    (tmp_path / "chat.db").write_bytes(b"no database " * 100)
    with pytest.raises(StoreDamagedError):
        prepare(database_url(tmp_path, ""))
