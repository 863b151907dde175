"""Chats that stay: Chainlit's data layer over SQLite or PostgreSQL, without its faults.

Chainlit 2.12 binds lists as they are, gives JSON back as text, fails on pages without properties, writes
deleted chats again when their window closes, puts the names of chats into statements as they are, reads
every message of every chat for a list of names, and fetches addresses that a browser names.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast
from weakref import WeakValueDictionary

import sqlalchemy as sa
from chainlit.context import ChainlitContextException, context
from chainlit.data.sql_alchemy import SQLAlchemyDataLayer
from chainlit.data.utils import queue_until_user_message
from chainlit.element import Element, ElementDict
from chainlit.step import StepDict
from chainlit.types import Feedback, PageInfo, PaginatedResponse, Pagination, ThreadDict, ThreadFilter
from chainlit.utils import utc_now
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from app.history import queries
from app.history.rows import bindable, found_name, like, thread_name, with_values
from app.history.stored_files import StoredFiles, is_id
from app.history.writes import Writes
from core.errors import StoreError

_LOG = logging.getLogger("youju.app")

OnDeleted = Callable[[str, str, list[str]], Awaitable[None]]


class History(SQLAlchemyDataLayer):
    """Tables as ``tables.prepare`` makes them. ``on_deleted`` is told the id of a chat that was deleted, the
    identifier of its user, and the ids of the answers in it, so that what else belongs to it goes too.
    """

    storage_provider: StoredFiles

    def __init__(self, url: sa.URL, files: StoredFiles, on_deleted: OnDeleted) -> None:
        if url.drivername == "sqlite":
            url = url.set(drivername="sqlite+aiosqlite")
        super().__init__(url.render_as_string(hide_password=False), storage_provider=files)
        # What people write stays out of the log when a statement fails.
        self.engine = create_async_engine(url, hide_parameters=True, **_options(url))
        self.async_session.configure(bind=self.engine)
        if url.get_backend_name() == "sqlite":
            sa.event.listen(self.engine.sync_engine, "connect", _configure)
        self._on_deleted = on_deleted
        # Chainlit writes each state of a message in a task of its own; the last one must stay.
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._writes = Writes()
        # Chats that were deleted while somebody still had them open: what comes late is dropped.
        self._gone: set[str] = set()

    async def execute_sql(self, query: str, parameters: dict[str, Any]) -> list[dict[str, Any]] | int | None:
        """Rows, how many were changed, or ``None`` when it failed (which is logged)."""
        try:
            async with self.engine.begin() as connection:
                result = await connection.execute(sa.text(query), bindable(parameters))
                if not result.returns_rows:
                    return int(result.rowcount)
                return [dict(row) for row in result.mappings()]
        except SQLAlchemyError as exc:
            _LOG.error("the history could not be read or written: %s", exc)
            return None

    async def get_current_timestamp(self) -> str:
        return str(utc_now())

    async def get_thread_author(self, thread_id: str) -> str:
        """The user's identifier; empty for a chat that is not there."""
        rows = await self._rows(queries.AUTHOR, id=thread_id)
        return str(rows[0]["userIdentifier"] or "") if rows else ""

    async def update_thread(
        self,
        thread_id: str,
        name: str | None = None,
        user_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        tags: list[str] | None = None,
    ) -> None:
        if self._takes(thread_id):
            name = None if name is None else thread_name(name)
            with self._writes.of(thread_id):
                async with self._turn(thread_id):
                    await super().update_thread(thread_id, name, user_id, metadata, tags)

    async def create_step(self, step_dict: StepDict) -> None:
        if self._takes(step_dict["threadId"]):
            with self._writes.of(step_dict["threadId"]):
                async with self._turn(step_dict["id"]):
                    await super().create_step(step_dict)

    @queue_until_user_message()  # type: ignore[untyped-decorator]
    async def create_element(self, element: Element) -> None:
        """Store an element and, for a file, its content. Task lists tell of work that is over by then."""
        with self._writes.of(element.thread_id):
            async with self._turn(element.id):
                await self._put(element)

    async def _put(self, element: Element) -> None:
        if not element.for_id or element.type == "tasklist" or not await self._may_change(element.thread_id):
            return
        values = {key: value for key, value in element.to_dict().items() if value is not None}
        # Only what lies here is stored: no address is fetched, whoever named it.
        values.pop("url", None)
        if element.path and element.type != "custom" and is_id(element.id):
            # Not the chat's: its row may be written a moment later.
            user_id = getattr(context.session.user, "id", "")
            if is_id(user_id):
                key = f"{user_id}/{element.thread_id}/{element.id}"
                await self.storage_provider.keep(key, element.path)
                values |= {"objectKey": key, "url": await self.storage_provider.get_read_url(key)}
        await self.execute_sql(queries.insert("elements", values), values)

    @queue_until_user_message()  # type: ignore[untyped-decorator]
    async def delete_element(self, element_id: str, thread_id: str | None = None) -> None:
        rows = await self._rows('SELECT "threadId" FROM elements WHERE "id" = :id', id=element_id)
        if rows and await self._may_change(str(rows[0]["threadId"])):
            await super().delete_element(element_id, thread_id)

    async def get_element(self, thread_id: str, element_id: str) -> ElementDict | None:
        rows = await self._rows(queries.ELEMENT, thread_id=thread_id, element_id=element_id)
        for row in rows:
            with_values(row)
        return cast(ElementDict, rows[0]) if rows else None

    async def put_props(self, element_id: str, props: dict[str, Any]) -> bool:
        """Change what a stored element shows, whoever looks; false while there is no such element."""
        async with self._turn(element_id):
            statement = 'UPDATE elements SET "props" = :props WHERE "id" = :id'
            return bool(await self.execute_sql(statement, {"id": element_id, "props": props}))

    async def put_words(self, step_id: str, words: Callable[[], str | None]) -> None:
        """Keep what a message says so far; ``words`` is asked when it is written, and ``None`` leaves it as it is."""
        async with self._turn(step_id):
            if (so_far := words()) is not None:
                statement = 'UPDATE steps SET "output" = :words WHERE "id" = :id'
                await self.execute_sql(statement, {"id": step_id, "words": so_far})

    async def close_step(self, step_id: str) -> None:
        """Say that a step is over that nobody ended."""
        await self.execute_sql(
            'UPDATE steps SET "end" = :end WHERE "id" = :id', {"id": step_id, "end": utc_now()}
        )

    async def chat_of_window(self, user_id: str, session_id: str) -> str:
        """The user's chat that a window had open when the server ended; empty without one."""
        if not is_id(session_id):
            return ""
        rows = await self._rows(queries.OF_WINDOW, user_id=user_id, window=f'%"id": "{session_id}"%')
        return str(rows[0]["id"]) if rows else ""

    async def upsert_feedback(self, feedback: Feedback) -> str:
        return str(await super().upsert_feedback(feedback))

    async def get_all_user_threads(
        self, user_id: str | None = None, thread_id: str | None = None
    ) -> list[ThreadDict] | None:
        """Whole chats. Ids that are none are not asked for: Chainlit puts them into its statements.

        What is being written to the one chat is waited for: a page that is loaded again right behind an answer
        shows it whole.
        """
        if not is_id(thread_id or user_id or ""):
            return []
        if thread_id:
            await self._writes.settled(thread_id)
        threads = await super().get_all_user_threads(user_id, thread_id)
        for thread in threads or []:
            with_values(cast(dict[str, Any], thread))
            for part in (*thread["steps"], *(thread["elements"] or ())):
                with_values(cast(dict[str, Any], part))
        return threads

    async def list_threads(
        self, pagination: Pagination, filters: ThreadFilter
    ) -> PaginatedResponse[ThreadDict]:
        """Names of a user's chats, the last used first; those whose name or messages hold the words searched."""
        rows = await self._rows(
            queries.threads(bool(filters.search), filters.feedback is not None),
            user_id=filters.userId,
            words=like(filters.search or ""),
            feedback=filters.feedback,
        )
        ids = [row["id"] for row in rows]
        start = ids.index(pagination.cursor) + 1 if pagination.cursor in ids else 0
        page = rows[start : start + pagination.first]
        info = PageInfo(
            hasNextPage=len(rows) > start + pagination.first,
            startCursor=page[0]["id"] if page else None,
            endCursor=page[-1]["id"] if page else None,
        )
        return PaginatedResponse(pageInfo=info, data=[_listed(row, filters.search or "") for row in page])

    async def delete_thread(self, thread_id: str) -> None:
        """Delete a chat with its messages, elements, files, and whatever else ``on_deleted`` knows of."""
        self._gone.add(thread_id)
        rows = await self._rows(queries.OWNER, id=thread_id)
        elements = await self._rows('SELECT "props" FROM elements WHERE "threadId" = :id', id=thread_id)
        for statement in queries.DELETE_THREAD:
            if await self.execute_sql(statement, {"id": thread_id}) is None:
                raise StoreError(reason="a chat could not be deleted")
        if self.engine.dialect.name == "sqlite":
            # The log of changes still has the words of what was deleted.
            await self.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)", {})
        if rows:
            await self.storage_provider.delete_chat(str(rows[0]["userId"]), thread_id)
            await self._on_deleted(thread_id, str(rows[0]["userIdentifier"] or ""), _answer_ids(elements))

    async def thread_ids(self) -> frozenset[str]:
        """Ids of all chats, whoever they belong to. Raises ``StoreError``: "none" would be taken at its word."""
        found = await self.execute_sql('SELECT "id" FROM threads', {})
        if not isinstance(found, list):
            raise StoreError(reason="the history cannot be read")
        return frozenset(str(row["id"]) for row in found)

    async def unused_since(self, moment: str) -> tuple[str, ...]:
        """Ids of the chats in which nothing was said since that moment (ISO 8601 in UTC)."""
        return tuple(str(row["id"]) for row in await self._rows(queries.UNUSED, moment=moment))

    async def _rows(self, query: str, **parameters: object) -> list[dict[str, Any]]:
        found = await self.execute_sql(query, parameters)
        return found if isinstance(found, list) else []

    def _turn(self, name: str) -> asyncio.Lock:
        """What has to be written in the order in which it was asked for."""
        return self._turns.setdefault(name, asyncio.Lock())

    def _takes(self, thread_id: str) -> bool:
        return is_id(thread_id) and thread_id not in self._gone

    async def _may_change(self, thread_id: str) -> bool:
        """Whether the chat is the session's own: a browser may name any for an element."""
        if not self._takes(thread_id):
            return False
        owner = await self._get_user_id_by_thread(thread_id)
        try:
            user = context.session.user
        except ChainlitContextException:
            return False
        return owner is None or owner == getattr(user, "id", None)


def _configure(connection: Any, _record: object) -> None:
    # What is deleted is overwritten.
    cursor = connection.cursor()
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.close()


def _options(url: sa.URL) -> dict[str, Any]:
    if url.get_backend_name() == "sqlite":
        return {"connect_args": {"timeout": 30}}
    return {"pool_pre_ping": True}


def _listed(row: Mapping[str, Any], words: str) -> ThreadDict:
    """What the list of chats shows; the chat itself is read when it is opened."""
    return ThreadDict(
        id=row["id"],
        createdAt=row["createdAt"],
        name=found_name(row["name"] or "", row.get("found") or "", words),
        userId=row["userId"],
        userIdentifier=row["userIdentifier"],
        tags=None,
        metadata={},
        steps=[],
        elements=[],
    )


def _answer_ids(elements: list[dict[str, Any]]) -> list[str]:
    found: dict[str, None] = {}
    for row in elements:
        with_values(row)
        if isinstance(row["props"], dict) and (answer_id := row["props"].get("answerId")):
            found[str(answer_id)] = None
    return list(found)
