"""Pages of a PDF: reading order, turned pages, what is drawn or written too much, and no character lost."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pymupdf
import pytest

from core.document import Document, Line, lines_of, pages_of
from core.errors import DocumentError, TooManyPagesError, WrongPasswordError
from core.reading import Reading
from core.settings import ParsingSettings
from core.span import Span
from ingest.parsers.pdf.layer import raw_runs
from ingest.parsers.pdf.parser import PdfParser, embedded_files
from tests.conftest import SHARED
from tests.support import pdf_bytes

NO_OCR = Reading(settings=ParsingSettings(ocr="never"))


def parsed(pdf: pymupdf.Document) -> Document:
    return PdfParser().parse(pdf.tobytes(), "x.pdf", NO_OCR)


def notices(document: Document) -> dict[str, dict[str, str]]:
    return {notice.code: dict(notice.details) for notice in document.notices}


def words_in(page: pymupdf.Page, line: Line) -> str:
    box = pymupdf.Rect(line.x0 - 1, line.y0 - 1, line.x1 + 1, line.y1 + 1)
    return " ".join(word[4] for word in page.get_text("words", clip=box))


def test_columns_drawn_row_by_row_are_read_column_by_column_under_their_title() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((60, 80), "A Title over Both Columns of This Page", fontsize=20)
        for row in range(6):
            page.insert_text((60, 130 + 14 * row), f"L{row} left words of the first column", fontsize=10)
            page.insert_text((320, 130 + 14 * row), f"R{row} right words of the second column", fontsize=10)
        page.insert_text(
            (60, 700), "A closing remark set over the full width of the page stands here.", fontsize=10
        )
        text = parsed(pdf).text
    marks = ["A Title", *(f"L{row} " for row in range(6)), *(f"R{row} " for row in range(6)), "A closing"]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_boxes_of_a_turned_page_lie_on_the_page_as_it_is_shown(rotation: int) -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=500, height=700)
        page.insert_text((80, 120), "Turned words stand here", fontsize=14)
        page.insert_text((80, 150), "and a second line below", fontsize=14)
        page.set_rotation(rotation)
        data = pdf.tobytes()
    document = PdfParser().parse(data, "x.pdf", NO_OCR)
    line = lines_of(document.lines, Span(0, 6))[0]
    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        shown = pdf[0]
        drawn = shown.get_pixmap(
            clip=pymupdf.Rect(line.x0, line.y0, line.x1, line.y1), colorspace=pymupdf.csGRAY
        )
        assert line.x1 <= shown.rect.width + 1
        assert line.y1 <= shown.rect.height + 1
        assert min(drawn.samples) < 100


@pytest.mark.parametrize("turn", [90, 270])
def test_a_page_whose_writing_stands_on_its_side_is_read_upright(turn: int) -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=600, height=600)
        for row in range(5):
            across = 100 + 20 * row
            where = (across, 500) if turn == 90 else (600 - across, 100)
            page.insert_text(where, f"Row {row} of the sideways text", fontsize=11, rotate=turn)
        data = pdf.tobytes()
    document = PdfParser().parse(data, "x.pdf", NO_OCR)
    places = [document.text.index(f"Row {row}") for row in range(5)]
    assert places == sorted(places)
    line = lines_of(document.lines, Span(places[3], places[3] + 5))[0]
    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        assert "3" in words_in(pdf[0], line)


@pytest.mark.shared
def test_vertical_japanese_keeps_its_columns() -> None:
    path = SHARED / "data/pdf_zoo/corpus/ja_vertical_3p.pdf"
    text = PdfParser().parse(path.read_bytes(), "x.pdf", NO_OCR).text
    assert "あいうえお" in text
    assert "日本語" in text


def test_a_page_with_too_many_drawings_is_read_plainly_and_said_so() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        path = "\n".join(
            f"{40 + n % 500} {100 + n % 600} m {60 + n % 500} {110 + n % 600} l S" for n in range(31_000)
        )
        xref = page.get_contents()[0] if page.get_contents() else pdf.get_new_xref()
        pdf.update_object(xref, "<<>>")
        pdf.update_stream(xref, path.encode())
        page.set_contents(xref)
        page.insert_text((60, 60), "Words above a drawing of many lines")
        started = time.monotonic()
        document = parsed(pdf)
    assert "Words above a drawing" in document.text
    assert notices(document)["layout_left_out"] == {"pages": "1"}
    assert time.monotonic() - started < 20


def test_each_page_is_told_and_too_many_are_refused() -> None:
    heard: list[tuple[int, int]] = []
    data = pdf_bytes("<p>One page of words.</p>", "<p>Another page of words.</p>")
    PdfParser().parse(data, "x.pdf", Reading(on_page=lambda done, total: heard.append((done, total))))
    assert heard == [(1, 2), (2, 2)]
    with pytest.raises(TooManyPagesError):
        PdfParser().parse(data, "x.pdf", Reading(settings=ParsingSettings(max_pages=1)))


def test_the_right_password_opens_and_a_wrong_one_is_named() -> None:
    with pymupdf.open(stream=pdf_bytes("<p>Locked words.</p>"), filetype="pdf") as pdf:
        locked = pdf.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u", owner_pw="o")
    assert "Locked words" in PdfParser().parse(locked, "x.pdf", Reading(password="u")).text
    with pytest.raises(WrongPasswordError):
        PdfParser().parse(locked, "x.pdf", Reading(password="wrong"))


def test_no_length_of_a_cut_file_is_taken_in_silence() -> None:
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 72), "Few words.")
        data = pdf.tobytes()
    for length in (*range(0, len(data) - 8, max(len(data) // 14, 1)), len(data) - 20):
        try:
            document = PdfParser().parse(data[:length], "cut.pdf", NO_OCR)
        except DocumentError:
            continue
        assert "repaired" in notices(document), length


def test_each_character_of_the_layer_is_in_the_text_or_dropped_with_a_reason() -> None:
    with pymupdf.open() as pdf:
        for number in range(3):
            page = pdf.new_page()
            page.insert_text((60, 40), "Annual report of the Example Company", fontsize=8)
            page.insert_text((290, 810), f"- {number + 1} -", fontsize=8)
            page.insert_text((60, 100), f"{number + 1} Heading of this page", fontsize=16)
            page.insert_text((60, 140), f"Body text {number} that goes on in a self-", fontsize=10)
            page.insert_text((60, 154), "made sentence, and ends.", fontsize=10)
            page.draw_rect((60, 200, 300, 320), fill=(0.8, 0.9, 0.8))
            page.insert_text((80, 240), f"Label {number} inside a drawing", fontsize=9)
            page.insert_text((500, 400), f"aside {number}", fontsize=7, rotate=90)
        data = pdf.tobytes()
    document, dropped = PdfParser().read(data, "x.pdf", NO_OCR)
    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        for page in pdf:
            ours = Counter(
                "".join(
                    words for number, piece in dropped if number == page.number + 1 for words in piece.text
                )
            )
            for line in document.lines:
                if line.page == page.number + 1:
                    ours.update(line.span.of(document.text))
            raw = Counter(char for char in page.get_text() if not char.isspace())
            assert not raw - ours
            assert all(char.isspace() for char in (ours - raw).elements())
    assert {piece.reason for _, piece in dropped} == {"running_line", "page_number"}


def test_running_lines_are_named_and_those_that_stand_once_are_kept() -> None:
    with pymupdf.open() as pdf:
        for number in range(4):
            page = pdf.new_page()
            page.insert_text((60, 40), f"Handbook of Example Works, edition {number}", fontsize=8)
            page.insert_text(
                (60, 200), f"The text of page {number} is long enough to be a paragraph.", fontsize=11
            )
            page.insert_text(
                (60, 215), "It has a second line, so that nobody takes it for a header.", fontsize=11
            )
        pdf[2].insert_text((60, 815), "Printed on recycled paper", fontsize=8)
        document = parsed(pdf)
    assert "Handbook" not in document.text
    assert "Printed on recycled paper" in document.text
    named = notices(document)["running_lines_left_out"]
    assert named["count"] == "4"
    assert named["pages"] == "1-4"
    assert "Handbook" in named["lines"]


def test_a_footnote_stands_behind_the_sentence_that_goes_on_overleaf() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        for row in range(40):
            page.insert_text(
                (60, 60 + 15 * row),
                f"line {row} of a long paragraph that fills the whole page and goes",
                fontsize=11,
            )
        page.draw_line((60, 745), (200, 745))
        page.insert_text((60, 760), "1 A footnote explains the word in small print below a rule.", fontsize=7)
        page = pdf.new_page()
        page.insert_text((60, 60), "on overleaf until the sentence ends here in the second line", fontsize=11)
        page.insert_text((60, 75), "of the second page. Then another sentence follows it.", fontsize=11)
        document = parsed(pdf)
    assert "whole page and goes on overleaf" in document.text
    assert document.text.index("A footnote explains") > document.text.index("on overleaf")
    where = document.text.index("A footnote explains")
    assert pages_of(document.lines, Span(where, where + 4)) == (1,)


def test_letters_drawn_twice_count_once() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((60, 100), "Shadowed title", fontsize=18)
        page.insert_text((60, 200), "body", fontsize=10)
        page.insert_text((61, 101), "Shadowed title", fontsize=18)
        runs, _ = raw_runs(page)
    assert [run.text for run in runs] == ["Shadowed", "title", "body"]


def test_files_inside_are_named_and_can_be_taken_out() -> None:
    with pymupdf.open(stream=pdf_bytes("<p>See the attachment.</p>"), filetype="pdf") as pdf:
        pdf.embfile_add("data", b"a,b\n1,2\n", filename="data.csv", ufilename="data.csv")
        data = pdf.tobytes()
    assert embedded_files(data) == [("data.csv", b"a,b\n1,2\n")]
    assert notices(PdfParser().parse(data, "x.pdf"))["files_inside"] == {"names": "data.csv"}


@pytest.mark.shared
@pytest.mark.parametrize("name", ["en_two_column_paper_13p.pdf", "zh_table_byd_2025q1_9p.pdf"])
def test_the_words_in_a_blocks_boxes_are_its_text(name: str) -> None:
    path: Path = SHARED / "data/pdf_zoo/corpus" / name
    with pymupdf.open(path) as whole:
        whole.select([2])
        data = whole.tobytes()
    document = PdfParser().parse(data, name, NO_OCR)
    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        found = [
            set(line.span.of(document.text).replace("|", " ").split()[:1])
            <= set(words_in(pdf[0], line).replace("|", " ").split())
            for line in document.lines
            if line.span.of(document.text).strip("|- ")
        ]
    assert sum(found) >= 0.85 * len(found)
