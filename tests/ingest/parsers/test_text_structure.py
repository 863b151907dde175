"""Plain text: headings told apart from lists and sentences, tables, code, paragraphs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import BlockKind, Document
from core.errors import EmptyDocumentError
from ingest.parsers.outline import LIST_ITEM, is_rule, numbered_heading_level
from ingest.parsers.text.parser import TextParser
from tests.conftest import SHARED


def parsed(source: str) -> Document:
    document = TextParser().parse(source.encode(), "x.txt")
    assert document.text == source
    return document


def headings(source: str) -> list[tuple[int, str]]:
    blocks = parsed(source).blocks
    return [(b.level, b.section_path[-1]) for b in blocks if b.kind is BlockKind.HEADING]


def of_kind(source: str, kind: BlockKind) -> list[str]:
    return [block.span.of(source) for block in parsed(source).blocks if block.kind is kind]


BODY = "Some words of text that follow, long enough to be a body of their own."
ZH_BODY = "这里是正文的内容，说明本节规定的事项以及适用的范围。"


def test_a_decimal_outline_is_an_outline() -> None:
    source = f"Manual\n\n1 Scope\n\n{BODY}\n\n1.1 Purpose\n{BODY}\n1.2 Terms\n{BODY}\n\n2 Safety\n\n{BODY}\n"
    assert headings(source) == [(1, "1 Scope"), (2, "1.1 Purpose"), (2, "1.2 Terms"), (1, "2 Safety")]


def test_a_numbered_list_is_no_outline() -> None:
    source = f"Steps:\n\n1. Open the cover\n2. Take the filter out\n3. Close it\n\n{BODY}\n"
    assert headings(source) == []
    assert of_kind(source, BlockKind.LIST_ITEM) == [
        "1. Open the cover",
        "2. Take the filter out",
        "3. Close it",
    ]


def test_clauses_and_contents_are_no_headings() -> None:
    clauses = "1.1 甲方应当按时付款。\n1.2 乙方应当按时交货。\n1.3 双方应当保密。\n"
    assert headings(clauses) == []
    assert len(of_kind(clauses, BlockKind.LIST_ITEM)) == 3
    assert headings(f"目录\n第一章 总则 ........ 1\n第二章 附则 ........ 9\n\n第一章 总则\n{ZH_BODY}\n") == [
        (2, "第一章 总则")
    ]


def test_chinese_levels_nest() -> None:
    source = (
        f"通知\n\n一、总体要求\n{ZH_BODY}\n二、重点任务\n（一）加强领导\n{ZH_BODY}\n（二）落实责任\n{ZH_BODY}\n"
        f"三、保障措施\n{ZH_BODY}\n"
    )
    assert headings(source) == [
        (1, "一、总体要求"),
        (1, "二、重点任务"),
        (2, "（一）加强领导"),
        (2, "（二）落实责任"),
        (1, "三、保障措施"),
    ]
    items = "下列情形除外：\n（一）租赁的；\n（二）借用的；\n一、甲方违约的。\n二、乙方违约的。\n"
    assert headings(items) == []


def test_divisions_stand_above_chapters() -> None:
    source = (
        f"第三编 合同\n\n第一分编 通则\n\n第一章 一般规定\n\n第四百六十三条 {ZH_BODY}\n\n附则\n\n{ZH_BODY}\n"
    )
    paths = [block.section_path for block in parsed(source).blocks if block.kind is BlockKind.PARAGRAPH]
    assert paths == [("第三编 合同", "第一分编 通则", "第一章 一般规定"), ("附则",)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("第一章总则", True),
        ("第三回 风雪山神庙", True),
        ("第二節 適用範圍", True),
        ("第一章规定的情形", False),
        ("第二节课讲函数", False),
        ("CHAPTER IV", True),
        ("Section 4.2 Payment Terms", True),
        ("Article 5", True),
        ("Article 5 shall apply to all members", False),
        ("Part of the agreement", False),
        ("RISK FACTORS", True),
        ("NASA", False),
        ("鉴于整行删除 VIM 的频度 所以", False),
        ("FIRST, WE WILL DO THIS.", False),
        ("=== Third", True),
        ("# Marked", True),
    ],
)
def test_one_line(line: str, found: bool) -> None:
    source = f"A file about things\n\n{line}\n\n{BODY} {BODY}\n"
    assert bool(headings(source)) is found


def test_underlined_headings_and_rules() -> None:
    source = f"=====\nTitle\n=====\n\nFirst part\n----------\n{BODY}\n\n----------\n{BODY}\n\nSecond part\n-----------\n{BODY}\n"
    assert headings(source) == [(1, "Title"), (2, "First part"), (2, "Second part")]


def test_comments_are_no_headings() -> None:
    assert headings("# one\n# two\nkey = 1\n") == []


def test_wrapped_and_indented_paragraphs() -> None:
    wrapped = "The pump must\nnever run dry, see\n1999 report (see\nbelow).\n\n    Indented all the way\n    for two lines.\nnext\n"
    assert [text.split()[0] for text in of_kind(wrapped, BlockKind.PARAGRAPH)] == ["The", "Indented"]
    chinese = "　　第一段的文字，到此为止。\n　　第二段的文字，也到此为止。\n"
    assert len(of_kind(chinese, BlockKind.PARAGRAPH)) == 2


def test_a_hanging_list_item_is_one_block() -> None:
    assert of_kind("- one thing\n  goes on\n- two\n", BlockKind.LIST_ITEM) == [
        "- one thing\n  goes on",
        "- two",
    ]


@pytest.mark.parametrize(
    "table",
    [
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+",
        "城市\t标准\n北京\t400\n上海\t450",
        "Item    Size  Price\nPump       5  12.00\nFilter   120   3.50",
    ],
)
def test_tables(table: str) -> None:
    assert of_kind(f"Before it.\n\n{table}\n\nAfter it.\n", BlockKind.TABLE) == [table]


def test_double_spaces_in_prose_are_no_table() -> None:
    source = "It ends.  Then it\ngoes on.  And it is\nprose.  Nothing more\nthan that.\n"
    assert of_kind(source, BlockKind.TABLE) == []


def test_code_by_indent_and_fence() -> None:
    code = "for x in xs:\n        total = total + x\n    print(total)"
    source = f"Run this:\n\n    {code}\n\nThen:\n\n```\n# not a heading\n```\n"
    assert of_kind(source, BlockKind.CODE) == [code, "```\n# not a heading\n```"]


def test_list_items_by_their_first_characters() -> None:
    for line in ("1. a", "2）乙", "(iv) x", "①", "3、丙", "• x", "a) x", "1.2 条款"):
        assert LIST_ITEM.match(line), line
    for line in ("3.5 million", "3.5万元", "(see below)", "2023 was", "U.S. law", "第一条 x"):
        assert not LIST_ITEM.match(line), line
    assert [numbered_heading_level(x) for x in ("1.2 Scope", "3 范围", "1.2 is small", "x")] == [
        2,
        1,
        None,
        None,
    ]


@given(st.text(alphabet="#-=*|第一章条节、（）1. \t\n\raA文。；", max_size=100))
def test_every_visible_line_is_in_a_block(source: str) -> None:
    try:
        document = TextParser().parse(source.encode(), "x.txt")
    except EmptyDocumentError:
        return
    ends = [0] + [block.span.end for block in document.blocks]
    assert all(end <= block.span.start for end, block in zip(ends, document.blocks, strict=False))
    kept = "".join(block.span.of(source) for block in document.blocks)
    lines = [line for line in re.split(r"[\r\n]", source) if line.strip() and not is_rule(line)]
    assert all(line.strip() in kept for line in lines)


@pytest.mark.shared
def test_statutes_keep_their_levels_without_any_markup() -> None:
    path = SHARED / "data/zh_statutes_lecoqa/corpus/刑法.md"
    source = re.sub(r"(?m)^#+ ", "", path.read_text("utf-8"))
    starts = {block.span.start: block.section_path for block in parsed(source).blocks}
    articles = [found.start() for found in re.finditer(r"(?m)^第[一二三四五六七八九十百零]+条", source)]
    assert len(articles) > 450
    assert all(at in starts for at in articles)
    robbery = source.index("第二百六十三条 ")
    assert starts[robbery] == ("第二编 分则", "第五章 侵犯财产罪")
