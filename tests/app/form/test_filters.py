"""What the filter's form is read as, and how it is said above an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.form.filters import Filter, described, read_filter
from core.scope import Scope
from core.store import DocumentRow
from retrieval.knowledge_base import KnowledgeBase


@pytest.fixture
def rows(filled: KnowledgeBase) -> tuple[DocumentRow, ...]:
    with filled.workspace.store.read() as reader:
        return reader.documents()


def test_an_empty_form_filters_nothing(rows: tuple[DocumentRow, ...]) -> None:
    empty = {"collections": [], "documents": [], "kinds": [], "since": "", "until": " "}
    for values in ({}, empty, dict.fromkeys(empty)):
        read = read_filter(values, rows, "zh")
        assert not read.filter
        assert not read.problems
        whole = Scope(chat="chat:1", viewer="ann")
        assert read.filter.narrowed(whole) == whole


def test_a_form_becomes_a_scope(rows: tuple[DocumentRow, ...]) -> None:
    handbook = next(row for row in rows if row.name == "handbook.md")
    values = {
        "collections": ["default"],
        "documents": [handbook.id],
        "kinds": ["md"],
        "since": "2024年5月",
        "until": "2025",
    }
    read = read_filter(values, rows, "zh")
    assert not read.problems
    assert read.filter.narrowed(Scope(chat="chat:1")) == Scope(
        chat="chat:1",
        collections=("default",),
        documents=(handbook.id,),
        kinds=("md",),
        since="2024-05",
        until="2025",
    )
    assert described(read.filter, 1, "zh") == "default · handbook.md · MD · 2024-05 至 2025 · 1 份文档"
    assert described(read.filter, 0, "en") == (
        "default · handbook.md · MD · 2024-05 to 2025 · no document fits"
    )


def test_a_document_is_named_by_part_of_its_name(rows: tuple[DocumentRow, ...]) -> None:
    read = read_filter({"documents": ["HANDB"]}, rows, "en")
    assert read.filter.names == ("handbook.md",)


@pytest.mark.parametrize("values", [{"since": "soon"}, {"until": "soon"}, {"documents": ["soon"]}])
def test_what_cannot_be_understood_is_told_and_left_out(
    rows: tuple[DocumentRow, ...], values: dict[str, object]
) -> None:
    for language in ("zh", "en"):
        read = read_filter(values | {"kinds": ["md"]}, rows, language)
        assert read.filter == Filter(kinds=("md",))
        assert ["soon" in problem for problem in read.problems] == [True]


def test_many_documents_and_half_a_period_stay_one_short_line() -> None:
    many = Filter(documents=("1", "2", "3"), names=("a.md", "b.md", "c.md"), since="2024")
    assert described(many, 3, "zh") == "a.md 及另外 2 份 · 2024 起 · 3 份文档"
    two = replace(many, names=("a.md", "b.md"), since="", until="2020", collections=("x", "y"))
    assert described(two, 2, "en") == "x, y · a.md, b.md · until 2020 · documents: 2"
