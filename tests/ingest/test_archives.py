"""Archives from strangers: every entry is a file of its own; what is hostile harms neither disk nor memory."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from core.errors import (
    DamagedDocumentError,
    DocumentError,
    TooManyEntriesError,
    UnpacksTooLargeError,
    UnsafeXmlError,
)
from core.registry import REGISTRY
from core.settings import ParsingSettings
from ingest.check import problems
from ingest.parsers.zipped import checked_zip
from ingest.pipeline import Ingest
from ingest.report import FileResult, Outcome
from ingest.sources import shown_name
from retrieval.knowledge_base import KnowledgeBase
from tests.conftest import SHARED
from tests.support import HANDBOOK, MANUAL

LIMITS = ParsingSettings()
Entries = Sequence[tuple[str | zipfile.ZipInfo, str | bytes]]


def zipped(*entries: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for info, content in entries:
            made.writestr(info, content)
    return file.getvalue()


def add(
    base: KnowledgeBase, path: Path, data: bytes, password: str = "", limits: ParsingSettings = LIMITS
) -> dict[str, FileResult]:
    path.write_bytes(data)
    settings = base.settings.model_copy(update={"parsing": limits})
    base.workspace.settings = settings
    report = Ingest(base.workspace, on_password=lambda name: password).add([path], "default")
    assert problems(base.workspace.store) == []
    assert len({result.name for result in report.files}) == len(report.files)
    return {result.name: result for result in report.files}


def codes(results: dict[str, FileResult]) -> dict[str, str]:
    return {name: r.error.code if r.error else r.outcome.value for name, r in results.items()}


def test_every_file_in_an_archive_is_a_document_of_its_own(base: KnowledgeBase, tmp_path: Path) -> None:
    inner = zipped(("deep/手册.md", HANDBOOK))
    data = zipped(
        ("manual.md", MANUAL), ("inner.zip", inner), ("a.exe", b"MZ\0\0"), ("empty.txt", ""), ("folder/", "")
    )
    results = add(base, tmp_path / "all.zip", data)
    assert codes(results) == {
        "all.zip/manual.md": "added",
        "all.zip/inner.zip/deep/手册.md": "added",
        "all.zip/a.exe": "format_unsupported",
        "all.zip/empty.txt": "document_empty",
    }
    assert base.search("年休假").passages[0].doc == "all.zip/inner.zip/deep/手册.md"
    assert set(codes(add(base, tmp_path / "all.zip", data)).values()) >= {"unchanged"}


HOSTILE_NAMES = {
    "../../etc/x.md": "a.zip/etc/x.md",
    "/etc/y.md": "a.zip/etc/y.md",
    "C:\\temp\\..\\z.md": "a.zip/temp/z.md",
    "long" * 75 + ".md": None,
    "\u202egpj.md": "a.zip/gpj.md",
    "line\nbreak\x1b[31m.md": "a.zip/linebreak[31m.md",
    "CON.md": "a.zip/CON.md",
}


def test_names_from_an_archive_are_shown_and_never_used(base: KnowledgeBase, tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    entries: list[tuple[str | zipfile.ZipInfo, str | bytes]] = [
        (name, f"# {number}\n\ntext {number}") for number, name in enumerate(HOSTILE_NAMES)
    ]
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zipped(
            *entries, ("same.md", "one"), ("same.md", "two"), (link, "/etc/passwd"),
            ("__MACOSX/._same.md", b"\0\5"), (".DS_Store", b"x"),
        )  # fmt: skip
    before = set(tmp_path.rglob("*"))
    results = add(base, tmp_path / "a.zip", data)
    assert {r.outcome for r in results.values()} == {Outcome.ADDED}
    assert {name for name in HOSTILE_NAMES.values() if name} < results.keys()
    assert {"a.zip/same.md", "a.zip/same (2).md"} < results.keys()
    assert len(results) == len(HOSTILE_NAMES) + 2
    assert all(len(name) < 140 for name in results)
    new = set(tmp_path.rglob("*")) - before - {tmp_path / "a.zip"}
    assert all(base.settings.home in (path, *path.parents) for path in new)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("报告.txt".encode(), "报告.txt"),
        ("年度报告（终稿）.txt".encode("gb18030"), "年度报告（终稿）.txt"),
        ("résumé.txt".encode("cp437"), "résumé.txt"),
        (b"plain.txt\0.exe", "plain.txt"),
        (b"\0plain.exe", "1"),
    ],
)
def test_names_without_the_flag_for_their_encoding_stay_readable(
    base: KnowledgeBase, tmp_path: Path, raw: bytes, shown: str
) -> None:
    stand_in = "n" * len(raw)
    data = zipped((stand_in, MANUAL)).replace(stand_in.encode(), raw)
    assert codes(add(base, tmp_path / "a.zip", data)) == {f"a.zip/{shown}": "added"}


@pytest.mark.parametrize(
    "name", ["", "..", "/", "\u202e", "a/../../b", "x" * 5000, "\ud800", "a" + "/b" * 900]
)
def test_a_shown_name_is_short_relative_and_the_same_when_shown_again(name: str) -> None:
    shown = shown_name(name)
    assert len(shown) <= 400
    assert not {"", "..", "."} & set(shown.split("/")) or not shown
    assert shown_name(shown) == shown


def encrypted(data: bytes, password: bytes, text: bytes) -> bytes:
    """The stored entry of ``data`` in the old encryption of zip (APPNOTE 6.1), which zipfile only reads."""
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte: int) -> None:
        keys[0] = zlib.crc32(bytes([byte]), keys[0] ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = zlib.crc32(bytes([keys[1] >> 24]), keys[2] ^ 0xFFFFFFFF) ^ 0xFFFFFFFF

    for byte in password:
        update(byte)
    secret = bytearray()
    for byte in bytes(11) + bytes([zlib.crc32(text) >> 24]) + text:
        temporary = keys[2] | 2
        secret.append(byte ^ ((temporary * (temporary ^ 1)) >> 8 & 0xFF))
        update(byte)
    made = bytearray(data.replace(text, bytes(secret)))
    central = made.index(b"PK\x01\x02")
    for at, flags, size in ((0, 6, 18), (central, 8, 20)):
        made[at + flags] |= 1
        made[at + size : at + size + 4] = struct.pack("<L", len(secret))
    end = made.index(b"PK\x05\x06")
    made[end + 16 : end + 20] = struct.pack("<L", central)
    return bytes(made)


def test_an_encrypted_archive_opens_with_its_password_only(base: KnowledgeBase, tmp_path: Path) -> None:
    text = MANUAL.encode()
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as made:
        made.writestr("manual.md", text)
    data = encrypted(stored.getvalue(), b"open", text)
    path = tmp_path / "a.zip"
    assert codes(add(base, path, data)) == {"a.zip": "password_needed"}
    assert codes(add(base, path, data, "shut")) == {"a.zip": "password_wrong"}
    assert codes(add(base, path, data, "open")) == {"a.zip/manual.md": "added"}


def nested(levels: int) -> bytes:
    data = zipped(("x.md", MANUAL))
    for _ in range(levels - 1):
        data = zipped(("in.zip", data))
    return data


def lying(size: int) -> bytes:
    """Says that its entry unpacks to 10 bytes."""
    made = bytearray(zipped(("a.md", b"a" * size)))
    central = made.index(b"PK\x01\x02")
    made[22:26] = made[central + 24 : central + 28] = struct.pack("<L", 10)
    return bytes(made)


def many(count: int) -> bytes:
    return zipped(*((f"{n}.md", "") for n in range(count)))


@pytest.mark.parametrize(
    ("data", "limits", "expected"),
    [
        (zipped(("a.md", b"a" * 60_000_000), ("b.md", MANUAL)), {}, {"a.md": "unpacks_too_large", "b.md": "added"}),
        (zipped(("a.md", b"a" * 3_000_000)), {"max_unpacked_mb": 2}, {"": "unpacks_too_large"}),
        (zipped(("a.zip", zipped(("b.md", b"a" * 3_000_000)))), {"max_unpacked_mb": 2}, {"a.zip": "unpacks_too_large"}),
        (zipped(("a.md", lying(10)), ("b.zip", lying(5_000_000))), {}, {"a.md/a.md": "added", "b.zip/a.md": "document_damaged"}),
        (many(40), {"max_entries": 39}, {"": "entries_too_many"}),
        (zipped(("a.zip", many(30)), ("b.zip", many(30))), {"max_entries": 40}, {"b.zip": "entries_too_many"}),
        (nested(3), {}, {"in.zip/in.zip/x.md": "added"}),
        (nested(4), {}, {"in.zip/in.zip/in.zip": "nested_too_deep"}),
        (zipped(("a.md", MANUAL))[:-30], {}, {"": "document_damaged"}),
        (zipped(), {}, {"": "document_empty"}),
    ],
)  # fmt: skip
def test_a_bomb_is_refused_and_what_is_sound_beside_it_taken(
    base: KnowledgeBase, tmp_path: Path, data: bytes, limits: dict[str, int], expected: dict[str, str]
) -> None:
    found = codes(add(base, tmp_path / "x.zip", data, limits=ParsingSettings(**limits)))
    wanted = {f"x.zip/{name}".rstrip("/"): code for name, code in expected.items()}
    assert found.items() >= wanted.items(), found


def test_a_damaged_entry_is_refused_alone(base: KnowledgeBase, tmp_path: Path) -> None:
    data = bytearray(zipped(("a.md", MANUAL), ("b.md", HANDBOOK)))
    data[60] ^= 0xFF
    assert codes(add(base, tmp_path / "x.zip", bytes(data))) == {
        "x.zip/a.md": "document_damaged",
        "x.zip/b.md": "added",
    }


def test_a_hundred_thousand_entries_are_counted_not_built() -> None:
    entry = (
        struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
        + b"a"
    )
    data = entry * 100_000 + struct.pack(
        "<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(entry) * 100_000, 0, 0
    )
    with pytest.raises(TooManyEntriesError):
        checked_zip(data, "x.docx", LIMITS)


OFFICE = ("[Content_Types].xml", "<Types/>")
DTD = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'


@pytest.mark.parametrize(
    ("entries", "error"),
    [
        ([OFFICE, ("word/document.xml", DTD)], UnsafeXmlError),
        ([OFFICE, ("word/document.xml", DTD.encode("utf-16"))], UnsafeXmlError),
        ([OFFICE, ("word/document.xml", DTD.encode("utf-16-be"))], UnsafeXmlError),
        ([OFFICE, ("word/hidden.bin", DTD)], UnsafeXmlError),
        ([OFFICE, ("word/document.xml", "<x>" + " " * 1_048_560 + "<!DOCTYPE y></x>")], UnsafeXmlError),
        ([OFFICE, ("word/document.xml", "<?xml version='1.0' encoding='UTF-7'?><x/>")], UnsafeXmlError),
        ([OFFICE, ("word/document.xml", DTD.encode("cp500"))], UnsafeXmlError),
        ([("mimetype", "application/epub+zip"), ("toc.ncx", DTD)], UnsafeXmlError),
        ([OFFICE, ("word/document.xml", b"<x>" + b" " * 60_000_000)], UnpacksTooLargeError),
    ],
)
def test_a_packed_document_that_could_harm_its_parser_never_reaches_it(
    entries: Entries, error: type[DocumentError]
) -> None:
    with pytest.raises(error):
        checked_zip(zipped(*entries), "x.docx", LIMITS)


@pytest.mark.parametrize(
    "entries",
    [
        [OFFICE, ("word/document.xml", "<?xml version='1.0' encoding='UTF-8'?><x>&lt;!DOCTYPE</x>")],
        [OFFICE, ("word/document.xml", "<x/>".encode("utf-16")), ("word/media/a.svg", DTD)],
        [("mimetype", "application/epub+zip"), ("a.xhtml", "<!DOCTYPE html><html/>"), ("c.xml", "<!DOCTYPE n><n/>")],
    ],
)  # fmt: skip
def test_a_sound_packed_document_passes(entries: Entries) -> None:
    checked_zip(zipped(*entries), "x.docx", LIMITS)


def test_a_damaged_part_counts_where_it_is_read_as_xml() -> None:
    text, picture = zlib.compress(b"x" * 99), bytes(range(256))
    for name, broken in (("word/document.xml", True), ("word/media/a.png", False)):
        data = bytearray(zipped(OFFICE, (name, text + picture)))
        data[data.index(name.encode()) + len(name) + 40] ^= 0xFF
        if broken:
            with pytest.raises(DamagedDocumentError):
                checked_zip(bytes(data), "x.docx", LIMITS)
        else:
            checked_zip(bytes(data), "x.docx", LIMITS)


@pytest.mark.shared
def test_every_real_packed_document_passes() -> None:
    files = [
        p
        for p in SHARED.glob("data/format_zoo/corpus/*")
        if p.suffix in (".docx", ".pptx", ".xlsx", ".epub", ".odt")
    ]
    assert len(files) > 15
    for path in files:
        if "password_protected" not in path.name:
            checked_zip(path.read_bytes(), path.name, LIMITS)


def test_attachments_of_a_mail_become_documents_beside_it(
    base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY["parser"], "mail", "tests.stub_parsers:Good")
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@b.c", "d@e.f", "Pump"
    mail.set_content("See the manual.")
    mail.add_attachment(MANUAL.encode(), maintype="text", subtype="markdown", filename="../手册.md")
    mail.add_attachment(zipped(("in.md", HANDBOOK)), maintype="application", subtype="zip", filename="b.zip")
    mail.add_attachment(b"\0", maintype="application", subtype="octet-stream", filename="c.exe")
    assert codes(add(base, tmp_path / "m.eml", mail.as_bytes())) == {
        "m.eml/手册.md": "added",
        "m.eml/b.zip/in.md": "added",
        "m.eml": "added",
    }
    assert codes(add(base, tmp_path / "m.eml", mail.as_bytes())) == {"m.eml": "unchanged"}
