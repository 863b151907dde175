"""E-books: chapters in reading order, headings from the chapters or the table of contents, clear errors."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pytest

from core.document import BlockKind, Document
from core.errors import DamagedDocumentError, ProtectedDocumentError, UnpacksTooLargeError
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.web.epub import EpubParser
from tests.conftest import SHARED

CONTAINER = (
    "<?xml version='1.0'?><container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>"
    "<rootfile full-path='OPS/book.opf' media-type='application/oebps-package+xml'/></rootfiles></container>"
)
NCX = (
    "<ncx><navMap><navPoint><navLabel><text>第一章 起点</text></navLabel><content src='one.xhtml'/>"
    "<navPoint><navLabel><text>第一节</text></navLabel><content src='one.xhtml#s'/></navPoint></navPoint>"
    "<navPoint><navLabel><text>第二章 终点</text></navLabel><content src='two%20b.xhtml'/></navPoint></navMap></ncx>"
)


def page(body: str, title: str = "x") -> str:
    return (
        "<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml' "
        f"xmlns:epub='http://www.idpf.org/2007/ops'><head><title>{title}</title></head><body>{body}</body></html>"
    )


def package(spine: str, *, toc: str = "", items: str = "", guide: str = "") -> str:
    return (
        "<package xmlns='http://www.idpf.org/2007/opf'><metadata xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        "<dc:title>小 书</dc:title><dc:creator opf:role='aut'>鲁迅</dc:creator></metadata><manifest>"
        "<item id='a' href='one.xhtml' media-type='application/xhtml+xml'/>"
        "<item id='b' href='two%20b.xhtml' media-type='application/xhtml+xml'/>"
        "<item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>"
        f"{items}</manifest><spine toc='{toc}'>{spine}</spine><guide>{guide}</guide></package>"
    )


BOTH = "<itemref idref='b'/><itemref idref='a' linear='yes'/>"


def epub(files: Mapping[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", "application/epub+zip")
        packed.writestr("META-INF/container.xml", CONTAINER)
        for name, content in files.items():
            packed.writestr(name, content)
    return stream.getvalue()


def read(files: Mapping[str, str | bytes]) -> Document:
    return EpubParser().parse(epub(files), "book.epub")


def lines(document: Document) -> list[str]:
    return [block.span.of(document.text) for block in document.blocks]


def test_chapters_come_in_the_order_of_the_spine() -> None:
    document = read(
        {
            "OPS/one.xhtml": page("<h1>One</h1><p>by 鲁迅<br/>first<a id='x'/> words</p>"),
            "OPS/two b.xhtml": page("<section><header><h1>Two</h1></header><p>second</p></section>"),
            "OPS/book.opf": package(BOTH),
        }
    )
    assert lines(document) == ["Two", "second", "One", "by 鲁迅\nfirst words"]
    assert document.title == "小 书"
    assert document.blocks[1].section_path == ("Two",)


def test_the_contents_name_chapters_that_have_no_headings() -> None:
    seen: list[tuple[int, int]] = []
    files = {
        "OPS/one.xhtml": page("<p class='t'>第一章　起点</p><p>甲</p><p id='s'>第一节</p><p>乙</p>"),
        "OPS/two b.xhtml": page("<p>丙</p>"),
        "OPS/toc.ncx": NCX,
        "OPS/book.opf": package("<itemref idref='a'/><itemref idref='b'/>", toc="ncx"),
    }
    reading = Reading(on_page=lambda done, total: seen.append((done, total)))
    document = EpubParser().parse(epub(files), "book.epub", reading)
    # No page says who wrote it: the package does.
    assert lines(document) == ["鲁迅", "第一章 起点", "甲", "第一节", "乙", "第二章 终点", "丙"]
    assert [b.level for b in document.blocks if b.kind is BlockKind.HEADING] == [1, 2, 1]
    assert seen == [(1, 2), (2, 2)]


def test_cover_and_page_of_contents_are_not_repeated() -> None:
    nav = page("<nav epub:type='toc'><h2>Contents</h2><ol><li><a href='one.xhtml'>One</a></li></ol></nav>")
    items = (
        "<item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>"
        "<item id='cover' href='cover.xhtml' media-type='application/xhtml+xml'/>"
    )
    spine = "<itemref idref='cover'/><itemref idref='nav'/><itemref idref='a'/>"
    guide = "<reference type='cover' href='cover.xhtml'/>"
    document = read(
        {
            "OPS/nav.xhtml": nav,
            "OPS/cover.xhtml": page("<p>A Small Book</p><img src='c.jpg' alt='Cover'/>"),
            "OPS/one.xhtml": page("<p>Written by 鲁迅.</p>"),
            "OPS/book.opf": package(spine, items=items, guide=guide),
        }
    )
    assert lines(document) == ["One", "Written by 鲁迅."]


def test_missing_chapters_are_told() -> None:
    document = read({"OPS/one.xhtml": page("<p>鲁迅 left</p>"), "OPS/book.opf": package(BOTH)})
    assert [(notice.code, notice.details) for notice in document.notices] == [
        ("chapters_missing", (("count", "1"),))
    ]


def test_protected_books_are_refused_and_scrambled_fonts_are_not() -> None:
    files: dict[str, str | bytes] = {"OPS/one.xhtml": page("<p>text</p>"), "OPS/book.opf": package(BOTH)}
    rules = "<encryption><EncryptedData><EncryptionMethod Algorithm='{}'/></EncryptedData></encryption>"
    fonts = files | {"META-INF/encryption.xml": rules.format("http://www.idpf.org/2008/embedding")}
    assert "text" in read(fonts).text
    drm = files | {"META-INF/encryption.xml": rules.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")}
    with pytest.raises(ProtectedDocumentError, match="DRM"):
        read(drm)


def test_damaged_books_say_so() -> None:
    good = epub({"OPS/one.xhtml": page("<p>text</p>"), "OPS/book.opf": package(BOTH)})
    for broken in (b"PK\x03\x04", good[: len(good) // 2], epub({}), epub({"OPS/book.opf": package("")})):
        with pytest.raises(DamagedDocumentError):
            EpubParser().parse(broken, "book.epub")


def test_a_book_that_unpacks_to_too_much_is_refused() -> None:
    data = epub({"OPS/one.xhtml": page("<p>x</p>" * 400_000), "OPS/book.opf": package(BOTH)})
    with pytest.raises(UnpacksTooLargeError):
        EpubParser().parse(data, "book.epub", Reading(settings=ParsingSettings(max_unpacked_mb=1)))


@pytest.mark.shared
def test_the_books_of_the_zoo() -> None:
    folder = SHARED / "data" / "format_zoo" / "corpus"
    poems = EpubParser().parse((folder / "en_poetry.epub").read_bytes(), "en_poetry.epub")
    assert poems.title == "Poetry" and "Table of Contents" not in poems.text
    assert "chill him no more,\nHis woes and his sorrows" in poems.text
    assert "To the Hibernia" in [poems.text[b.span.start : b.span.end] for b in poems.blocks]
    sports = EpubParser().parse((folder / "en_winter_sports.epub").read_bytes(), "en_winter_sports.epub")
    headings = [b for b in sports.blocks if b.kind is BlockKind.HEADING]
    assert len(headings) > 25 and sports.title == "Winter Sports in Switzerland"
