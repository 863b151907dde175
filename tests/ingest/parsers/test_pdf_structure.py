"""Structure of a PDF: levels of headings, tables over pages, code, list items, notes and form fields."""

from __future__ import annotations

import pymupdf
import pytest

from core.document import BlockKind, Document, Line, lines_of, pages_of
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.indexes.analyzer import analyze
from ingest.parsers.pdf.bookmarks import Bookmark
from ingest.parsers.pdf.furniture import PageContent
from ingest.parsers.pdf.headings import with_levels
from ingest.parsers.pdf.layer import Run
from ingest.parsers.pdf.layout import Region
from ingest.parsers.pdf.lines import PdfLine, clean_line, join_lines, printed_lines
from ingest.parsers.pdf.page import PdfBlock, page_blocks
from ingest.parsers.pdf.page_tables import PdfTable, repeated_rows, table_of
from ingest.parsers.pdf.parser import PdfParser
from ingest.parsers.pdf.text import PdfText

NO_OCR = Reading(settings=ParsingSettings(ocr="never"))


def block(
    text: str, kind: BlockKind = BlockKind.HEADING, *, size: float = 11, bold: bool = False, top: float = 100
) -> PdfBlock:
    line = PdfLine(text=text, box=(60, top, 300, top + size), size=size, bold=bold)
    return PdfBlock(kind=kind, lines=(line,))


def page(*blocks: PdfBlock, number: int = 1) -> PageContent:
    return PageContent(number=number, width=600, height=800, blocks=blocks)


def levels(pages: list[PageContent], bookmarks: list[Bookmark] | None = None) -> dict[str, int]:
    return {
        found.words: found.level
        for content in with_levels(pages, bookmarks or [])
        for found in content.blocks
        if found.kind is BlockKind.HEADING
    }


def run(text: str, left: float, top: float, *, line: int = 1, block: int = 0, width: float = 6) -> Run:
    edges = tuple(left + width * number for number in range(len(text) + 1))
    return Run(
        text=text, box=(left, top, edges[-1], top + 10), edges=edges, gaps=(0.0,) * (len(text) - 1), size=10,
        bold=False, mono=False, line=line, block=block, spaced=False,
    )  # fmt: skip


def table(*rows: tuple[str, ...], columns: tuple[float, ...] = (50, 150, 250)) -> PdfTable:
    boxes = tuple((50.0, 100.0 + 20 * n, 250.0, 115.0 + 20 * n) for n in range(len(rows)))
    return PdfTable(rows=rows, boxes=boxes, columns=columns)


def table_block(found: PdfTable) -> PdfBlock:
    return PdfBlock(kind=BlockKind.TABLE, lines=found.lines, table=found)


def test_sizes_give_the_levels_where_nothing_is_numbered() -> None:
    pages = [page(block("Report", size=20), block("Summary", size=14), block("Aim", size=12, bold=True)),
             page(block("Results", size=14, top=300), number=2)]  # fmt: skip
    assert levels(pages) == {"Report": 1, "Summary": 2, "Aim": 3, "Results": 2}


def test_numbers_override_sizes_and_teach_the_unnumbered() -> None:
    pages = [page(block("The Title", size=20), block("1 Scope", size=14, bold=True),
                  block("1.1 Terms", size=14, bold=True), block("References", size=14, bold=True, top=500))]  # fmt: skip
    assert levels(pages) == {"The Title": 1, "1 Scope": 2, "1.1 Terms": 3, "References": 2}


def test_chinese_numbers_stand_below_each_other_whatever_their_size() -> None:
    names = ("第一节 重要提示", "一、财务报表", "（一）主要数据", "1、资产负债表")
    pages = [page(*(block(name, size=12, bold=True, top=100 + 50 * n) for n, name in enumerate(names)))]
    found = levels(pages)
    assert [found[name] for name in names] == [3, 4, 5, 6]


def test_bookmarks_count_only_when_their_titles_stand_on_their_pages() -> None:
    pages = [page(block("Alpha", size=12, bold=True), block("Beta", size=12, bold=True, top=300))]
    right = [Bookmark(level=1, title="Alpha", page=1), Bookmark(level=2, title="beta", page=1)]
    assert levels(pages, right) == {"Alpha": 1, "Beta": 2}
    wrong = [Bookmark(level=level, title=title, page=9) for level, title in ((3, "Alpha"), (2, "Gamma"))]
    assert levels(pages, wrong) == {"Alpha": 1, "Beta": 1}


def test_bookmarks_stand_below_a_title_that_they_leave_out() -> None:
    pages = [page(block("The Rules", size=20), block("Alpha", size=12, bold=True, top=300))]
    assert levels(pages, [Bookmark(level=1, title="Alpha", page=1)]) == {"The Rules": 1, "Alpha": 2}


def test_a_bookmark_makes_a_heading_of_a_line_that_the_layout_took_for_text() -> None:
    pages = [page(block("Payment terms", BlockKind.PARAGRAPH), block("Words.", BlockKind.PARAGRAPH, top=200))]
    assert levels(pages, [Bookmark(level=2, title="Payment Terms", page=1)]) == {"Payment terms": 2}


def test_a_bold_number_line_is_a_heading_but_not_where_all_is_bold() -> None:
    body = block("Plain words of the body that are longer.", BlockKind.PARAGRAPH, top=200)
    line = block("（二）非经常性损益", BlockKind.PARAGRAPH, bold=True)
    assert levels([page(line, body)]) == {"（二）非经常性损益": 1}
    bold = block("粗体的正文也有很多很多的字，整篇都是粗体。", BlockKind.PARAGRAPH, bold=True, top=200)
    assert levels([page(line, bold)]) == {}


def test_a_heading_over_two_regions_is_one_and_two_headings_stay_two() -> None:
    first, rest = block("A title that is far too", size=14), block("long for a line", size=14, top=115)
    other = block("Next", size=14, top=200)
    assert list(levels([page(first, rest, other)])) == ["A title that is far too long for a line", "Next"]


@pytest.mark.parametrize("text", ["□是 √否", "粗体的一整句话不是标题。", "word " * 60])
def test_tick_lines_sentences_and_long_bold_text_are_no_headings(text: str) -> None:
    runs = [run(text.replace(" ", ""), 60, 100)]
    (found,) = page_blocks(runs, [Region(name="section-header", box=(50, 90, 4000, 120))])
    assert found.kind is BlockKind.PARAGRAPH


def test_what_no_region_holds_is_put_behind_what_stands_above_it() -> None:
    runs = [
        run("above", 60, 100),
        run("lost", 60, 200, line=2, block=1),
        run("below", 60, 300, line=3, block=2),
    ]
    regions = [Region(name="text", box=(50, 95, 200, 115)), Region(name="text", box=(50, 295, 200, 315))]
    assert [found.words for found in page_blocks(runs, regions)] == ["above", "lost", "below"]


def test_a_run_goes_to_the_smallest_region_and_only_there() -> None:
    regions = [Region(name="picture", box=(0, 0, 600, 800)), Region(name="text", box=(50, 95, 200, 115))]
    found = page_blocks([run("inner", 60, 100), run("outer", 60, 500, line=2)], regions)
    assert [(b.kind, b.words) for b in found] == [(BlockKind.IMAGE, "outer"), (BlockKind.PARAGRAPH, "inner")]


def test_cells_are_filled_by_place_and_a_word_that_juts_out_stays_whole() -> None:
    region = Region(name="table", box=(50, 90, 250, 140), columns=(50, 150, 250), rows=(90, 115, 140))
    runs = [run("Name", 60, 100), run("overlong-word-here", 60, 120, line=2), run("12", 200, 120, line=3)]
    found = table_of(runs, region)
    assert found is not None
    assert found.rows == (("Name", ""), ("overlong-word-here", "12"))


def test_a_grid_with_one_filled_column_or_columns_of_prose_is_no_table() -> None:
    region = Region(name="table", box=(50, 90, 250, 140), columns=(50, 150, 250), rows=(90, 115, 140))
    assert table_of([run("alone", 60, 100)], region) is None
    prose = [run("word" * 80, 60, 100, width=0.1), run("more" * 80, 160, 100, line=2, width=0.1)]
    assert table_of(prose, region) is None


def test_a_table_that_goes_on_is_joined_and_its_header_kept_once() -> None:
    first = table(("City", "Limit"), ("Shanghai", "400"))
    again = table(("City", "Limit"), ("Tianjin", "300"), columns=(51, 148, 250))
    text = PdfText()
    text.add_page(1, (table_block(first),))
    text.add_page(2, (table_block(again),))
    text.finish()
    assert text.text().splitlines() == [
        "| City | Limit |", "| --- | --- |", "| Shanghai | 400 |", "| Tianjin | 300 |",
    ]  # fmt: skip
    assert text.repeated == [(2, "City Limit")]
    (found,) = text.blocks()
    assert pages_of(text.lines(), found.span) == (1, 2)


def test_tables_with_other_columns_stay_apart() -> None:
    assert repeated_rows(table(("a", "b")), table(("c", "d"))) == 0
    assert repeated_rows(table(("a", "b")), table(("c", "d"), columns=(50, 220, 250))) is None
    assert repeated_rows(table(("a", "b")), table(("c", "d", "e"), columns=(50, 100, 150, 250))) is None


def test_a_float_inside_a_sentence_comes_behind_its_paragraph() -> None:
    text = PdfText()
    start = block("The sentence starts at the foot of the", BlockKind.PARAGRAPH, top=700)
    rest = block("column and ends here.", BlockKind.PARAGRAPH, top=300)
    text.add_page(1, (start, table_block(table(("a", "b"), ("1", "2"))), rest))
    text.finish()
    assert text.text().startswith("The sentence starts at the foot of the column and ends here.\n\n| a | b |")


def parsed(pdf: pymupdf.Document) -> Document:
    return PdfParser().parse(pdf.tobytes(), "x.pdf", NO_OCR)


def test_comments_and_filled_fields_are_text_with_a_mark() -> None:
    with pymupdf.open() as pdf:
        sheet = pdf.new_page()
        sheet.insert_text((72, 72), "The body of this page has some words.")
        sheet.add_text_annot((300, 72), "Please check the limit")
        sheet.add_freetext_annot((72, 300, 300, 330), "typed over the page")
        marked = sheet.add_highlight_annot(sheet.search_for("body")[0])
        marked.set_info(content="Which body?")
        marked.update()
        field = pymupdf.Widget()
        field.field_name, field.field_label, field.field_value = "a", "Given name", "Ada"
        field.field_type, field.rect = pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.Rect(72, 200, 200, 220)
        sheet.add_widget(field)
        text = parsed(pdf).text
    for words in ("[Note] Please check the limit", "[Note] Which body?", "[Note] typed over the page"):
        assert words in text
    assert text.count("typed over the page") == 1
    assert text.count("Ada") == 1


def test_lines_in_a_font_of_equal_widths_are_code_with_its_indents() -> None:
    with pymupdf.open() as pdf:
        sheet = pdf.new_page()
        sheet.insert_text((72, 72), "The listing below shows how two numbers are added.", fontsize=11)
        for number, line in enumerate(("def add(a, b):", "    return a + b", "print(add(3, 5))")):
            sheet.insert_text((72, 110 + 13 * number), line, fontname="cour", fontsize=10)
        document = parsed(pdf)
    code = [found.span.of(document.text) for found in document.blocks if found.kind is BlockKind.CODE]
    assert code == ["def add(a, b):\n    return a + b\nprint(add(3, 5))"]


def test_ligatures_and_wide_letters_are_found_by_plain_ones() -> None:
    with pymupdf.open() as pdf:
        sheet = pdf.new_page()
        sheet.insert_htmlbox((60, 60, 500, 200), "<p>P\ufb01zer and ＡＢＣ are named in this line.</p>")
        document = parsed(pdf)
    assert {"pfizer", "abc"} <= set(analyze(document.text))


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["a self-", "contained word"], "a self-contained word"),
        (["a d-", "dimensional space"], "a d-dimensional space"),
        (["the retri-", "eval"], "the retrieval"),
    ],
)
def test_a_hyphen_stays_where_it_is_part_of_the_word(lines: list[str], joined: str) -> None:
    assert join_lines(lines) == joined


@pytest.mark.parametrize(
    ("source", "cleaned"),
    [
        ("总则 ............ 12", "总则 … 12"),
        ("Income . . . . . . . . 7", "Income … 7"),
        ("目 录", "目录"),
        ("3.14 and e.g. this...", "3.14 and e.g. this..."),
    ],
)
def test_dot_leaders_and_wide_set_titles_are_closed(source: str, cleaned: str) -> None:
    assert clean_line(source) == cleaned


def test_a_blank_between_all_letters_is_closed() -> None:
    spread = [
        Run(text=char, box=(60 + 8 * n, 100, 66 + 8 * n, 110), edges=(60 + 8 * n, 66 + 8 * n), gaps=(), size=10,
            bold=False, mono=False, line=1, block=0, spaced=n > 0)
        for n, char in enumerate("Inhalt2")
    ]  # fmt: skip
    assert [line.text for line in printed_lines(spread)] == ["Inhalt2"]


def test_rows_of_a_table_have_their_own_lines() -> None:
    text = PdfText()
    text.add_page(1, (table_block(table(("a", "b"), ("1", "2"))),))
    (found,) = text.blocks()
    rows: list[Line] = list(lines_of(text.lines(), found.span))
    assert [row.y0 for row in rows] == [100.0, 100.0, 120.0]
