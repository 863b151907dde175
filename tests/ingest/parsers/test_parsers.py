"""Text and Markdown: the document's text is the file's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import BlockKind, Document
from core.errors import EmptyDocumentError
from ingest.parsers.text.markdown import MarkdownParser, markdown_title
from ingest.parsers.text.parser import TextParser
from tests.support import HANDBOOK


def headings(document: Document) -> list[tuple[int, str]]:
    return [(b.level, b.section_path[-1]) for b in document.blocks if b.kind is BlockKind.HEADING]


def test_markdown_keeps_its_source_and_knows_its_structure() -> None:
    document = MarkdownParser().parse(HANDBOOK.encode(), "handbook.md")
    assert document.text == HANDBOOK
    assert document.title == "星河公司员工手册"
    assert document.language == "zh"
    assert headings(document)[:3] == [(1, "星河公司员工手册"), (2, "第一章 休假"), (3, "1.1 年休假")]
    table = next(block for block in document.blocks if block.kind is BlockKind.TABLE)
    assert table.span.of(document.text).startswith("| 城市")
    assert table.section_path == ("星河公司员工手册", "第二章 差旅", "2.1 住宿标准")
    assert sum(block.kind is BlockKind.LIST_ITEM for block in document.blocks) == 3


def test_markdown_with_front_matter_fences_and_odd_line_ends() -> None:
    source = "---\ntitle: x\n---\r\n# A\rtext\r\n\r\n```py\n# no heading\n```\n\nSetext\n======\nend\n"
    document = MarkdownParser().parse(source.encode(), "x.md")
    assert document.text == source
    assert headings(document) == [(1, "A"), (1, "Setext")]
    fence = [b.span.of(source) for b in document.blocks if b.kind is BlockKind.CODE]
    assert fence == ["---\ntitle: x\n---", "```py\n# no heading\n```"]


def blocks_of(source: str) -> list[tuple[str, str]]:
    document = MarkdownParser().parse(source.encode(), "x.md")
    assert document.text == source
    return [(block.kind.value, block.span.of(source)) for block in document.blocks]


def test_every_item_of_a_nested_list_is_its_own_block() -> None:
    source = (
        "- one\n  goes on\n\n  second paragraph\n    - inner\n\n      ```sh\n      run\n      ```\n\n"
        "  after\n- two\n  1. a\n     | x | y |\n     | - | - |\n     | 1 | 2 |\n-\n- three\n"
    )
    assert blocks_of(source) == [
        ("list_item", "- one\n  goes on\n\n  second paragraph"),
        ("list_item", "- inner"),
        ("code", "```sh\n      run\n      ```"),
        ("paragraph", "after"),
        ("list_item", "- two"),
        ("list_item", "1. a"),
        ("table", "| x | y |\n     | - | - |\n     | 1 | 2 |"),
        ("list_item", "- three"),
    ]


def test_deeper_lists_than_markdown_readers_go_are_still_kept() -> None:
    source = "".join(f"{'  ' * depth}- item {depth}\n" for depth in range(120))
    kept = "".join(text for _, text in blocks_of(source))
    assert all(f"item {depth}" in kept for depth in range(120))


def test_formulas_footnotes_comments_and_html_headings() -> None:
    source = (
        "$$\na\n=\nb\n$$\n\nText[^1] and more[^2].\n\n[^1]: First note.\n[^2]: Second.\n\n"
        "<!-- INFO\n\nEND -->\n\n<h2 align='center'>Two <b>words</b></h2>\n\n---\n\n[link]: http://x.test\n\n\\# no\n"
    )
    assert blocks_of(source) == [
        ("paragraph", "$$\na\n=\nb\n$$"),
        ("paragraph", "Text[^1] and more[^2]."),
        ("paragraph", "[^1]: First note."),
        ("paragraph", "[^2]: Second."),
        ("heading", "<h2 align='center'>Two <b>words</b></h2>"),
        ("paragraph", "\\# no"),
    ]
    document = MarkdownParser().parse(source.encode(), "x.md")
    assert headings(document) == [(2, "Two words")]


def test_articles_begin_blocks_of_their_own() -> None:
    source = "## 第一章 总则\n第一条 为了规范，制定本法。\n第二条　适用范围。\n  第三条之一 例外。\n"
    assert [text[:4] for kind, text in blocks_of(source) if kind == "paragraph"] == [
        "第一条 ",
        "第二条　",
        "第三条之",
    ]


def test_a_paragraph_over_a_line_is_no_heading() -> None:
    source = "A sentence that goes on. " * 20 + "\n====\n"
    assert [kind for kind, _ in blocks_of(source)] == ["paragraph"]


def test_front_matter_names_the_document_and_rules_are_no_front_matter() -> None:
    named = MarkdownParser().parse(b"---\ntitle: 'A: b'\ntags:\n  - x\n---\n# Other\n\ntext\n", "x.md")
    assert named.title == "A: b"
    assert named.blocks[0].kind is BlockKind.CODE
    assert blocks_of("---\nA sentence here.\n\n---\nmore\n") == [
        ("paragraph", "A sentence here."),
        ("paragraph", "more"),
    ]
    assert MarkdownParser().parse(b"## Only\n\nx", "x.md").title == "Only"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("## **Bold** and *it* `a_b`", "Bold and it a_b"),
        ("# [Link](http://x.test) ![alt](y.png)", "Link alt"),
        ("# snake_case_name {#anchor}", "snake_case_name"),
        ("# &lt;T&gt; 1\\. ##", "<T> 1."),
        ("Two\nlines\n===", "Two lines"),
    ],
)
def test_a_heading_is_named_by_its_words(source: str, title: str) -> None:
    assert markdown_title(source) == title


@given(st.text(alphabet="#-*|`> \n\rab1.条第一\u2028\x0c", max_size=80))
def test_markdown_blocks_are_ordered_and_inside_the_text(source: str) -> None:
    try:
        document = MarkdownParser().parse(source.encode(), "x.md")
    except EmptyDocumentError:
        return
    ends = [0] + [block.span.end for block in document.blocks]
    for end, block in zip(ends, document.blocks, strict=False):
        assert end <= block.span.start
        assert block.span.of(document.text).strip()


def test_plain_text_finds_chapters_items_and_paragraphs() -> None:
    source = (
        "设备管理办法\n\n第一章　总则\n\n第一条 为规范管理，制定本办法。\n本办法自发布之日起施行。\n"
        "第二条 下列设备除外：\n（一）租赁的；\n（二）借用的。\n\n第二章 附则\n第三条 由质量部解释。\n"
    )
    document = TextParser().parse(source.encode(), "x.txt")
    assert document.text == source
    assert document.title == "设备管理办法"
    assert headings(document) == [(2, "第一章 总则"), (2, "第二章 附则")]
    kinds = [block.kind.value for block in document.blocks]
    assert kinds == [
        "paragraph",
        "heading",
        "paragraph",
        "paragraph",
        "list_item",
        "list_item",
        "heading",
        "paragraph",
    ]
    first = document.blocks[2].span.of(source)
    assert first == "第一条 为规范管理，制定本办法。\n本办法自发布之日起施行。"


def test_a_sentence_about_a_chapter_is_no_heading() -> None:
    document = TextParser().parse("第一章 规定的情形除外，按第二章办理；其余不变。\n\n正文".encode(), "x.txt")
    assert headings(document) == []
