"""What the start page says of the knowledge base."""

from __future__ import annotations

from app.start.first_questions import telling_section
from app.start.start_page import start_lines
from core.scope import Scope
from retrieval.knowledge_base import KnowledgeBase


def test_the_start_page_says_what_is_there_and_what_works_without_a_model(filled: KnowledgeBase) -> None:
    with filled.workspace.store.read() as reader:
        rows = reader.visible_documents(Scope())
    holds, last, without = start_lines(rows, "zh", has_model=False)
    assert holds.startswith("知识库里有 2 份文档")
    assert "manual.md" in last
    assert rows[0].updated_at[:10] in last
    assert "原文摘录" in without
    assert len(start_lines(rows, "en", has_model=True)) == 2
    assert start_lines(rows[:1], "en", has_model=True)[0] == "1 document in the knowledge base"


def test_an_empty_base_says_how_to_begin() -> None:
    assert start_lines([], "zh", has_model=True) == ["知识库还是空的。把文件拖进来，就可以直接提问。"]
    assert start_lines([], "en", has_model=True)[0].startswith("The knowledge base is empty.")
    assert start_lines([], "en", has_model=True, name="law")[0].startswith("“law” is empty.")


def test_a_question_to_begin_with_comes_from_the_heading_with_the_most_below_it(
    filled: KnowledgeBase,
) -> None:
    with filled.workspace.store.read() as reader:
        sections = {
            row.name: telling_section(reader.blocks(row.version_id), row.title)
            for row in reader.visible_documents(Scope())
        }
    assert sections == {"handbook.md": "1.2 病假", "manual.md": "Errors"}
    assert telling_section([], "x") == ""
