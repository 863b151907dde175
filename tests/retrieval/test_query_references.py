"""Numbered parts in questions and texts: Chinese and Arabic numbers meet, other numbers are left alone."""

from __future__ import annotations

import pytest

from retrieval.query.heads import best_fit, head_of
from retrieval.query.numerals import number_of, roman_of
from retrieval.query.references import references


def named(text: str) -> list[str]:
    return [
        " ".join(f"{part}:{number}" for part, number in (*r.outer, (r.part, r.number), *r.inner))
        for r in references(text)
    ]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("三十二", "32"), ("十", "10"), ("十二", "12"), ("一百零五", "105"), ("一百二十", "120"), ("一千零七十九", "1079"),
        ("二〇二四", "2024"), ("廿三", "23"), ("32", "32"), ("３２", "32"), ("4.2", "4.2"), ("4．02", "4.2"), ("007", "7"), ("A", "A"),
    ],
)  # fmt: skip
def test_numbers_are_read_however_they_are_written(written: str, number: str) -> None:
    assert number_of(written) == number


def test_roman_numerals_are_read() -> None:
    assert [roman_of(written) for written in ("I", "IV", "IX", "XIV", "XL")] == ["1", "4", "9", "14", "40"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("劳动合同法第三十二条规定了什么？", ["article:32"]),
        ("劳动合同法第32条规定了什么？", ["article:32"]),
        ("劳动合同法第 ３２ 条", ["article:32"]),
        ("民法典1079条怎么说", ["article:1079"]),
        ("第三条第二款是什么意思", ["article:3 paragraph:2"]),
        ("刑法第三百零三条第一款第（二）项", ["article:303 paragraph:1 item:2"]),
        ("刑法第一百二十条之一", ["article:120-1"]),
        ("第二章第三节的内容", ["chapter:2 section:3"]),
        ("第十条至第十二条", ["article:10", "article:11", "article:12"]),
        ("比较第五条和第七条", ["article:5", "article:7"]),
        ("合同4.2节怎么约定", ["section:4.2"]),
        ("附件一有什么", ["annex:1"]),
        ("附录B", ["annex:B"]),
        ("表3的数据", ["table:3"]),
        ("第12页写了什么", ["page:12"]),
        ("What does Article 32 say?", ["article:32"]),
        ("explain section 4.2 and §5.1", ["section:4.2", "section:5.1"]),
        ("Clause 7(b)(ii) of the lease", ["clause:7 item:b item:ii"]),
        ("Sections 4.2, 4.3 and 5", ["section:4.2", "section:4.3", "section:5"]),
        ("articles 3 to 6", ["article:3", "article:4", "article:5", "article:6"]),
        ("Article IV of the treaty", ["article:4"]),
        ("Part I of the report, Appendix C", ["book:1", "annex:C"]),
        ("See Table 2 on page 9", ["table:2", "page:9"]),
    ],
)
def test_parts_that_are_named_are_found(question: str, expected: list[str]) -> None:
    assert named(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "中国第一条铁路是哪一年修的？", "第一条件是什么", "第三款手机多少钱", "第一届奥运会", "第二节课讲什么", "第四条地铁线", "第一章鱼",
        "公司有20条规定", "这份规定有20条吗", "5条建议", "在第一编辑部工作", "表1个态", "图3个人",
        "the part I want to see", "which part is broken", "in 4.2 seconds", "a section of 12 pages", "Is chapter one good?", "50% of 3",
        "article about 5G", "items 3% cheaper",
    ],
)  # fmt: skip
def test_other_numbers_name_no_part(question: str) -> None:
    assert named(question) == []


def test_behind_the_name_of_a_document_an_article_needs_no_sign() -> None:
    question = "证据的若干规定41条怎么说"
    assert named(question) == []
    assert [r.number for r in references(question, {question.index("41")})] == ["41"]


def test_spans_lie_over_the_question() -> None:
    question = "请问《劳动法》第三条第二款和第5条"
    assert [question[r.span.start : r.span.end] for r in references(question)] == ["第三条第二款", "第5条"]


@pytest.mark.parametrize(
    ("line", "part", "number"),
    [
        ("第三十二条 用人单位应当", "article", "32"),
        ("## 第一章  总则", "chapter", "1"),
        ("**第32条**【解除】", "article", "32"),
        ("第一百二十条之一 资助", "article", "120-1"),
        ("附件一 清单", "annex", "1"),
        ("Section 4.2 Payment", "section", "4.2"),
        ("§ 5 Notices", "section", "5"),
        ("ARTICLE IV", "article", "4"),
        ("### 4.2 Payment", None, "4.2"),
        ("4.2付款", None, "4.2"),
        ("七、附则", None, "7"),
    ],
)
def test_the_part_that_a_line_opens(line: str, part: str | None, number: str) -> None:
    head = head_of(line)
    assert head is not None
    assert (head.part, head.number) == (part, number)


@pytest.mark.parametrize(
    "line", ["用人单位应当", "2024年5月", "100% cotton", "第一条件是", "Item of interest", "Mix I", ""]
)
def test_other_lines_open_none(line: str) -> None:
    assert head_of(line) is None


def test_a_part_fits_its_own_number_and_name_only() -> None:
    article, section, clause = references("第32条 Section 4.2 Clause 7")
    assert best_fit(article, ["第三十二条 应当"]) == 1
    assert best_fit(article, ["第三十三条 应当", "第三十二章"]) == 0
    assert best_fit(section, ["4.2 Payment"]) == best_fit(section, ["Clause 4.2"]) == 1
    assert best_fit(section, ["4.20 Payment", "4.2.1 Dates", "Table 4.2"]) == 0
    assert 0 < best_fit(clause, ["7. Notices"]) < 1
