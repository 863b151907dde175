"""Word files that are broken, odd or hostile: read all the same, or refused by name."""

from __future__ import annotations

import time

import pytest

from core.errors import (
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    PasswordNeededError,
    UnpacksTooLargeError,
    UnsafeXmlError,
    WrongExtensionError,
)
from core.messages import render
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.docx.parser import DocxParser
from tests.ingest.parsers.word_file import p, word_file, word_parts, zipped

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
MAIN = "word/document.xml"


def refused(data: bytes, error: type[DocumentError], **settings: int) -> None:
    with pytest.raises(error) as caught:
        DocxParser().parse(data, "合同.docx", Reading(settings=ParsingSettings(**settings)))
    assert type(caught.value) is error
    assert "合同.docx" in caught.value.message("zh") and "合同.docx" in caught.value.message("en")


def test_a_file_without_words_is_empty() -> None:
    refused(word_file(p() + p("   ")), EmptyDocumentError)


def test_broken_files_are_refused() -> None:
    whole = word_file(p("text"))
    refused(whole[: len(whole) // 2], DamagedDocumentError)
    refused(b"PK\x03\x04 no zip at all", DamagedDocumentError)
    parts = word_parts(p("text"))
    refused(zipped(parts | {MAIN: parts[MAIN][:-30]}), DamagedDocumentError)
    refused(zipped({"a.txt": b"no Word file"}), DamagedDocumentError)


def test_encrypted_and_old_files_under_this_name() -> None:
    refused(OLE + "EncryptedPackage".encode("utf-16-le"), PasswordNeededError)
    refused(OLE, WrongExtensionError)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
        "<!DOCTYPE w>",
    ],
)
def test_declarations_of_entities_are_refused(declaration: str) -> None:
    parts = word_parts(p("A B"))
    refused(zipped(parts | {MAIN: declaration.encode() + parts[MAIN]}), UnsafeXmlError)
    refused(
        zipped(parts | {"word/styles.xml": declaration.encode() + parts["word/styles.xml"]}), UnsafeXmlError
    )


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = word_file(p("x" * 3_000_000))
    assert len(bomb) < 20_000
    refused(bomb, UnpacksTooLargeError, max_unpacked_mb=2)


def test_a_relationship_to_nowhere_is_mended_and_told() -> None:
    parts = word_parts(p("text"))
    rels = "word/_rels/document.xml.rels"
    parts[rels] = parts[rels].replace(b"styles.xml", b"../NULL")
    document = DocxParser().parse(zipped(parts), "a.docx")
    assert document.text == "text" and [notice.code for notice in document.notices] == ["repaired"]


def test_a_broken_part_beside_the_text_is_mended_and_told() -> None:
    parts = word_parts(p("text"), comments="<w:comment/>")
    document = DocxParser().parse(zipped(parts | {"word/styles.xml": b"<w:styles"}), "a.docx")
    assert document.text == "text" and document.notices[0].code == "repaired"


def test_the_strict_form_and_files_with_macros_are_read() -> None:
    parts = word_parts(p("标题", style="1") + p("text"))
    strict = {
        name: data.replace(b"http://schemas.openxmlformats.org/wordprocessingml/2006/", b"http://purl.oclc.org/ooxml/wordprocessingml/")
        .replace(b"http://schemas.openxmlformats.org/officeDocument/2006/", b"http://purl.oclc.org/ooxml/officeDocument/")
        for name, data in parts.items()
    }  # fmt: skip
    macros = {name: data.replace(
        b"vnd.openxmlformats-officedocument.wordprocessingml.document.main", b"vnd.ms-word.document.macroEnabled.main"
    ) for name, data in parts.items()}  # fmt: skip
    assert strict[MAIN] != parts[MAIN] and macros["[Content_Types].xml"] != parts["[Content_Types].xml"]
    for odd in (strict, macros):
        document = DocxParser().parse(zipped(odd), "a.docx")
        assert document.text == "标题\n\ntext" and document.title == "标题" and document.notices == ()


def test_marks_that_make_no_sense_do_no_harm() -> None:
    body = p("a", ppr='<w:outlineLvl w:val="x"/><w:pStyle w:val="nowhere"/>', num="99")
    body += '<w:p><w:r><w:sym w:char="zz"/><w:t>b</w:t><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    body += '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>'
    body += "<!-- remark --><w:p><!-- remark --><w:r><w:t>c</w:t></w:r></w:p>"
    circle = '<w:style w:type="paragraph" w:styleId="x"><w:basedOn w:val="y"/></w:style>'
    circle += '<w:style w:type="paragraph" w:styleId="y"><w:basedOn w:val="x"/></w:style>'
    document = DocxParser().parse(word_file(body + p("d", style="x"), styles=circle), "a.docx")
    assert document.text == "a\n\n□b\n\nc\n\nd"


def test_deep_nesting_ends_in_text_or_a_named_error() -> None:
    inside = p("core")
    for _ in range(60):
        inside = f"<w:tbl><w:tr><w:tc>{inside}<w:p/></w:tc></w:tr></w:tbl>"
    assert DocxParser().parse(word_file(inside), "a.docx").text == "core"
    for _ in range(60):
        inside = f"<w:tbl><w:tr><w:tc>{inside}<w:p/></w:tc></w:tr></w:tbl>"
    refused(word_file(inside), DamagedDocumentError)


def test_a_long_document_is_read_in_time() -> None:
    body = "".join(p(f"第 {at} 段：" + "内容" * 50) for at in range(2000))
    started = time.perf_counter()
    assert DocxParser().parse(word_file(body), "a.docx").text.count("段：") == 2000
    assert time.perf_counter() - started < 5


def test_every_notice_has_its_words() -> None:
    for code, details in {
        "word_text_hidden": {"count": 3}, "changes_tracked": {"inserted": 1, "deleted": 2}, "contents_left_out": {},
        "comments_left_out": {"count": 1}, "page_furniture": {"texts": "x"}, "objects_left_out": {"count": 1},
        "tables_flattened": {"count": 1}, "converted": {"suffix": "DOC"},
    }.items():  # fmt: skip
        assert all(render(code, language, **details) != code for language in ("zh", "en"))
