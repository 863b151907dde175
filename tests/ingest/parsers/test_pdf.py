"""PDF: reading order, pages and boxes, paragraphs over page ends, and files that cannot be read."""

from __future__ import annotations

import pymupdf
import pytest

from core.document import BlockKind, lines_of, pages_of
from core.errors import DamagedDocumentError, DocumentError, NoTextError, PasswordNeededError
from core.span import Span
from ingest.parsers.pdf.lines import clean_line, join_lines
from ingest.parsers.pdf.parser import PdfParser
from tests.support import pdf_bytes

CHINESE = "<h1>设备办法</h1><p>校准周期为十二个月，超过周期的设备不得使用。</p>"


def test_text_pages_and_boxes_belong_together() -> None:
    data = pdf_bytes(CHINESE, "<p>第二页写明：借用期限不超过三十日。</p>")
    document = PdfParser().parse(data, "x.pdf")
    assert document.page_count == 2
    assert document.language == "zh"
    where = document.text.index("借用期限")
    span = Span(where, where + 4)
    assert pages_of(document.lines, span) == (2,)
    line = lines_of(document.lines, span)[0]
    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        words = pdf[1].get_text(clip=pymupdf.Rect(line.x0, line.y0, line.x1, line.y1))
    assert "借用期限" in words
    starts = [line.span.start for line in document.lines]
    assert starts == sorted(starts)


def test_two_columns_are_read_one_after_the_other() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        for row in range(8):
            for side, x in (("Left", 60), ("Right", 320)):
                text = f"{side} column line {row} tells something of its own"
                page.insert_text((x, 120 + 14 * row), text, fontsize=9)
        document = PdfParser().parse(pdf.tobytes(), "x.pdf")
    assert document.text.index("Left column line 7") < document.text.index("Right column line 0")


def test_a_title_in_the_metadata_wins_over_the_first_heading_unless_a_program_wrote_it() -> None:
    for title, expected in (
        ("设备管理办法", "设备管理办法"),
        ("Microsoft Word - a.doc", "设备办法"),
        ("", "设备办法"),
    ):
        with pymupdf.open(stream=pdf_bytes(CHINESE), filetype="pdf") as pdf:
            pdf.set_metadata({"title": title})
            assert PdfParser().parse(pdf.tobytes(), "x.pdf").title == expected


def test_a_scan_is_refused_and_single_empty_pages_are_named() -> None:
    with pytest.raises(NoTextError) as caught:
        PdfParser().parse(pdf_bytes("", ""), "scan.pdf")
    assert "1-2" in caught.value.message("zh")
    document = PdfParser().parse(pdf_bytes(CHINESE, "", "", "<p>最后一页的文字内容。</p>", ""), "x.pdf")
    notice = document.notices[0]
    assert (notice.code, dict(notice.details)) == ("pages_without_text", {"pages": "2-3, 5"})


@pytest.mark.parametrize("keep", [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_cut_file_is_refused_or_reported_never_taken_in_silence(keep: float) -> None:
    data = pdf_bytes(CHINESE)
    try:
        document = PdfParser().parse(data[: int(len(data) * keep)], "cut.pdf")
    except DocumentError:
        return
    assert [notice.code for notice in document.notices][:1] == ["repaired"]


def test_rubbish_and_a_bare_header_are_refused() -> None:
    for data in (b"%PDF-1.4\n%%EOF\n", b"%PDF-" + bytes(range(256)) * 4):
        with pytest.raises(DamagedDocumentError):
            PdfParser().parse(data, "x.pdf")


def test_a_user_password_is_asked_for_and_an_owner_password_alone_is_not() -> None:
    with pymupdf.open(stream=pdf_bytes(CHINESE), filetype="pdf") as pdf:
        locked = pdf.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u", owner_pw="o")
        open_to_all = pdf.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="", owner_pw="o")
    with pytest.raises(PasswordNeededError):
        PdfParser().parse(locked, "x.pdf")
    assert "校准周期" in PdfParser().parse(open_to_all, "x.pdf").text


def test_a_table_becomes_markdown_with_a_place_for_each_row() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        rows = [["Amount", "Approved by"], ["below 1000", "team lead"], ["1000 or more", "director"]]
        for r in range(4):
            page.draw_line((80, 100 + 24 * r), (400, 100 + 24 * r))
        for x in (80, 240, 400):
            page.draw_line((x, 100), (x, 172))
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                page.insert_text((88 + 160 * c, 116 + 24 * r), cell, fontsize=10)
        document = PdfParser().parse(pdf.tobytes(), "x.pdf")
    table = next(block for block in document.blocks if block.kind is BlockKind.TABLE)
    assert table.span.of(document.text).splitlines() == [
        "| Amount | Approved by |",
        "| --- | --- |",
        "| below 1000 | team lead |",
        "| 1000 or more | director |",
    ]
    where = document.text.index("director")
    assert len(lines_of(document.lines, Span(where, where + 3))) == 1


@pytest.mark.parametrize(
    ("source", "cleaned"),
    [
        ("用 水定额", "用水定额"),
        ("A B 型", "A B 型"),
        ("第三条 本办法", "第三条 本办法"),
        ("第二章　总则", "第二章 总则"),
        ("证券代码：002594            证券简称：比亚迪", "证券代码：002594 证券简称：比亚迪"),
    ],
)
def test_spurious_spaces_between_chinese_characters_go(source: str, cleaned: str) -> None:
    assert clean_line(source) == cleaned


def test_lines_join_as_their_language_does() -> None:
    assert join_lines(["记录应当保存", "三年。"]) == "记录应当保存三年。"
    assert (
        join_lines(["a state-of-the-", "art retri-", "eval system"]) == "a state-of-the-art retrieval system"
    )
    assert join_lines(["pages 3-", "4"]) == "pages 3-4"
    assert join_lines(["(AD) 2018–", "23–51"]) == "(AD) 2018–23–51"
    assert join_lines(["a dash –", "and more"]) == "a dash – and more"


def test_a_wide_gap_between_chinese_words_stays_a_blank() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        writer = pymupdf.TextWriter(page.rect)
        font = pymupdf.Font("china-s")
        for x, word in ((72, "证券简称：比亚迪"), (300, "公告编号：三十五")):
            writer.append((x, 100), word, font=font, fontsize=11)
        writer.append((72, 130), "第一行文字后面还有一行。", font=font, fontsize=11)
        writer.write_text(page)
        document = PdfParser().parse(pdf.tobytes(), "x.pdf")
    assert "证券简称：比亚迪 公告编号：三十五" in document.text
