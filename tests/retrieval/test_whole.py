"""Whole documents read without a model: sections, lists, counts and summaries, cited to the character."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from core.document import BlockKind
from core.read_share import ReadShare, read_line
from core.settings import Settings
from core.span import is_blank
from ingest.indexes.search_index import Allowed
from retrieval.knowledge_base import KnowledgeBase
from retrieval.query.names import DocumentName, NameBook
from retrieval.query.understand import understand
from retrieval.query.understood import Part
from retrieval.whole.numbered import asked_part
from retrieval.whole.read import read_whole
from retrieval.whole.stretch import gather, versions_to_read
from tests.whole_base import CITIES, REPORT, STATUTE, SUPPLIERS, assert_lawful, gathered, holding, read


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("whole")
    settings = Settings(home=folder / "home", embedding={"name": "hashing"})  # type: ignore[arg-type]
    base = holding(settings, folder / "docs", names=SUPPLIERS, statute=STATUTE, report=REPORT)
    yield base
    base.workspace.close()


def test_a_list_of_thirty_is_found_whole_where_a_search_finds_a_few(stored: KnowledgeBase) -> None:
    question = "这份名册里列出了哪些供应商？"
    answer = read(stored, question, "names")
    for number, city in enumerate(CITIES):
        cited = [c for c in answer.draft.citations if f"编号{100 + number}号" in c.text]
        assert len(cited) == 1
        assert city in cited[0].text
    assert "至少有 30 项" in answer.draft.text
    assert answer.share.percent == 100
    assert answer.method == "extractive"
    assert answer.draft.notes == ("note_whole_extractive",)
    found = stored.search(question)
    assert sum(city in passage.text for passage in found.passages for city in CITIES) < 15


def test_entries_hold_every_visible_character_of_the_body_once(stored: KnowledgeBase) -> None:
    for name in ("names", "statute", "report"):
        stretch = gathered(stored, "总结全文", name)
        source = next(iter(stretch.sources.values()))
        spans = [entry.span for entry in stretch.entries]
        assert all(a.end <= b.start for a, b in pairwise(spans))
        covered = {place for span in spans for place in range(span.start, span.end)}
        text = source.version.text
        assert not [text[i] for i in range(len(text)) if i not in covered and not is_blank(text[i])]
        assert [entry.span.of(text) for entry in stretch.entries] == [entry.text for entry in stretch.entries]


def test_a_long_paragraph_is_cut_between_sentences_and_nothing_is_lost(
    settings: Settings, tmp_path: Path
) -> None:
    text = "".join(f"第{n}批货物已经在码头卸下并且入库。" for n in range(200)) + "\n\n" + "字" * 2000
    base = holding(settings, tmp_path / "docs", long=text)
    stretch = gathered(base, "总结全文", "long")
    assert max(len(entry.span) for entry in stretch.entries) <= 800
    assert "".join(entry.text for entry in stretch.entries) == text.replace("\n", "")
    assert all(entry.text.endswith("。") for entry in stretch.entries[:4])
    base.workspace.close()


@pytest.mark.parametrize(
    ("question", "count", "first", "last"),
    [
        ("这份规定一共有多少条？", 5, "第一条", "第五条"),
        ("这份规定有几章？", 3, "第一章", "第三章"),
        ("这份规定分为哪几章？", 3, "第一章", "第三章"),
        ("第二章有多少条？", 2, "第三条", "第四条"),
    ],
)
def test_what_a_document_numbers_is_counted_by_its_numbers(
    stored: KnowledgeBase, question: str, count: int, first: str, last: str
) -> None:
    answer = read(stored, question, "statute")
    assert f"共找到 {count} 项" in answer.draft.text
    assert answer.draft.notes == ("note_whole_structure",)
    cited = [citation.text.lstrip("# ") for citation in answer.draft.citations]
    assert len(cited) == count
    assert cited[0].startswith(first)
    assert cited[-1].startswith(last)
    # The chapter itself is cited, not the line of the table of contents.
    is_chapter = first == "第一章"
    assert all(citation.text.startswith("## ") == is_chapter for citation in answer.draft.citations)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("这份规定一共有多少条？", Part.ARTICLE),
        ("院落管理规定有多少条条文？", Part.ARTICLE),
        ("院落管理规定共有多少条？", Part.ARTICLE),
        ("How many chapters are there in this document?", Part.CHAPTER),
        ("List all sections of this regulation.", Part.SECTION),
        # On some subject alone, by another measure, or something else that is counted.
        ("关于自行车的规定有几条？", None),
        ("这份规定有多少条款提到自行车？", None),
        ("How many articles mention bicycles in this regulation?", None),
        ("第几条规定了车辆？", None),
        ("这份规定提到几条路？", None),
        ("院落里有多少条狗？", None),
    ],
)
def test_only_all_parts_of_a_kind_are_counted_by_number(
    stored: KnowledgeBase, question: str, part: Part | None
) -> None:
    assert asked_part(understand(question), gathered(stored, question, "statute")) is part


def test_items_stand_for_the_line_that_leads_them(stored: KnowledgeBase) -> None:
    answer = read(stored, "车辆进入院落要满足哪些条件？", "statute")
    texts = [citation.text for citation in answer.draft.citations]
    assert [text for text in texts if text.startswith("（")] == [
        "（一）持有通行证；",
        "（二）时速不超过五公里；",
        "（三）不鸣笛。",
    ]
    assert not any("东门" in text for text in texts)


def test_rows_are_shown_under_their_header(stored: KnowledgeBase) -> None:
    answer = read(stored, "List all ports and goods in this report.", "report")
    assert "Port | Goods | Tonnes" in answer.draft.text
    assert "1. Brest | grain | 400 [1]" in answer.draft.text
    assert [citation.text for citation in answer.draft.citations] == [
        "| Brest | grain | 400 |",
        "| Cork | timber | 900 |",
    ]


def test_a_summary_has_each_section_in_order_and_quotes_it(stored: KnowledgeBase) -> None:
    answer = read(stored, "Summarise this report.", "report")
    text = answer.draft.text
    assert text.index("**Storms**") < text.index("**Staff**")
    # The source's own reference is no marker of ours.
    assert "Storms damaged the north pier ［7］." in text
    assert read_line(answer.share, "en") == "Read 100 % of the document (sections: 3)"
    assert read_line(answer.share, "zh") == "已通读全文 100%（3 节）"


@pytest.mark.parametrize(
    ("question", "section", "name"),
    [
        ("第二章主要讲了什么？", "", "第二章 车辆"),
        ("总结一下“车辆”部分", "", "车辆"),
        ("总结一下车辆这一章", "", "车辆"),
        ("总结这份规定", "第二章", "第二章 车辆"),
        ("总结这份规定", "车辆", "车辆"),
    ],
)
def test_a_section_alone_is_read(stored: KnowledgeBase, question: str, section: str, name: str) -> None:
    answer = read(stored, question, "statute", section=section)
    assert answer.share.section == name
    assert answer.share.percent == 100
    assert answer.share.parts == 1
    assert answer.draft.answered
    assert all("第二章 车辆" in passage.section_path for passage in answer.passages)
    assert name in read_line(answer.share, "zh")


def test_a_section_that_is_not_there_is_said(stored: KnowledgeBase) -> None:
    answer = read(stored, "总结第九章", "statute")
    assert "note_whole_no_section" in answer.draft.notes
    assert answer.share.section == ""
    # Of two documents the one that has the section is read.
    other = read(stored, "总结第二章", "report", "statute")
    assert "note_whole_no_section" not in other.draft.notes
    assert {passage.doc for passage in other.passages} == {"statute.md"}


def test_words_inside_a_sentence_name_no_section(stored: KnowledgeBase) -> None:
    assert gathered(stored, "这份规定列出了哪些车辆？", "statute").section == ""
    assert gathered(stored, "List all staff in this report.", "report").section == ""
    assert gathered(stored, "Summarise the Staff section.", "report").section == "Staff"


def test_several_documents_are_read_one_after_the_other(stored: KnowledgeBase) -> None:
    answer = read(stored, "总结全文", "statute", "report")
    documents = [answer.passages[citation.passage].doc for citation in answer.draft.citations]
    assert list(dict.fromkeys(documents)) == ["statute.md", "report.md"]
    assert documents == sorted(documents, reverse=True)
    assert answer.share.parts == 3 + 1 + 3


def test_a_summary_on_one_subject_is_about_it_alone(settings: Settings, tmp_path: Path) -> None:
    record = (
        "# 住院病历\n\n个人史：\n\n不吸烟。\n\n现病史：\n\n患者一周前感到疲乏。\n\n食欲减退三天。\n\n"
        "体格检查：\n\n体温三十九度。\n\n诊断：\n\n据现病史考虑肝炎。\n"
    )
    base = holding(settings, tmp_path / "docs", record=record)
    # The clause in front says where to look, not what for.
    answer = read(base, "根据某医院的住院病历与体格检查，总结现病史。", "record")
    assert [citation.text for citation in answer.draft.citations] == [
        "现病史：",
        "患者一周前感到疲乏。",
        "食欲减退三天。",
        "据现病史考虑肝炎。",
    ]
    assert not read(base, "总结这份文件里的航运业务", "record").draft.answered
    base.workspace.close()


def test_nothing_that_answers_is_no_answer(stored: KnowledgeBase) -> None:
    answer = read(stored, "这份报告里有哪些航空公司？", "report")
    assert not answer.draft.answered
    assert answer.draft.text == ""
    assert answer.share.percent == 100


def test_an_empty_document_is_no_answer(stored: KnowledgeBase) -> None:
    with stored.workspace.store.read() as reader:
        stretch = gather(reader, [], understand("总结全文"))
    answer = read_whole(understand("总结全文"), stretch, None, max_tokens=1000)
    assert_lawful(answer, stretch)
    assert not answer.draft.answered
    assert answer.share == ReadShare(read_chars=0, all_chars=0, parts_read=0, parts=0)
    assert read_line(answer.share, "en") == "The document holds no text to read"


def test_a_document_of_headings_alone_can_be_counted(settings: Settings, tmp_path: Path) -> None:
    base = holding(settings, tmp_path / "docs", bare="# 第一章 甲\n\n# 第二章 乙\n")
    assert {entry.kind for entry in gathered(base, "总结全文", "bare").entries} == {BlockKind.HEADING}
    assert "共找到 2 项" in read(base, "全文一共有几章？", "bare").draft.text
    assert not read(base, "总结全文", "bare").draft.answered
    base.workspace.close()


def test_which_versions_are_read(stored: KnowledgeBase) -> None:
    with stored.workspace.store.read() as reader:
        rows = {row.name: row for row in reader.document_names()}
        book = NameBook(
            [DocumentName(document_id=row.document_id, name=name, title="") for name, row in rows.items()]
        )
        one = frozenset({rows["report.md"].version_id})

        def versions(question: str, allowed: Allowed = None) -> tuple[str, ...]:
            return versions_to_read(understand(question, book), reader, allowed)

        assert versions("List all ports in this report.", one) == tuple(one)
        # Which of several "this report" is, nothing tells.
        assert versions("List all ports in this report.") == ()
        assert versions("List all ports in report.md.") == tuple(one)
        assert versions("List all ports in report.md.", frozenset({rows["names.md"].version_id})) == ()
        assert versions("Which port takes timber in report.md?", one) == ()
        both = versions("总结《statute.md》和《report.md》")
        assert both == (rows["statute.md"].version_id, rows["report.md"].version_id)


def test_less_than_everything_is_never_called_everything() -> None:
    almost = ReadShare(read_chars=9999, all_chars=10000, parts_read=6, parts=13, unread=tuple("abcdefg"))
    assert almost.percent == 99
    assert read_line(almost, "en") == (
        "Read 99 % of the document (6 of 13 sections); not wholly read: a, b, c, d, e and 2 more"
    )
    assert read_line(almost, "zh") == "已读全文的 99%（13 节中的 6 节）；未读完：a、b、c、d、e 等另外 2 节"
