"""A history on each database, with two users and a session of one of them."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from chainlit.context import init_http_context
from chainlit.user import PersistedUser, User

from app.history.layer import History
from app.history.stored_files import StoredFiles
from app.history.tables import database_url, prepare
from tests.postgresql import Server, programs, serving

Say = Callable[..., Awaitable[str]]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL's programs are not installed")
    with serving(found) as server:
        yield server


@dataclass(slots=True)
class Desk:
    """A history, its files, and what it told of deleted chats."""

    history: History
    home: Path
    deleted: list[tuple[str, str, list[str]]] = field(default_factory=list)

    async def user(self, name: str) -> PersistedUser:
        made = await self.history.create_user(User(identifier=name))
        assert made is not None
        return made

    async def thread(self, user: PersistedUser, name: str = "谈话", says: str = "") -> str:
        """A chat of that user, who is the one that acts from now on."""
        thread_id = str(uuid.uuid4())
        init_http_context(thread_id=thread_id, user=user)
        await self.history.update_thread(thread_id, name=name, user_id=user.id)
        if says:
            await self.say(thread_id, says)
        return thread_id

    async def say(self, thread_id: str, text: str, kind: str = "user_message", **more: object) -> str:
        step_id = str(more.pop("id", "") or uuid.uuid4())
        step = {"id": step_id, "threadId": thread_id, "name": "Youju", "type": kind, "output": text}
        made_at = str(more.pop("createdAt", await self.history.get_current_timestamp()))
        await self.history.create_step({**step, "streaming": False, "createdAt": made_at, **more})  # type: ignore[typeddict-item]
        return step_id


@pytest.fixture(params=["sqlite", "postgresql"])
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Desk]:
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    url = database_url(tmp_path, server.fresh_url() if server else "")
    prepare(url)
    deleted: list[tuple[str, str, list[str]]] = []

    async def on_deleted(thread_id: str, user: str, answer_ids: list[str]) -> None:
        deleted.append((thread_id, user, answer_ids))

    history = History(url, StoredFiles(tmp_path / "files"), on_deleted)
    yield Desk(history=history, home=tmp_path, deleted=deleted)
    await history.close()
