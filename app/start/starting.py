"""Questions to begin with, which the knowledge base can answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import chainlit as cl

from app import state
from app.start.first_questions import telling_section
from app.texts import text
from core.messages import language_of_tag
from core.scope import Scope
from core.span import Span
from core.store import DocumentRow

_SHOWN: Final = 3
# Enough to find a section, also of a book.
_BEGINNING: Final = Span(0, 30_000)
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
    return starters_about(lasting_documents(viewer), browser_language)


def starters_about(rows: Sequence[DocumentRow], browser_language: str | None) -> list[cl.Starter]:
    """Starters that these documents can answer: those of the samples, then one for each of the last added."""
    language = language_of_tag(browser_language or "")
    names = {row.name for row in rows}
    asked = [
        (label, question)
        for starter_language, document, label, question in _STARTERS
        if starter_language == language and document in names
    ]
    samples = {document for _, document, _, _ in _STARTERS}
    others = [row for row in rows if row.language == language and row.name not in samples]
    asked += _about_sections(others, language)[: max(_SHOWN - len(asked), 0)]
    return [cl.Starter(label=label, message=said, icon="/public/starter.svg") for label, said in asked]


def _about_sections(rows: Sequence[DocumentRow], language: str) -> list[tuple[str, str]]:
    """Labels and questions, about documents that have headings."""
    last = sorted(rows, key=lambda row: row.updated_at, reverse=True)[:_SHOWN]
    asked = []
    with state.knowledge_base().workspace.store.read() as reader:
        for row in last:
            section = telling_section(reader.blocks(row.version_id, _BEGINNING), row.title)
            if section:
                asked.append((section, text("start_question", language, title=row.title, section=section)))
    return asked


def lasting_documents(viewer: str | None) -> list[DocumentRow]:
    """All documents that the user may see, but those of single chats."""
    with state.knowledge_base().workspace.store.read() as reader:
        return list(reader.visible_documents(Scope(viewer=viewer)))
