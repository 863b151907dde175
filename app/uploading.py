"""Files dropped into the chat: read in a thread, progress as tasks, the result as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import chainlit as cl

from app import state, views
from app.bridge import Bridge
from app.sanitize import inert
from app.texts import text
from ingest.pipeline import Ingest
from ingest.report import FileResult, IngestReport, Outcome, Progress
from ingest.sources import Source

Event = Progress | FileResult | IngestReport


def sources_of(elements: Sequence[cl.Element]) -> list[Source]:
    """The uploaded files under the names that people gave them."""
    return [
        Source(name=Path(element.name).name, path=Path(element.path))
        for element in elements
        if element.path and element.name
    ]


async def add_files(sources: Sequence[Source]) -> bool:
    """Add the files to this chat's own collection; true when at least one can be asked about."""
    language = state.language()
    workspace, collection = state.knowledge_base().workspace, state.chat_collection()

    def work(post: Callable[[Event], None]) -> None:
        ingest = Ingest(workspace, on_progress=post, on_result=post, cancelled=lambda: bridge.cancelled())
        post(ingest.add_sources(sources, collection))

    bridge = Bridge[Event](work)
    tasks = {source.name: cl.Task(title=text("task_wait", language, name=source.name)) for source in sources}
    board = cl.TaskList()
    board.status = text("upload_working", language)
    for task in tasks.values():
        await board.add_task(task)
    await board.send()
    results: list[FileResult] = []
    try:
        async for event in bridge:
            if isinstance(event, Progress):
                _show_progress(tasks[event.name], event, language)
                await board.send()
            elif isinstance(event, FileResult):
                results.append(event)
                done = event.outcome is not Outcome.REFUSED
                tasks[event.name].status = cl.TaskStatus.DONE if done else cl.TaskStatus.FAILED
                tasks[event.name].title = event.name
    finally:
        finished = len(results) == len(sources)
        board.status = text("upload_done" if finished else "upload_cancelled", language)
        await board.send()
    usable = any(result.outcome is not Outcome.REFUSED for result in results)
    await cl.Message(content=_summary(results, usable, language), author="Youju").send()
    return usable


def _show_progress(task: cl.Task, progress: Progress, language: str) -> None:
    task.status = cl.TaskStatus.RUNNING
    task.title = text(
        f"task_{progress.stage.value}",
        language,
        name=progress.name,
        done=progress.done,
        total=progress.total,
    )


def _summary(results: Sequence[FileResult], usable: bool, language: str) -> str:
    parts = [f"**{text('upload_title', language)}**", inert(views.upload_table(results, language))]
    if usable:
        parts.append(text("upload_ask", language))
    return "\n\n".join(parts)
