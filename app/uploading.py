"""Files dropped into the chat: read in a thread, progress as tasks, the result as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import chainlit as cl

from app import state, views
from app.bridge import Bridge
from app.texts import text
from core.inert import inert
from core.scope import Visibility
from core.store.waiting import Holder, waiting_text
from ingest.pipeline import Ingest
from ingest.report import FileResult, IngestReport, Outcome, Progress
from ingest.sources import Source, shown_name, unique_name

Event = Progress | FileResult | IngestReport | Holder


def sources_of(elements: Sequence[cl.Element]) -> list[Source]:
    """The uploaded files under the names that people gave them."""
    names: set[str] = set()
    return [
        Source(name=unique_name(shown_name(element.name) or "?", names), path=Path(element.path))
        for element in elements
        if element.path and element.name
    ]


async def add_files(sources: Sequence[Source], collection: str | None = None) -> bool:
    """Add the files to a collection, by default this chat's own; true when at least one can be asked about.

    Raises ``UnknownCollectionError`` for one that is not open to the user.
    """
    language = state.language()
    workspace, owner = state.knowledge_base().workspace, state.viewer()
    visibility = Visibility.PRIVATE if owner and collection is None else None
    if collection is None:
        collection = state.chat_collection()
    else:
        with workspace.store.read() as reader:
            reader.require_open(collection, owner)

    def work(post: Callable[[Event], None]) -> None:
        ingest = Ingest(
            workspace,
            on_progress=post,
            on_result=post,
            on_wait=post,
            cancelled=lambda: bridge.cancelled(),
        )
        post(ingest.add_sources(sources, collection, owner=owner, visibility=visibility))

    bridge = Bridge[Event](work)
    board = _Board(language)
    await board.open([source.name for source in sources])
    results: list[FileResult] = []
    cancelled = True
    try:
        async for event in bridge:
            if isinstance(event, Progress):
                await board.show(event)
            elif isinstance(event, FileResult):
                results.append(event)
                await board.finish(event)
            elif isinstance(event, Holder):
                await board.wait(event)
            else:
                cancelled = event.cancelled
    finally:
        await board.close(cancelled)
    usable = any(result.outcome is not Outcome.REFUSED for result in results)
    await cl.Message(content=_summary(results, usable, language), author="Youju").send()
    return usable


class _Board:
    """The list of tasks: one a file, those inside archives added as they are found."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._list = cl.TaskList()
        self._tasks: dict[str, cl.Task] = {}
        self._last: cl.Task | None = None

    async def open(self, names: Sequence[str]) -> None:
        self._list.status = text("upload_working", self._language)
        for name in names:
            await self._task(name)
        await self._list.send()

    async def show(self, progress: Progress) -> None:
        task = self._last = await self._task(progress.name)
        task.status = cl.TaskStatus.RUNNING
        key = f"task_{progress.stage.value}"
        title = text(key, self._language, name=progress.name, done=progress.done, total=progress.total)
        # Titles are Markdown, and names are whatever somebody calls a file.
        task.title = inert(title)
        await self._list.send()

    async def wait(self, holder: Holder) -> None:
        """The file that is to be stored now has to wait for another program."""
        if self._last is not None:
            self._last.title = inert(waiting_text(holder, self._language))
            await self._list.send()

    async def finish(self, result: FileResult) -> None:
        task = await self._task(result.name)
        done = result.outcome is not Outcome.REFUSED
        task.status = cl.TaskStatus.DONE if done else cl.TaskStatus.FAILED
        task.title = inert(result.name)

    async def close(self, cancelled: bool) -> None:
        """An archive that gave its files has no result of its own: with all of them it is done."""
        for name, task in self._tasks.items():
            if not cancelled and task.status in (cl.TaskStatus.READY, cl.TaskStatus.RUNNING):
                task.status, task.title = cl.TaskStatus.DONE, inert(name)
        self._list.status = text("upload_cancelled" if cancelled else "upload_done", self._language)
        await self._list.send()

    async def _task(self, name: str) -> cl.Task:
        if name not in self._tasks:
            self._tasks[name] = cl.Task(title=inert(text("task_wait", self._language, name=name)))
            await self._list.add_task(self._tasks[name])
        return self._tasks[name]


def _summary(results: Sequence[FileResult], usable: bool, language: str) -> str:
    parts = [f"**{text('upload_title', language)}**", inert(views.upload_table(results, language))]
    if usable:
        parts.append(text("upload_ask", language))
    return "\n\n".join(parts)
