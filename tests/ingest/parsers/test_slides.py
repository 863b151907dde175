"""Slides: every word that is shown, once, in reading order, with its page and place; nothing glued, nothing hidden."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Pt

from core.document import BlockKind, Document
from core.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    PasswordNeededError,
    TooManyPagesError,
    UnsafeXmlError,
)
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.slides.parser import PptxParser
from tests.conftest import SHARED
from tests.ingest.parsers.documents import codes, edited

WITHOUT_OCR = Reading(settings=ParsingSettings(ocr="never"))
TITLE, TITLE_AND_BODY, TITLE_ONLY, BLANK = 0, 1, 5, 6
A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def saved(deck: Any) -> bytes:
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


def slide_of(deck: Any, layout: int, title: str = "") -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def box(
    shapes: Any, text: str, x: float = 100, y: float = 100, width: float = 120, height: float = 30
) -> Any:
    """A text box; places and sizes in points."""
    shape = shapes.add_textbox(Pt(x), Pt(y), Pt(width), Pt(height))
    shape.text_frame.text = text
    return shape


def parsed(deck: Any, reading: Reading = WITHOUT_OCR) -> Document:
    return PptxParser().parse(saved(deck), "季度 汇报.pptx", reading)


def texts(document: Document) -> list[str]:
    return [block.span.of(document.text) for block in document.blocks]


def test_a_deck_is_sections_and_pages() -> None:
    deck = Presentation()
    opening = slide_of(deck, TITLE, "Annual report")
    opening.placeholders[1].text = "For the board"
    body = slide_of(deck, TITLE_AND_BODY, "Findings").placeholders[1].text_frame
    body.text = "Costs fell"
    body.add_paragraph().text = "by a tenth"
    body.paragraphs[1].level = 1
    document = parsed(deck)
    assert [
        (b.kind.value, b.level if b.level < 9 else 0, t)
        for b, t in zip(document.blocks, texts(document), strict=True)
    ] == [
        ("heading", 1, "Annual report"),
        ("paragraph", 0, "For the board"),
        ("heading", 2, "Findings"),
        ("list_item", 0, "- Costs fell"),
        ("list_item", 0, "  - by a tenth"),
    ]
    assert document.blocks[-1].section_path == ("Annual report", "Findings")
    assert (document.page_count, document.title) == (2, "Annual report")
    assert [line.page for line in document.lines] == [1, 1, 2, 2, 2]
    assert all(0 <= line.x0 < line.x1 <= 720 and 0 <= line.y0 < line.y1 <= 540 for line in document.lines)


def test_nothing_is_glued_and_groups_in_groups_stand_where_they_are_drawn() -> None:
    deck = Presentation()
    shapes = slide_of(deck, TITLE_ONLY, "Shapes").shapes
    box(shapes, "BOX", y=150)
    box(shapes, "SECOND", y=200)
    outer = shapes.add_group_shape()
    inner = outer.shapes.add_group_shape()
    box(inner.shapes, "DEEP", x=10, y=10, width=40, height=20)
    transform = outer._element.grpSpPr.get_or_add_xfrm()
    for name, (x, y) in {"off": (300, 250), "ext": (80, 40), "chOff": (10, 10), "chExt": (40, 20)}.items():
        keys = ("x", "y") if "ff" in name else ("cx", "cy")
        part = transform.find(f"{{{A}}}{name}")
        for key, value in zip(keys, (x, y), strict=True):
            part.set(key, str(Pt(value)))
    document = parsed(deck)
    assert document.text == "Shapes\n\nBOX\n\nSECOND\n\nDEEP"
    deep = document.lines[-1]
    assert [round(side) for side in (deep.x0, deep.y0, deep.x1, deep.y1)] == [300, 250, 380, 290]


def test_shapes_are_read_by_rows_and_columns_not_as_they_were_drawn() -> None:
    deck = Presentation()
    shapes = slide_of(deck, BLANK).shapes
    places = {
        "d": (400, 300),
        "left": (50, 300),
        "a": (50, 50),
        "c": (50, 150),
        "b": (400, 55),
        "right": (400, 380),
    }
    for name, (x, y) in places.items():
        box(shapes, name, x=x, y=y, height=200 if name == "left" else 30)
    assert texts(parsed(deck)) == ["a", "b", "c", "left", "d", "right"]


def test_tables_keep_header_rows_merges_and_their_rows_places() -> None:
    deck = Presentation()
    table = slide_of(deck, TITLE_ONLY, "价格").shapes.add_table(3, 3, Pt(50), Pt(100), Pt(300), Pt(90)).table
    for row, values in enumerate([["城市", "一线", ""], ["上海", "五百", "四百"], ["杭州", "三百", "二百"]]):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    table.cell(0, 1).merge(table.cell(0, 2))
    document = parsed(deck)
    assert texts(document)[1].splitlines() == [
        "| 城市 | 一线 | 一线 |",
        "| --- | --- | --- |",
        "| 上海 | 五百 | 四百 |",
        "| 杭州 | 三百 | 二百 |",
    ]
    assert [(round(line.y0), round(line.y1)) for line in document.lines[1:]] == [
        (100, 130), (100, 130), (130, 160), (160, 190),
    ]  # fmt: skip


def test_charts_become_tables() -> None:
    deck = Presentation()
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["Q1", "Q2"]
    data.add_series("North", (0.5, 0.25))
    data.add_series("South", (None, 1))
    size = (Pt(50), Pt(100), Pt(300), Pt(200))
    chart = slide_of(deck, TITLE_ONLY, "Share").shapes.add_chart(XL_CHART_TYPE.LINE, *size, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Share by region"
    points = XyChartData()
    series = points.add_series("Model")
    series.add_data_point(1, 10)
    series.add_data_point(2, 20)
    slide_of(deck, TITLE_ONLY, "Fit").shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, *size, points)
    assert texts(parsed(deck)) == [
        "Share",
        "Share by region",
        "|  | North | South |\n| --- | --- | --- |\n| Q1 | 50.0% |  |\n| Q2 | 25.0% | 100.0% |",
        "Fit",
        "|  | x | y |\n| --- | --- | --- |\n| Model | 1 | 10 |\n| Model | 2 | 20 |",
    ]


def test_smart_art_keeps_its_levels() -> None:
    words = "<d:t><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></d:t>"
    points = "".join(
        f"<d:pt modelId='{key}'{kind}>{words.format(text) if text else ''}</d:pt>"
        for key, kind, text in [
            ("0", " type='doc'", ""),
            ("2", "", "Second"),
            ("1", "", "First"),
            ("3", "", "Below"),
            ("9", " type='pres'", "shadow"),
        ]
    )
    links = "".join(
        f"<d:cxn modelId='c{child}' srcId='{parent}' destId='{child}' srcOrd='{order}'/>"
        for parent, child, order in [("0", "2", 1), ("0", "1", 0), ("1", "3", 0)]
    )
    xml = f"<d:dataModel xmlns:d='d' xmlns:a='{A}'><d:ptLst>{points}</d:ptLst><d:cxnLst>{links}</d:cxnLst></d:dataModel>"
    deck = Presentation()
    slide = slide_of(deck, TITLE_ONLY, "Plan")
    part = Part(PackURI("/ppt/diagrams/data1.xml"), "application/xml", slide.part.package, xml.encode())
    key = slide.part.relate_to(
        part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
    )
    frame = slide.shapes.add_table(1, 1, Pt(50), Pt(100), Pt(300), Pt(90))._element
    data = frame.find(f".//{{{A}}}graphicData")
    for child in list(data):
        data.remove(child)
    data.set("uri", "http://schemas.openxmlformats.org/drawingml/2006/diagram")
    reference = etree.SubElement(data, "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds")
    reference.set("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm", key)
    assert texts(parsed(deck)) == ["Plan", "- First", "  - Below", "- Second"]
    broken = edited(saved(deck), "ppt/diagrams/data1.xml", lambda data: data[:40])
    assert codes(PptxParser().parse(broken, "x.pptx", WITHOUT_OCR)) == {"parts_unread": {"slides": "1"}}


def test_notes_are_marked_in_the_language_of_the_deck() -> None:
    deck = Presentation()
    slide = slide_of(deck, TITLE_ONLY, "季度总结")
    slide.notes_slide.notes_text_frame.text = "先讲结论\n再讲数据"
    document = parsed(deck)
    assert texts(document)[-1] == "备注：先讲结论\n再讲数据"
    assert document.blocks[-1].section_path == ("季度总结",)
    deck = Presentation()
    slide_of(deck, TITLE_ONLY, "Summary").notes_slide.notes_text_frame.text = "Be brief"
    assert texts(parsed(deck))[-1] == "Notes: Be brief"


def test_automatic_numbers_are_counted() -> None:
    deck = Presentation()
    frame = box(slide_of(deck, TITLE_ONLY, "Steps").shapes, "one", y=200).text_frame
    for words in ("two", "inner", "three"):
        frame.add_paragraph().text = words
    for paragraph, kind in zip(
        frame.paragraphs, ("arabicPeriod", "arabicPeriod", "alphaLcParenR", "arabicPeriod"), strict=True
    ):
        etree.SubElement(paragraph._p.get_or_add_pPr(), f"{{{A}}}buAutoNum").set("type", kind)
    frame.paragraphs[2].level = 1
    assert texts(parsed(deck))[1:] == ["1. one", "2. two", "  a) inner", "3. three"]


def test_text_that_nobody_sees_is_left_out_and_told() -> None:
    deck = Presentation()
    shapes = slide_of(deck, TITLE_ONLY, "Seen").shapes
    box(shapes, "off the slide", x=-900)
    box(shapes, "switched off", y=150)._element.nvSpPr.cNvPr.set("hidden", "1")
    box(shapes, "tiny", y=200).text_frame.paragraphs[0].runs[0].font.size = Pt(1)
    box(shapes, "no fill", y=250).text_frame.paragraphs[0].runs[0].font.fill.background()
    white = box(shapes, "white on white", y=300).text_frame.paragraphs[0].runs[0]
    white.font.color.rgb = RGBColor(255, 255, 255)
    document = parsed(deck)
    assert document.text == "Seen"
    assert codes(document) == {"slide_text_hidden": {"slides": "1"}}


def test_white_text_on_something_dark_is_kept() -> None:
    deck = Presentation()
    shapes = slide_of(deck, TITLE_ONLY, "Seen").shapes
    filled = box(shapes, "on its own fill", y=150)
    filled.fill.solid()
    filled.fill.fore_color.rgb = RGBColor(0, 0, 120)
    panel = box(shapes, "", y=200, height=200)
    panel.fill.solid()
    panel.fill.fore_color.rgb = RGBColor(0, 0, 120)
    above = box(shapes, "over a panel", y=250)
    for shape in (filled, above):
        shape.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 255, 255)
    document = parsed(deck)
    assert texts(document) == ["Seen", "on its own fill", "over a panel"]
    assert codes(document) == {}


def test_what_repeats_on_every_slide_is_left_out_and_told() -> None:
    deck = Presentation()
    for number in range(3):
        slide = slide_of(deck, TITLE_ONLY, f"Part {number}")
        box(slide.shapes, "Confidential", x=10, y=500)
        footer = box(slide.shapes, f"{number + 1}", x=600, y=500)
        etree.SubElement(
            footer._element.nvSpPr.nvPr, "{http://schemas.openxmlformats.org/presentationml/2006/main}ph"
        ).set("type", "sldNum")
    document = parsed(deck)
    assert texts(document) == ["Part 0", "Part 1", "Part 2"]
    assert codes(document) == {"slide_furniture": {"texts": "Confidential"}}


def test_a_hidden_slide_is_kept_and_told() -> None:
    deck = Presentation()
    slide_of(deck, TITLE_ONLY, "Shown")
    slide_of(deck, TITLE_ONLY, "Backup")._element.set("show", "0")
    document = parsed(deck)
    assert texts(document) == ["Shown", "Backup"]
    assert codes(document) == {"slides_hidden_kept": {"slides": "2"}}


def test_a_slide_without_a_title_is_a_section_of_its_own() -> None:
    deck = Presentation()
    slide_of(deck, TITLE_ONLY, "标题一")
    shapes = slide_of(deck, BLANK).shapes
    heading = box(shapes, "像标题的文本框", y=40)
    heading.text_frame.paragraphs[0].runs[0].font.size = Pt(32)
    box(shapes, "正文内容", y=200)
    shapes = slide_of(deck, BLANK).shapes
    box(shapes, "没有标题的一页", y=300)
    box(shapes, "第二段", y=400)
    document = parsed(deck)
    paths = [
        (block.section_path[-1], text) for block, text in zip(document.blocks, texts(document), strict=True)
    ]
    assert paths == [
        ("标题一", "标题一"),
        ("像标题的文本框", "像标题的文本框"),
        ("像标题的文本框", "正文内容"),
        ("第 3 张幻灯片", "第 3 张幻灯片"),
        ("第 3 张幻灯片", "没有标题的一页"),
        ("第 3 张幻灯片", "第二段"),
    ]


def test_shapes_in_alternatives_are_read_once() -> None:
    deck = Presentation()
    slide = slide_of(deck, TITLE_ONLY, "Formula")
    shape = box(slide.shapes, "E = ", y=200)._element
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    run = etree.fromstring(f"<m xmlns:x='{math}'><x:oMath><x:r><x:t>mc</x:t></x:r></x:oMath></m>")
    shape.txBody.findall(f"{{{A}}}p")[0].append(run)
    alternate = etree.SubElement(slide.shapes._spTree, f"{{{mc}}}AlternateContent")
    choice = etree.SubElement(alternate, f"{{{mc}}}Choice")
    fallback = etree.SubElement(alternate, f"{{{mc}}}Fallback")
    fallback.append(etree.fromstring(etree.tostring(shape)))
    choice.append(shape)
    assert texts(parsed(deck)) == ["Formula", "E = mc"]


def test_alt_texts_that_say_something_are_kept_and_pictures_that_are_none_are_told() -> None:
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (8, 8)).save(stream, "PNG")
    deck = Presentation()
    shapes = slide_of(deck, TITLE_ONLY, "Pictures").shapes
    for words in ("Floor plan of the laboratory", "logo.png", "Picture 4"):
        picture = shapes.add_picture(io.BytesIO(stream.getvalue()), Pt(50), Pt(200))
        picture._element.nvPicPr.cNvPr.set("descr", words)
    document = parsed(deck)
    assert [(b.kind, t) for b, t in zip(document.blocks, texts(document), strict=True)][1:] == [
        (BlockKind.CAPTION, "Floor plan of the laboratory")
    ]
    broken = edited(saved(deck), "ppt/media/image1.png", lambda data: b"no picture")
    assert codes(PptxParser().parse(broken, "x.pptx")) == {"pictures_unread": {"places": "Slide 1"}}


@pytest.mark.parametrize("kind", ["slideshow.main+xml", "template.main+xml"])
@pytest.mark.parametrize("macros", [False, True])
def test_shows_and_templates_are_read_too(kind: str, macros: bool) -> None:
    deck = Presentation()
    slide_of(deck, TITLE_ONLY, "Show")
    start = (
        "application/vnd.ms-powerpoint."
        if macros
        else "application/vnd.openxmlformats-officedocument.presentationml."
    )
    new = start + (kind.replace(".main", ".macroEnabled.main") if macros else kind)
    old = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    data = edited(saved(deck), "[Content_Types].xml", lambda xml: xml.replace(old, new.encode()))
    assert texts(PptxParser().parse(data, "x.ppsx", WITHOUT_OCR)) == ["Show"]


def test_pages_are_told_and_limited() -> None:
    deck = Presentation()
    for number in range(3):
        slide_of(deck, TITLE_ONLY, f"Part {number}")
    heard: list[tuple[int, int]] = []
    parsed(deck, Reading(on_page=lambda done, total: heard.append((done, total))))
    assert heard == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(TooManyPagesError):
        parsed(deck, Reading(settings=ParsingSettings(max_pages=2)))


def test_absurd_numbers_in_a_file_cost_nothing() -> None:
    deck = Presentation()
    slide = slide_of(deck, TITLE_ONLY, "Absurd")
    data = CategoryChartData()
    data.categories = ["Q1"]
    data.add_series("North", (1,))
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, Pt(50), Pt(300), Pt(300), Pt(200), data)
    paragraph = box(slide.shapes, "deep", y=150).text_frame.paragraphs[0]._p.get_or_add_pPr()
    paragraph.set("lvl", "99999999")
    etree.SubElement(paragraph, f"{{{A}}}buAutoNum").attrib.update(
        {"type": "alphaLcPeriod", "startAt": "9999999999"}
    )
    chart = next(
        name for name in zipfile.ZipFile(io.BytesIO(saved(deck))).namelist() if "charts/chart" in name
    )
    data_ = edited(
        saved(deck), chart, lambda xml: xml.replace(b'<c:pt idx="0">', b'<c:pt idx="9999999999">', 1)
    )
    document = PptxParser().parse(data_, "x.pptx", WITHOUT_OCR)
    assert len(document.text) < 2000
    assert "deep" in document.text


def test_what_cannot_be_read_has_its_own_error() -> None:
    deck = Presentation()
    slide_of(deck, TITLE_ONLY, "Title")
    good, part = saved(deck), "ppt/slides/slide1.xml"
    encrypted = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(PasswordNeededError):
        PptxParser().parse(encrypted, "a.pptx")
    for data in (good[: len(good) // 2], b"PK\x03\x04", edited(good, part, lambda xml: xml[:200])):
        with pytest.raises(DamagedDocumentError):
            PptxParser().parse(data, "a.pptx")
    with pytest.raises(UnsafeXmlError):
        PptxParser().parse(edited(good, part, lambda xml: b"<!DOCTYPE a []>" + xml), "a.pptx")
    with pytest.raises(EmptyDocumentError):
        parsed(Presentation())


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bad_malformed.pptx", ["Test Slide", "Problem Date Placeholder"]),
        ("en_nested_groups.pptx", list("ABDCEFGHIJ")),
        ("en_chart.pptx", ["Quarterly Duck Survey", "Wild Duck Observations by Year"]),
        (
            "zh_ocr_image_in_pptx.pptx",
            ["我是文字", "| 我是表格1 | 我是表格5 |\n| --- | --- |\n| 我是表格3 | 我是表格4 |"],
        ),
    ],
)
def test_the_decks_of_the_zoo(name: str, words: list[str]) -> None:
    data = (SHARED / "data" / "format_zoo" / "corpus" / name).read_bytes()
    assert texts(PptxParser().parse(data, name, WITHOUT_OCR))[: len(words)] == words
