"""Spreadsheets: what a reader of the sheet sees, table by table; far cells and gaps cost and lose nothing."""

from __future__ import annotations

import datetime
import io
import time
import zipfile
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image
from openpyxl.styles import Font
from PIL import Image as Picture

from core.document import BlockKind, Document
from core.errors import DamagedDocumentError, EmptyDocumentError, PasswordNeededError, UnsafeXmlError
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.grid.matrix import Kind
from ingest.parsers.sheets import parser as sheets
from ingest.parsers.sheets.formats import shown
from ingest.parsers.sheets.parser import XlsxParser
from tests.conftest import SHARED
from tests.ingest.parsers.documents import codes, edited

WITHOUT_OCR = Reading(settings=ParsingSettings(ocr="never"))


def saved(book: Any) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def book_of(**sheets_: list[list[Any]]) -> Any:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets_.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return book


def parsed(book: Any) -> Document:
    return XlsxParser().parse(saved(book), "账 本.xlsx", WITHOUT_OCR)


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(b.kind.value, b.span.of(document.text)) for b in document.blocks]


def tables(document: Document) -> list[list[str]]:
    return [b.span.of(document.text).splitlines() for b in document.blocks if b.kind is BlockKind.TABLE]


FIRST = "xl/worksheets/sheet1.xml"


def test_each_sheet_is_a_section_with_its_tables() -> None:
    book = book_of(价格=[["城市", "价格"], ["上海", 500], ["杭|州", 400]], Empty=[], Notes=[["One remark"]])
    document = parsed(book)
    assert blocks(document) == [
        ("heading", "价格"),
        ("table", "| 城市 | 价格 |\n| --- | --- |\n| 上海 | 500 |\n| 杭\\|州 | 400 |"),
        ("heading", "Notes"),
        ("paragraph", "One remark"),
    ]
    assert document.blocks[1].section_path == ("价格",)
    assert document.title == "账 本"
    assert document.notices == ()


@pytest.mark.parametrize(
    ("value", "code", "text", "kind"),
    [
        (1234567.891, "#,##0.00", "1,234,567.89", Kind.NUMBER),
        (-81, r"#,##0\ ;\(#,##0\)", "(81)", Kind.NUMBER),
        (0, '_(* #,##0_);_(* \\(#,##0\\);_(* "—"_);_(@_)', "—", Kind.NUMBER),
        (0.1234, "0.0%", "12.3%", Kind.NUMBER),
        (-1234.5, "[$¥-804]#,##0.00;[Red]-[$¥-804]#,##0.00", "-¥1,234.50", Kind.NUMBER),
        (12345678, '0.0,,"M"', "12.3M", Kind.NUMBER),
        (200000, '0!.0,"万"', "20.0万", Kind.NUMBER),
        (13812345678, "000-0000-0000", "138-1234-5678", Kind.NUMBER),
        (7, "000", "007", Kind.NUMBER),
        (3.25, "# ?/?", "3 1/4", Kind.NUMBER),
        (0.00012, "0.00E+00", "1.20E-04", Kind.NUMBER),
        (1500, '[>1000]0.0,"k";0', "1.5k", Kind.NUMBER),
        (0.1 + 0.2, "General", "0.3", Kind.NUMBER),
        (123456789012345, "General", "123456789012345", Kind.NUMBER),
        (5, ";;;", "5", Kind.NUMBER),
        (45000, "yyyy-mm-dd", "2023-03-15", Kind.DATE),
        (45000.75, "yyyy/m/d h:mm", "2023/3/15 18:00", Kind.DATE),
        (45000, 'yyyy"年"m"月"d"日";@', "2023年3月15日", Kind.DATE),
        (45000, "[$-409]mmm-yy", "Mar-23", Kind.DATE),
        (45000.5, "h:mm AM/PM", "12:00 PM", Kind.DATE),
        (45000.123456, "hh:mm:ss.000", "02:57:46.598", Kind.DATE),
        (1.5, "[h]:mm:ss", "36:00:00", Kind.DATE),
        (1, "yyyy-mm-dd", "1900-01-01", Kind.DATE),
        (1e9, "yyyy-mm-dd", "1000000000", Kind.DATE),
        (1e300, "General", "1E+300", Kind.NUMBER),
        (1e20, "0.0", "100000000000000000000.0", Kind.NUMBER),
        (float("inf"), "0.0", "INF", Kind.NUMBER),
    ],
)
def test_numbers_look_as_on_the_sheet(value: float, code: str, text: str, kind: Kind) -> None:
    assert shown(value, code) == (text, kind)


def test_values_of_every_kind_are_shown() -> None:
    book = book_of(A=[["what", "value"], ["yes", True], ["no", False], ["broken", "#DIV/0!"]])
    book["A"]["B4"].data_type = "e"
    book["A"].append(["day", datetime.date(2024, 5, 1)])
    book["A"].append(["share", 0.25])
    book["A"]["B6"].number_format = "0%"
    assert tables(parsed(book))[0][2:] == [
        "| yes | TRUE |",
        "| no | FALSE |",
        "| broken | #DIV/0! |",
        "| day | 2024-05-01 |",
        "| share | 25% |",
    ]


def test_a_formula_shows_its_value_and_without_one_itself() -> None:
    book = book_of(A=[["n", "twice"], [1, "=A2*2"], [2, "=A3*2"]])
    document = parsed(book)
    assert tables(document)[0][2:] == ["| 1 | =A2*2 |", "| 2 | =A3*2 |"]
    assert codes(document) == {"formulas_without_values": {"count": "2"}}
    valued = edited(
        saved(book),
        FIRST,
        lambda xml: xml.replace(
            b"<f>A2*2</f><v></v>", b'<f t="shared" ref="B2:B3" si="0">A2*2</f><v>2</v>'
        ).replace(b"<f>A3*2</f><v></v>", b'<f t="shared" si="0"/>'),
    )
    document = XlsxParser().parse(valued, "a.xlsx", WITHOUT_OCR)
    assert tables(document)[0][2:] == ["| 1 | 2 |", "| 2 | =A3*2 |"]


def test_merged_and_stacked_headers_become_one_header_row() -> None:
    book = book_of(
        A=[
            ["Sales of the year", None, None, None, None],
            ["Region", "2023", None, "2024", None],
            [None, "H1", "H2", "H1", "H2"],
            ["North", 1, 2, 3, 4],
            [None, 5, 6, 7, 8],
        ]
    )
    for merge in ("A1:E1", "A2:A3", "B2:C2", "D2:E2", "A4:A5"):
        book["A"].merge_cells(merge)
    assert blocks(parsed(book))[1:] == [
        ("paragraph", "Sales of the year"),
        (
            "table",
            "| Region | 2023 / H1 | 2023 / H2 | 2024 / H1 | 2024 / H2 |\n| --- | --- | --- | --- | --- |\n"
            "| North | 1 | 2 | 3 | 4 |\n|  | 5 | 6 | 7 | 8 |",
        ),
    ]


def test_tables_beside_and_below_each_other_stay_apart() -> None:
    book = book_of(
        A=[
            ["Name", "Age", None, "City", "Country"],
            ["Ann", 31, None, "Rome", "Italy"],
            ["Bo", 27, None, "Oslo", "Norway"],
            [],
            ["Fruit", "Colour"],
            ["Apple", "red"],
        ]
    )
    assert [table[0] for table in tables(parsed(book))] == [
        "| Name | Age |",
        "| City | Country |",
        "| Fruit | Colour |",
    ]


def test_small_gaps_inside_a_table_do_not_part_it() -> None:
    book = book_of(
        A=[
            ["In millions", "Sales", None, "Profit"],
            [],
            ["North", 10, None, 1],
            ["South", 20, None, 2],
            [],
            ["East", 30, None, 3],
            [],
            ["(a) Profit before tax."],
        ]
    )
    assert blocks(parsed(book))[1:] == [
        (
            "table",
            "| In millions | Sales | Profit |\n| --- | --- | --- |\n| North | 10 | 1 |\n| South | 20 | 2 |\n"
            "| East | 30 | 3 |",
        ),
        ("paragraph", "(a) Profit before tax."),
    ]


@pytest.mark.parametrize(
    ("rows", "has_header"),
    [
        ([["a", 1], ["b", 2]], False),
        ([["key", "n"], ["b", 2]], True),
        ([["", 2021, 2022], ["b", 10, 20], ["c", 30, 40]], True),
        ([["Overview", "x"], ["Overview", "y"], ["Overview", "z"]], False),
        ([["Name", "City"], ["Ann", "Rome"], ["Bo", "Oslo"]], True),
        ([["item", datetime.date(2024, 1, 1)], ["b", 10], ["c", 30]], True),
        ([["https://a.example", "x"], ["https://b.example", "y"]], False),
    ],
)
def test_a_header_is_claimed_only_where_the_cells_speak_for_one(
    rows: list[list[Any]], has_header: bool
) -> None:
    assert ("| --- |" in tables(parsed(book_of(A=rows)))[0][1]) is has_header


def test_a_bold_row_is_a_header_even_above_repeated_words() -> None:
    book = book_of(A=[["yes", "no"], ["yes", "maybe"], ["never", "no"]])
    for cell in book["A"][1]:
        cell.font = Font(bold=True)
    assert tables(parsed(book))[0][1] == "| --- | --- |"


def test_one_styled_far_cell_costs_nothing_and_rows_after_a_gap_are_found() -> None:
    book = book_of(A=[["city", "price"], ["Rome", 1]])
    book["A"].cell(row=603, column=1, value="after the gap")
    book["A"].cell(row=200_000, column=1).font = Font(bold=True)
    data = saved(book)
    started = time.perf_counter()
    document = XlsxParser().parse(data, "far.xlsx", WITHOUT_OCR)
    assert time.perf_counter() - started < 2
    assert blocks(document)[-1] == ("paragraph", "after the gap")


def test_a_long_table_stays_one_block() -> None:
    book = book_of(A=[["id", "name"], *([number, f"name {number}"] for number in range(3000))])
    document = parsed(book)
    assert len(tables(document)) == 1
    assert len(tables(document)[0]) == 3002


def test_rows_of_long_texts_become_records() -> None:
    answer = "第一步：打开设置。\n\n第二步：点击重置。" + "说明文字。" * 60
    book = book_of(
        问答=[["问题", "答案", "备注"], ["如何重置？", answer, None], ["如何登录？", answer, "常用"]]
    )
    records = [text for kind, text in blocks(parsed(book)) if kind == "paragraph"]
    assert len(records) == 2
    assert records[0].startswith("- 问题：如何重置？\n- 答案：第一步：打开设置。\n第二步：点击重置。")
    assert records[1].endswith("\n- 备注：常用")


def test_hidden_rows_stay_and_hidden_sheets_do_not() -> None:
    book = book_of(Shown=[["k", "v"], ["a", 1], ["b", 2]], Lists=[["secret"]], Plain=[["x"]])
    book["Shown"].row_dimensions[3].hidden = True
    book["Lists"].sheet_state = "hidden"
    document = parsed(book)
    assert "| b | 2 |" in document.text
    assert "secret" not in document.text
    assert codes(document) == {"sheets_hidden": {"sheets": "Lists"}, "sheet_rows_hidden": {"sheets": "Shown"}}


def test_hidden_columns_are_told_only_when_something_stands_in_them() -> None:
    book = book_of(Shown=[["k", "v"], ["a", 1]])
    book["Shown"].column_dimensions["F"].hidden = True
    assert codes(parsed(book)) == {}
    book["Shown"].column_dimensions["B"].hidden = True
    assert codes(parsed(book)) == {"sheet_rows_hidden": {"sheets": "Shown"}}


def test_comments_links_charts_and_rich_texts_are_read() -> None:
    book = book_of(价格=[["城市", "价格"], ["上海", 500]])
    sheet = book["价格"]
    sheet["B2"].comment = Comment("含税价", "张三")
    sheet["A2"].hyperlink = "https://example.com/"
    chart = BarChart()
    chart.title = "各城市价格"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=2), titles_from_data=True)
    sheet.add_chart(chart, "D2")
    document = parsed(book)
    assert ("paragraph", "批注 B2: 含税价") in blocks(document)
    assert ("paragraph", "各城市价格") in blocks(document)
    assert "example.com" not in document.text


NAMESPACE = "http://purl.oclc.org/ooxml/spreadsheetml/main"
OFFICE = "http://purl.oclc.org/ooxml/officeDocument/relationships"


def strict_package(sheet: str, strings: str = "", styles: str = "") -> bytes:
    """A workbook of the strict kind, which openpyxl does not read, with one name in another case."""
    relation = '<Relationship Id="{0}" Type="' + OFFICE + '/{1}" Target="{2}"/>'
    inner = [("s1", "worksheet", "worksheets/Sheet1.xml"), ("s2", "sharedStrings", "/xl/sharedStrings.xml")]
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f"<R>{relation.format('r1', 'officeDocument', 'xl/workbook.xml')}</R>",
        "xl/workbook.xml": f"<workbook xmlns='{NAMESPACE}' xmlns:r='{OFFICE}'><workbookPr date1904='1'/>"
        "<sheets><sheet name='A' r:id='s1'/></sheets></workbook>",
        "xl/_rels/workbook.xml.rels": "<R>"
        + "".join(relation.format(*row) for row in [*inner, ("s3", "styles", "styles.xml")])
        + "</R>",
        "xl/worksheets/sheet1.xml": f"<worksheet xmlns='{NAMESPACE}'><sheetData>{sheet}</sheetData></worksheet>",
        "xl/sharedStrings.xml": f"<sst xmlns='{NAMESPACE}'>{strings}</sst>",
        "xl/styles.xml": f"<styleSheet xmlns='{NAMESPACE}'>{styles}</styleSheet>",
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for name, xml in parts.items():
            package.writestr(name, xml)
    return stream.getvalue()


def test_strict_files_shared_strings_and_days_since_1904() -> None:
    data = strict_package(
        "<row><c t='s'><v>0</v></c><c t='s'><v>1</v></c></row>"
        "<row><c t='inlineStr'><is><t>day</t></is></c><c s='1'><v>0</v></c></row>"
        "<row><c t='str'><f>x</f><v>iso</v></c><c t='d'><v>2024-05-01T08:30:00</v></c></row>",
        "<si><r><t>To</t></r><r><t>kyo_x000D_</t></r><rPh sb='0' eb='1'><t>reading</t></rPh></si>"
        "<si><t>when</t></si>",
        "<cellXfs><xf numFmtId='0'/><xf numFmtId='31'/></cellXfs>",
    )
    assert tables(XlsxParser().parse(data, "a.xlsx"))[0] == [
        "| Tokyo | when |",
        "| --- | --- |",
        "| day | 1904年1月1日 |",
        "| iso | 2024-05-01 08:30:00 |",
    ]


def test_a_broken_picture_is_told() -> None:
    book = book_of(A=[["x"]])
    stream = io.BytesIO()
    Picture.new("RGB", (8, 8)).save(stream, "PNG")
    book["A"].add_image(Image(io.BytesIO(stream.getvalue())), "B2")
    broken = edited(saved(book), "xl/media/image1.png", lambda data: b"no picture")
    assert codes(XlsxParser().parse(broken, "a.xlsx")) == {"pictures_unread": {"places": "A"}}
    assert codes(XlsxParser().parse(broken, "a.xlsx", WITHOUT_OCR)) == {}


def test_cells_beyond_the_limit_are_cut_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MAX_CELLS", 4)
    document = parsed(book_of(A=[["k", "v"], ["a", 1], ["b", 2]]))
    assert "| a | 1 |" in document.text
    assert "b" not in document.text
    assert codes(document) == {"cells_cut": {"sheets": "A", "limit": "4"}}


def test_pages_are_told_as_they_are_read() -> None:
    heard: list[tuple[int, int]] = []
    reading = Reading(on_page=lambda done, total: heard.append((done, total)))
    XlsxParser().parse(saved(book_of(A=[["x"]], B=[["y"]])), "a.xlsx", reading)
    assert heard == [(1, 2), (2, 2)]


def test_what_cannot_be_read_has_its_own_error() -> None:
    good = saved(book_of(A=[["x", "y"], ["z", 1]]))
    encrypted = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(PasswordNeededError):
        XlsxParser().parse(encrypted, "a.xlsx")
    for data in (good[: len(good) // 2], b"PK\x03\x04", edited(good, FIRST, lambda xml: xml[:200])):
        with pytest.raises(DamagedDocumentError):
            XlsxParser().parse(data, "a.xlsx")
    with pytest.raises(UnsafeXmlError):
        XlsxParser().parse(edited(good, FIRST, lambda xml: b"<!DOCTYPE a []>" + xml), "a.xlsx")
    with pytest.raises(EmptyDocumentError):
        parsed(book_of(A=[]))


@pytest.mark.shared
def test_a_company_report_keeps_its_periods_and_notes() -> None:
    corpus = SHARED / "data" / "format_zoo" / "corpus"
    data = (corpus / "en_segment_report_merged_cells.xlsx").read_bytes()
    document = XlsxParser().parse(data, "report.xlsx")
    found = tables(document)
    assert [len(table) for table in found] == [12, 12, 12, 11, 11, 11, 10]
    assert found[2][0].startswith("| In millions of CHF | January–June 2023 / Impairment of goodwill")
    assert found[0][2] == "| Zone NA | 12,553 | 2,713 | 2,632 | (81) | (29) | (44) | (337) |"
    assert ("paragraph", "(c) Included in Trading operating profit.") in blocks(document)


@pytest.mark.shared
def test_odd_layouts_of_the_zoo() -> None:
    corpus = SHARED / "data" / "format_zoo" / "corpus"
    document = XlsxParser().parse((corpus / "en_edge_cases.xlsx").read_bytes(), "x.xlsx")
    assert [len(table) for table in tables(document)] == [5, 5, 5, 4]
    with pytest.raises(PasswordNeededError):
        XlsxParser().parse((corpus / "en_password_protected.xlsx").read_bytes(), "x.xlsx")
