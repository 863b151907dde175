"""Content and name together: what is plain is taken and said, what cannot be taken has its own message."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from core.errors import (
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    EncryptionUnsupportedError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongExtensionError,
)
from core.messages import LANGUAGES, render
from core.registry import REGISTRY
from ingest.parsers.detect import KNOWN, route_of
from ingest.parsers.formats import ARCHIVE, FORMATS, is_known
from ingest.sources import sources_of
from tests.conftest import SHARED


@pytest.fixture(autouse=True)
def _every_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FORMATS.keys() - {ARCHIVE}:
        monkeypatch.setitem(REGISTRY["parser"], name, "tests.stub_parsers:Good")


def packed(*names: str, first: bytes = b"x") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name in names:
            made.writestr(name, first)
    return file.getvalue()


def compound(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512) + stream.encode("utf-16-le") + bytes(100)


PDF, PNG, RTF = b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n\0\0", b"{\\rtf1 x}"
DOCX = packed("[Content_Types].xml", "word/document.xml")
XLSX = packed("[Content_Types].xml", "xl/workbook.xml")
PPTX = packed("[Content_Types].xml", "ppt/presentation.xml", "ppt/embeddings/a.xlsx")
EPUB = packed("mimetype", "META-INF/container.xml", "OEBPS/a.opf")
ODT = packed("mimetype", "content.xml", "META-INF/manifest.xml")
MAIL = b"From: a@b.c\r\nTo: d@e.f\r\nMIME-Version: 1.0\r\nSubject: x\r\n\r\nHello"


@pytest.mark.parametrize(
    ("name", "data", "parser"),
    [
        ("a.pdf", PDF, "pdf"),
        ("a.pdf", b"\r\n" + PDF, "pdf"),
        ("a.pdf", b"HTTP/1.1 200 OK\0\n" + PDF, "pdf"),
        ("A.DOCX", DOCX, "docx"),
        ("a.docm", DOCX, "docx"),
        ("a.pptx", PPTX, "pptx"),
        ("a.xlsx", XLSX, "xlsx"),
        ("a.xlsb", packed("[Content_Types].xml", "xl/workbook.bin"), "office"),
        ("a.epub", EPUB, "epub"),
        ("a.odt", ODT, "office"),
        ("a.doc", compound("WordDocument"), "office"),
        ("a.doc", RTF, "office"),
        ("a.msg", compound("__properties_version1.0") + compound("EncryptedPackage"), "msg"),
        ("a.zip", packed("a.pdf", "word/a.txt"), ARCHIVE),
        ("a.md", b"# MZ", "markdown"),
        ("a.txt", b"MZ or BM begin a text", "text"),
        ("a.txt", b"<html> is a tag", "text"),
        ("a.csv", b"a,b\n1,2", "csv"),
        ("a.py", b"import this", "code"),
        ("a.vtt", b"WEBVTT\n", "captions"),
        ("a.ipynb", b"{}", "notebook"),
        ("a.eml", MAIL, "mail"),
        ("a.png", PNG, "image"),
        ("a.webp", b"RIFF\0\0\0\0WEBP", "image"),
        # Nothing known by name.
        ("README", b"text", "text"),
        ("unheard.of", "一段文字".encode(), "text"),
        ("unheard.of", "一段文字".encode("gb18030"), "text"),
        ("unheard", PDF, "pdf"),
        ("unheard", b"  <!DOCTYPE html><p>x", "html"),
        ("unheard", b'[{"a": 1}]\n', "json"),
        ("unheard", MAIL, "mail"),
        ("unheard", DOCX, "docx"),
    ],
)
def test_files_go_where_their_content_and_name_agree(name: str, data: bytes, parser: str) -> None:
    route = route_of(name, data)
    assert (route.parser, route.notices) == (parser, ())


@pytest.mark.parametrize(
    ("name", "data", "parser", "content"),
    [
        ("a.txt", PDF, "pdf", "PDF"),
        ("a.pdf", DOCX, "docx", "DOCX"),
        ("a.doc", DOCX, "docx", "DOCX"),
        ("a.docx", compound("WordDocument"), "office", "DOC"),
        ("a.md", PNG, "image", "PNG"),
        ("a.jpg", XLSX, "xlsx", "XLSX"),
        ("a.doc", b"<html><body><table>", "html", "HTML"),
        ("a.pdf", b"<?xml version='1.0'?>\n<!-- x -->\n<html>404", "html", "HTML"),
        ("a.pdf", "只是文字".encode(), "text", "TXT"),
        ("a.bin", PDF, "pdf", "PDF"),
        ("a.exe", PDF, "pdf", "PDF"),
    ],
)
def test_content_that_is_plain_wins_over_the_name_and_says_so(
    name: str, data: bytes, parser: str, content: str
) -> None:
    route = route_of(name, data)
    assert route.parser == parser
    if name != "a.bin":
        (notice,) = route.notices
        for language in LANGUAGES:
            text = render(notice.code, language, **dict(notice.details))
            assert content in text
            assert Path(name).suffix in text


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.txt", b"", EmptyDocumentError),
        ("a.exe", b"MZ", UnsupportedFormatError),
        ("a.jar", packed("a.class"), UnsupportedFormatError),
        ("a.key", packed("Index/Document.iwa"), UnsupportedFormatError),
        ("a.rar", b"Rar!\x1a\x07\0", UnsupportedFormatError),
        ("unheard", bytes(range(256)), UnsupportedFormatError),
        ("a.pdf", b"7z\xbc\xaf\x27\x1c", WrongExtensionError),
        ("a.txt", b"\x7fELF\0\0", WrongExtensionError),
        ("a.xlsx", compound("EncryptedPackage"), PasswordNeededError),
        ("a.txt", DOCX[:40], DamagedDocumentError),
    ],
)
def test_what_cannot_be_taken_says_why(name: str, data: bytes, error: type[DocumentError]) -> None:
    with pytest.raises(error) as caught:
        route_of(name, data)
    assert type(caught.value) is error
    assert name in caught.value.message("zh")


def test_an_office_password_that_was_given_is_not_asked_for_again() -> None:
    with pytest.raises(EncryptionUnsupportedError):
        route_of("a.xlsx", compound("EncryptedPackage"), "secret")


def test_half_a_packed_document_goes_to_its_own_parser_and_a_missing_parser_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert route_of("a.docx", DOCX[: len(DOCX) // 2]).parser == "docx"
    assert route_of("a.docx", packed("word/document.xml")).parser == "docx"
    monkeypatch.delitem(REGISTRY["parser"], "docx")
    with pytest.raises(UnsupportedFormatError) as caught:
        route_of("a.docx", DOCX)
    assert caught.value.details["kind"] == "DOCX"


def test_the_known_formats_fit_in_a_sentence() -> None:
    assert len(KNOWN) < 160
    assert KNOWN.startswith("PDF, ")


def test_a_folder_gives_what_has_a_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(REGISTRY["parser"], "code")
    for name in ("a.docx", "b.py", "c.exe", "d", "README", "e.zip", ".f.md", "g.unknown"):
        (tmp_path / name).write_bytes(b"x")
    assert [source.name for source in sources_of([tmp_path])] == ["README", "a.docx", "e.zip"]
    assert is_known("x/y.PDF")


def test_equal_names_from_two_folders_are_both_taken_and_the_same_file_once(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text(folder)
    paths = [tmp_path / "x" / "a.md", tmp_path / "y" / "a.md", tmp_path / "x" / ".." / "x" / "a.md"]
    assert [source.name for source in sources_of(paths)] == ["a.md", "a (2).md"]


@pytest.mark.shared
def test_every_real_file_goes_to_the_parser_its_name_promises() -> None:
    files = [path for path in SHARED.glob("data/*_zoo/corpus/*") if path.stat().st_size]
    assert len(files) > 50
    for path in files:
        if "password_protected" not in path.name:
            assert route_of(path.name, path.read_bytes()).notices == (), path.name
