"""Text and Markdown: the document's text is the file's own; bad input has its own message."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import BlockKind, Document
from core.errors import (
    DocumentError,
    EmptyDocumentError,
    EncodingError,
    UnsupportedFormatError,
    WrongExtensionError,
)
from ingest.parsers.decode import decode
from ingest.parsers.detect import parser_for
from ingest.parsers.markdown import MarkdownParser
from ingest.parsers.text import TextParser
from tests.support import HANDBOOK


def headings(document: Document) -> list[tuple[int, str]]:
    return [(b.level, b.section_path[-1]) for b in document.blocks if b.kind is BlockKind.HEADING]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("中文㐀𠀀".encode("gb18030"), "中文㐀𠀀"),
        ("朱镕基".encode("gbk"), "朱镕基"),
        (codecs.BOM_UTF8 + "name,年龄".encode(), "name,年龄"),
        (codecs.BOM_UTF16_LE + "你好 world".encode("utf-16-le"), "你好 world"),
        (codecs.BOM_UTF16_BE + "你好".encode("utf-16-be"), "你好"),
        (b"a\r\nb\rc", "a\r\nb\rc"),
    ],
)
def test_bytes_become_exactly_their_text(data: bytes, text: str) -> None:
    assert decode(data, "x.txt")[0] == text


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\xff\xff\xff\xff", EncodingError),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", EncodingError),
        (b"abc\x00def", UnsupportedFormatError),
        (" \n\u200b\ufeff\u00a0".encode(), EmptyDocumentError),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, error: type[DocumentError]) -> None:
    with pytest.raises(error) as caught:
        decode(data, "x.txt")
    assert "x.txt" in caught.value.message("zh")


def test_another_encoding_than_utf8_is_reported() -> None:
    notices = decode("中文".encode("gb18030"), "x.txt")[1]
    assert [notice.code for notice in notices] == ["decoded_as"]


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.exe", b"MZ", UnsupportedFormatError),
        ("noextension", b"text", UnsupportedFormatError),
        ("a.txt", b"", EmptyDocumentError),
        ("a.pdf", b"", EmptyDocumentError),
        ("a.txt", b"%PDF-1.7", WrongExtensionError),
        ("a.pdf", b"PK\x03\x04", WrongExtensionError),
        ("a.md", b"\x89PNG\r\n", WrongExtensionError),
    ],
)
def test_the_parser_goes_by_content_and_extension(name: str, data: bytes, error: type[DocumentError]) -> None:
    with pytest.raises(error):
        parser_for(name, data)


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
