"""What belongs to a chat goes with it: its own documents and its answers, and nothing of anybody else."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from chainlit.context import init_http_context
from chainlit.user import User

import core.store.writer as writer_module
from app.history.keeping import open_history, sweep
from app.history.layer import History
from app.login.entry import Entry
from core.scope import EPHEMERAL_PREFIX, Scope
from core.settings import ServingSettings
from ingest.sources import Source
from retrieval.feedback import Feedback
from retrieval.knowledge_base import KnowledgeBase
from tests.support import make_ingest

THREADS = ("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222")


@pytest.fixture
async def history(filled: KnowledgeBase) -> AsyncIterator[History]:
    made = open_history(filled, Entry(filled.settings))
    yield made
    await made.close()


async def _chat(history: History, base: KnowledgeBase, thread_id: str, folder: Path, day: str = "") -> None:
    """A chat with a document of its own."""
    user = await history.create_user(User(identifier="@local"))
    assert user is not None
    init_http_context(thread_id=thread_id, user=user)
    await history.update_thread(thread_id, name="x", user_id=user.id)
    path = folder / f"{thread_id[0]}.md"
    path.write_text(f"# 金丝雀{thread_id[0]}\n\n密码{thread_id[0]}。", "utf-8")
    make_ingest(base).add_sources([Source(name=path.name, path=path)], f"{EPHEMERAL_PREFIX}{thread_id}")
    if day:
        await history.execute_sql(
            'UPDATE threads SET "createdAt" = :day WHERE "id" = :id', {"day": day, "id": thread_id}
        )


def collections(base: KnowledgeBase) -> set[str]:
    with base.workspace.store.read() as reader:
        return {name for name in reader.collections() if name.startswith(EPHEMERAL_PREFIX)}


async def test_a_deleted_chat_takes_its_documents_and_answers_along(
    history: History, filled: KnowledgeBase, tmp_path: Path
) -> None:
    for thread_id in THREADS:
        await _chat(history, filled, thread_id, tmp_path)
    mine, other = (filled.keep(filled.ask("过滤器多久清洗一次？"), Scope(viewer=v)).id for v in (None, "bob"))
    for number, answer_id in enumerate((mine, other, "made-up")):
        await history.execute_sql(
            'INSERT INTO elements ("id", "threadId", "name", "props") VALUES (:id, :thread, :name, :props)',
            {"id": str(number), "thread": THREADS[0], "name": "Sources", "props": {"answerId": answer_id}},
        )
    await history.delete_thread(THREADS[0])
    assert collections(filled) == {EPHEMERAL_PREFIX + THREADS[1]}
    with filled.workspace.store.read() as reader:
        # A browser can name any answer as one of its chat's.
        assert [row.id for row in reader.answers()] == [other]


async def test_what_was_said_goes_with_its_chat_and_words_with_their_document(
    history: History, filled: KnowledgeBase, tmp_path: Path
) -> None:
    feedback, answer = Feedback(filled.settings.home), filled.ask("员工请病假须满足什么条件？")
    path = filled.settings.home / "feedback" / "feedback.jsonl"
    await _chat(history, filled, THREADS[0], tmp_path)
    for number, thread_id in enumerate(THREADS):
        feedback.judge(f"a{number}", answer, "bad", "少了一项", chat=thread_id)
    await history.delete_thread(THREADS[0])
    [line] = path.read_text("utf-8").splitlines()
    assert json.loads(line)["chat"] == THREADS[1]
    filled.workspace.remove(["handbook.md"])
    await sweep(filled, history)
    kept = json.loads(path.read_text("utf-8"))
    assert kept["comment"] == "少了一项"
    assert {passage["doc"] for passage in kept["passages"]} <= {"manual.md"}


async def test_the_sweep_takes_old_chats_and_documents_of_no_chat(
    history: History, filled: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    days_ago = {days: (now - timedelta(days=days)).isoformat(timespec="seconds") for days in (9, 40)}
    monkeypatch.setattr(writer_module, "_now", lambda: days_ago[9])
    await _chat(history, filled, THREADS[0], tmp_path, days_ago[40])
    await _chat(history, filled, THREADS[1], tmp_path, days_ago[9])
    (tmp_path / "orphan.md").write_text("# 无主\n\n无主。", "utf-8")
    source = Source(name="orphan.md", path=tmp_path / "orphan.md")
    make_ingest(filled).add_sources([source], f"{EPHEMERAL_PREFIX}gone")
    await sweep(filled, history)
    assert collections(filled) == {EPHEMERAL_PREFIX + thread_id for thread_id in THREADS}, "0 days: for ever"
    filled.settings = filled.settings.model_copy(update={"server": ServingSettings(history_days=30)})
    await sweep(filled, history)
    assert await history.thread_ids() == {THREADS[1]}
    assert collections(filled) == {EPHEMERAL_PREFIX + THREADS[1]}
