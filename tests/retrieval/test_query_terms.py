"""Shapes, quotes, identifiers, quantities and dates of a question."""

from __future__ import annotations

import time

import pytest

from retrieval.query.names import DocumentName, NameBook
from retrieval.query.shape import shape_of
from retrieval.query.terms import identifiers, quantities, quotes
from retrieval.query.understand import understand


@pytest.mark.parametrize(
    ("shape", "question"),
    [
        ("list", "心居的主演有哪些"), ("list", "列出所有需要审批的情形"), ("list", "合并原则有哪两种？"),
        ("list", "Which countries are members?"),
        ("list", "list all the obligations of the tenant"), ("list", "What are the stages of the trial?"),
        ("list", "商标侵权的抗辩都有哪些？"),
        ("count", "大沙地站共有几层出口，有几个？"), ("count", "有多少条规则"), ("count", "合同一共有多少条"),
        ("count", "How many clauses mention rent?"),
        ("count", "一共有几次犯罪行为？"),
        ("summary", "总结这份报告"), ("summary", "《公羊学引论》主要内容是什么？"), ("summary", "Give me an overview of the policy"),
        ("summary", "Summarize the risk factors"), ("summary", "概括一下第三章"),
        ("compare", "比较甲公司和乙公司的净利润"), ("compare", "盗窃和抢劫有什么区别？"), ("compare", "甲和乙分别在何时成立？"),
        ("compare", "Compare the net profit of A and B"), ("compare", "difference between index funds and mutual funds"),
        ("compare", "whose judgment time is earlier, Q. Ruiz or J. Gonzalez?"), ("compare", "两份合同的违约金哪个更高"),
        ("fact", "年休假有几天？"), ("fact", "罚款多少元？"), ("fact", "试用期最长几个月？"), ("fact", "造成多少人死亡"),
        ("fact", "第几届奥运会"), ("fact", "哪一年成立？"),
        ("fact", "这个比较常见吗"), ("fact", "斯多克芒用哪句话总结了斥责？"), ("fact", "How many years does it last?"),
        ("fact", "What is the rent?"),
        ("fact", "好几个人说可以，可以吗"), ("fact", "What does this mean?"), ("fact", "Who is the author?"), ("fact", ""),
    ],
)  # fmt: skip
def test_the_wording_tells_the_shape(shape: str, question: str) -> None:
    assert shape_of(question).value == shape


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("什么是“乡里制”？", ["乡里制"]),
        ("又叫”角瓜“？", ["角瓜"]),
        ("「三王一后」中的『三王』", ["三王一后", "三王"]),
        ('it says "could not place order" again', ["could not place order"]),
        ("《关于修改《公司法》的决定》何时生效", ["关于修改《公司法》的决定"]),
        ('a 5" pipe and a 6" pipe', []),
        ("don't and won't", []),
        ("“", []),
    ],
)
def test_quoted_words_are_found(question: str, expected: list[str]) -> None:
    found = quotes(question)
    assert [quote.text for quote in found] == expected
    assert all(question[quote.span.start : quote.span.end].strip() == quote.text for quote in found)
    assert [quote.is_title for quote in found] == ["《" in question] * len(found)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("GB/T 7714-2015的著录格式", ["GB/T 7714-2015"]),
        ("ISO 9001和ISO/IEC 27001:2013", ["ISO 9001", "ISO/IEC 27001:2013"]),
        ("升级到v2.13.0后报错", ["v2.13.0"]),
        ("6.15.0 or 6.14.0?", ["6.15.0", "6.14.0"]),
        ("T-200的转速，E1代码", ["T-200", "E1"]),
        ("CVE-2023-1234 in log4j", ["CVE-2023-1234", "log4j"]),
        ("国发〔2023〕12号的要求", ["国发〔2023〕12号"]),
        ("（2021）京01民终123号判决", ["（2021）京01民终123号"]),
        ("the 10-K of 2022", ["10-K"]),
        ("Q3 2023, FY2022, May-2023 and 2023.05.01", []),
        ("LPR4倍, 5G, 100 km, 3.5%", []),
        ("plain words only", []),
    ],
)
def test_identifiers_are_taken_whole(question: str, expected: list[str]) -> None:
    assert [identifier.text for identifier in identifiers(question)] == expected


def test_numbers_go_with_their_units() -> None:
    found = [
        (q.number, q.unit)
        for q in quantities("罚款1,000万元、5.2％、30天，$32 million and 500 hours, 第5条, A4")
    ]
    assert found == [("1000", "万元"), ("5.2", "%"), ("30", "天"), ("32", "million$"), ("500", "hours")]


def test_a_question_is_understood_at_once() -> None:
    book = NameBook([DocumentName(document_id="a", name="劳动合同法(2012-12-28).md")])
    found = understand("总结劳动合同法第三十二条在2024年5月1日后适用“过失”的情形", book)
    assert found.shape == "summary"
    assert found.documents == ("a",)
    assert [r.number for r in found.references] == ["32"]
    assert found.dates == ("2024-05-01",)
    assert [q.text for q in found.quotes] == ["过失"]
    assert found.reads_whole


@pytest.mark.parametrize(
    ("question", "expected"),
    [("总结这份合同", True), ("列出第三章的要求", True), ("有哪些要求", False), ("这份合同何时到期", False)],
)
def test_a_whole_document_is_read_for_lists_counts_and_summaries_over_it(
    question: str, expected: bool
) -> None:
    assert understand(question).reads_whole is expected


@pytest.mark.parametrize(
    "char", ["第", "“", "《", "1.", "a-", "一", " ", "v1.", "和哪个", "what are the ", "第一条至"]
)
def test_no_question_takes_long(char: str) -> None:
    """Patterns must not explode on what repeats."""
    started = time.perf_counter()
    understand(char * (4000 // len(char)))
    assert time.perf_counter() - started < 1.0
