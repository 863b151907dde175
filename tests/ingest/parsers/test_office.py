"""Old Office formats: what the converter gets, what becomes of its answer, and what is said without one."""

from __future__ import annotations

import io
import os
import shutil
import stat
import time
import zipfile
from pathlib import Path

import pytest

from core.document import Document
from core.errors import (
    ConversionFailedError,
    ConverterMissingError,
    DamagedDocumentError,
    ParserTimeoutError,
    PasswordNeededError,
    UnpacksTooLargeError,
)
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.office.parser import OfficeParser, kind_of
from tests.conftest import SHARED
from tests.ingest.parsers.word_file import p, word_file

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
RTF = rb"{\rtf1\ansi Hello}"
posix = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
installed = pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")


def stand_in(folder: Path, script: str) -> ParsingSettings:
    """Settings that name a program of our own in LibreOffice's place."""
    program = folder / "office program"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return ParsingSettings(libreoffice=str(program), convert_timeout_s=20)


def copying(folder: Path, made: bytes) -> ParsingSettings:
    """A program that answers with ``made`` and notes how it was called."""
    (folder / "made").write_bytes(made)
    return stand_in(
        folder,
        f"""printf '%s\\n' "$@" > '{folder}/arguments'; env > '{folder}/environment'
while [ "$1" != --outdir ]; do last="$1"; shift; done
mkdir -p "$2"; cp '{folder}/made' "$2/source.$last"; cp "$3" '{folder}/seen'""",
    )


def parsed(data: bytes, name: str, settings: ParsingSettings) -> Document:
    return OfficeParser().parse(data, name, Reading(settings=settings))


def odf(kind: str, manifest: str = "<manifest/>", content: bytes = b"<x/>") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        # The first entry, not packed, as the standard wants it.
        packed.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}", zipfile.ZIP_STORED)
        packed.writestr("META-INF/manifest.xml", manifest)
        packed.writestr("content.xml", content)
    return made.getvalue()


@posix
def test_the_answer_is_read_under_the_media_type_of_the_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    document = parsed(RTF, "旧文件.rtf", copying(tmp_path, word_file(p("标题", style="1") + p("正文"))))
    assert (document.text, document.title, document.media_type) == ("标题\n\n正文", "标题", "application/rtf")
    assert [(notice.code, dict(notice.details)) for notice in document.notices] == [
        ("converted", {"suffix": "RTF"})
    ]
    assert (tmp_path / "seen").read_bytes() == RTF
    assert "sk-secret" not in (tmp_path / "environment").read_text("utf-8")


@posix
def test_every_run_has_a_profile_of_its_own_that_is_gone_afterwards(tmp_path: Path) -> None:
    settings = copying(tmp_path, word_file(p("x")))
    profiles = set()
    for _ in range(2):
        parsed(RTF, "a.rtf", settings)
        (line,) = [
            one
            for one in (tmp_path / "arguments").read_text("utf-8").split("\n")
            if "UserInstallation" in one
        ]
        profiles.add(line)
        assert not Path(line.partition("file://")[2]).exists()
    assert len(profiles) == 2


def test_without_a_converter_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.parsers.office.libreoffice._PROGRAMS", ("no-such-office",))
    for settings in (ParsingSettings(), ParsingSettings(libreoffice="/no/such/office")):
        with pytest.raises(ConverterMissingError) as caught:
            parsed(RTF, "旧.rtf", settings)
        for language in ("zh", "en"):
            assert all(word in caught.value.message(language) for word in ("LibreOffice", "旧.rtf", "DOCX"))


@posix
def test_a_converter_that_hangs_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    settings = stand_in(tmp_path, f"(sleep 1.5; touch '{tmp_path}/late') &\nsleep 60")
    started = time.monotonic()
    with pytest.raises(ParserTimeoutError) as caught:
        parsed(RTF, "a.rtf", settings.model_copy(update={"convert_timeout_s": 0.3}))
    assert time.monotonic() - started < 1.4 and "0.3" in str(caught.value)
    time.sleep(1.6)
    assert not (tmp_path / "late").exists()


@posix
@pytest.mark.parametrize("script", ["exit 1", "exit 0", "kill -9 $$"])
def test_a_converter_that_makes_nothing_has_failed(tmp_path: Path, script: str) -> None:
    with pytest.raises(ConversionFailedError) as caught:
        parsed(RTF, "a.rtf", stand_in(tmp_path, script))
    assert "a.rtf" in caught.value.message("zh")


@posix
def test_a_file_that_cannot_be_converted_may_need_a_password(tmp_path: Path) -> None:
    settings = stand_in(tmp_path, "exit 1")
    with pytest.raises(PasswordNeededError):
        parsed(odf("text", "<manifest><encryption-data/></manifest>"), "a.odt", settings)
    with pytest.raises(ConversionFailedError):
        parsed(odf("text"), "a.odt", settings)


@posix
@pytest.mark.shared
def test_an_encrypted_doc_needs_a_password(tmp_path: Path) -> None:
    """The flag of [MS-DOC] 2.5.1 set in a real file."""
    data = bytearray((SHARED / "data" / "format_zoo" / "corpus" / "en_legacy.doc").read_bytes())
    settings = stand_in(tmp_path, "exit 1")
    with pytest.raises(ConversionFailedError):
        parsed(bytes(data), "a.doc", settings)
    data[data.index(b"\xec\xa5") + 11] |= 0x01
    with pytest.raises(PasswordNeededError):
        parsed(bytes(data), "a.doc", settings)


def test_bytes_that_would_be_read_as_plain_text_are_damaged() -> None:
    for data in (b"hello, no office file", OLE + "WordDocument".encode("utf-16-le") + bytes(2000)):
        with pytest.raises(DamagedDocumentError):
            parsed(data, "a.doc", ParsingSettings())


@pytest.mark.shared
def test_a_doc_that_was_cut_off_is_damaged() -> None:
    data = (SHARED / "data" / "format_zoo" / "corpus" / "en_legacy.doc").read_bytes()
    for size in (600, 6000, len(data) // 2):
        with pytest.raises(DamagedDocumentError):
            parsed(data[:size], "a.doc", ParsingSettings())


def test_a_packed_bomb_never_reaches_the_converter() -> None:
    bomb = odf("text", content=b"<x>" + b" " * 3_000_000 + b"</x>")
    with pytest.raises(UnpacksTooLargeError):
        parsed(bomb, "a.odt", ParsingSettings(max_unpacked_mb=1, libreoffice="/no/such/office"))


@pytest.mark.parametrize(
    ("data", "name", "suffix", "target"),
    [
        (RTF, "a.doc", "rtf", "docx"),
        (OLE + "WordDocument".encode("utf-16-le"), "a.xls", "doc", "docx"),
        (OLE + "Workbook".encode("utf-16-le"), "a", "xls", "xlsx"),
        (OLE + "PowerPoint Document".encode("utf-16-le"), "a.pps", "ppt", "pptx"),
        (odf("spreadsheet"), "a.odt", "ods", "xlsx"),
        (odf("presentation"), "a", "odp", "pptx"),
        (odf("text-template"), "a.ott", "odt", "docx"),
        (b"PK\x03\x04", "a.xlsb", "xlsb", "xlsx"),
    ],
)
def test_the_content_says_what_is_to_be_converted(data: bytes, name: str, suffix: str, target: str) -> None:
    kind = kind_of(data, name)
    assert (kind.suffix, kind.target) == (suffix, target)


@installed
def test_a_real_conversion() -> None:
    document = parsed(rb"{\rtf1\ansi {\b Hello} world\par second}", "a.rtf", ParsingSettings())
    assert document.text == "Hello world\n\nsecond"
