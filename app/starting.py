"""The first screen: what the knowledge base holds, and questions to begin with."""

from __future__ import annotations

import asyncio
from typing import Final

import chainlit as cl

from app import state
from app.texts import text
from core.messages import language_of_tag
from core.scope import Scope
from core.store import DocumentRow

# Questions about the samples, by the document that answers them; shown while that document is stored.
_STARTERS: Final = (
    ("zh", "员工手册.md", "远程办公的条件", "怀孕满28周的员工申请远程办公，还要满足哪些条件？"),
    ("zh", "仪器设备管理办法.pdf", "校准延期", "校准在什么条件下可以延期，最多延多久？"),
    ("zh", "员工手册.md", "年休假天数", "司龄4年的员工每年有多少天年休假？"),
    ("en", "spruce-t200-manual.md", "Calibrating", "Under which conditions may the T200 be calibrated?"),
    (
        "en",
        "spruce-t200-manual.md",
        "New probe",
        "Does a T200 need recalibration after its probe was replaced?",
    ),
    ("en", "spruce-t200-manual.md", "Warranty", "How long is the warranty, and what does it not cover?"),
)


def starters_for(browser_language: str | None, viewer: str | None) -> list[cl.Starter]:
    """Starters in the browser's language that the documents shown to ``viewer`` can answer."""
    language = language_of_tag(browser_language or "")
    names = {row.name for row in lasting_documents(viewer)}
    return [
        cl.Starter(label=label, message=question, icon="/public/starter.svg")
        for starter_language, document, label, question in _STARTERS
        if starter_language == language and document in names
    ]


def lasting_documents(viewer: str | None) -> list[DocumentRow]:
    """All documents that the user may see, but those of single chats."""
    with state.knowledge_base().workspace.store.read() as reader:
        return list(reader.visible_documents(Scope(viewer=viewer)))


async def welcome() -> None:
    """Say once what works without a chat model; the start page itself stays free for the starters."""
    rows = await asyncio.to_thread(lasting_documents, state.viewer())
    language = state.language()
    if rows:
        return
    lines = [text("welcome_empty", language)]
    if not state.knowledge_base().settings.has_chat_model:
        lines.append(text("no_model", language))
    await cl.Message(content="\n\n".join(lines), author="Youju").send()
