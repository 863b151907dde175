"""Word files: everything a reader sees, once, in order, with its structure; the rest is told."""

from __future__ import annotations

import io
from collections.abc import Sequence

import docx
import pytest

from core.document import BlockKind, Document
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.docx.parser import DocxParser
from tests.conftest import SHARED
from tests.ingest.parsers.word_file import cell, lvl, numbering, p, run, table, word_file

FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'


def parsed(body: str, **options: object) -> Document:
    reading = Reading(settings=ParsingSettings(ocr="never"))
    return DocxParser().parse(word_file(body, **options), "文件.docx", reading)


def shown(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, block.span.of(document.text)) for block in document.blocks]


def notices(document: Document) -> dict[str, dict[str, str]]:
    return {notice.code: dict(notice.details) for notice in document.notices}


def field(code: str, result: str) -> str:
    code_run = f'<w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>'
    return FIELD.format("begin") + code_run + FIELD.format("separate") + result + FIELD.format("end")


def test_a_table_stands_between_the_paragraphs_around_it() -> None:
    made = docx.Document()
    made.add_paragraph("before")
    grid = made.add_table(2, 2)
    for at, text in enumerate(("Name", "Age", "CELL", "7")):
        grid.cell(at // 2, at % 2).text = text
    made.add_paragraph("after")
    data = io.BytesIO()
    made.save(data)
    text = DocxParser().parse(data.getvalue(), "a.docx").text
    assert text == "before\n\n| Name | Age |\n| --- | --- |\n| CELL | 7 |\n\nafter"


def test_tracked_insertions_stay_and_deletions_go() -> None:
    body = p(
        f"<w:ins>{run('INS')}</w:ins>{run(' tail')}<w:del><w:r><w:delText>GONE</w:delText></w:r></w:del>"
        f"<w:moveFrom>{run('OLD')}</w:moveFrom><w:moveTo>{run(' NEW')}</w:moveTo>"
    )
    removed_row = "<w:trPr><w:del/></w:trPr>" + cell("away") + cell("away")
    body += table(cell("K") + cell("V"), removed_row, cell("a") + cell("1"))
    document = parsed(body)
    assert document.text == "INS tail NEW\n\n| K | V |\n| --- | --- |\n| a | 1 |"
    assert notices(document)["changes_tracked"] == {"inserted": "7", "deleted": "15"}


def test_a_removed_paragraph_mark_joins_two_paragraphs() -> None:
    body = p("one ", ppr="<w:rPr><w:del/></w:rPr>") + p("two") + p("three")
    assert parsed(body).text == "one two\n\nthree"
    last = p("last", ppr="<w:rPr><w:del/></w:rPr>")
    assert parsed(p("one") + last + table(cell(last) + cell("b"), cell("c") + cell("d")) + last).text == (
        "one\n\nlast\n\n| last | b |\n| --- | --- |\n| c | d |\n\nlast"
    )


@pytest.mark.parametrize(
    "rpr",
    [
        "<w:vanish/>",
        '<w:rStyle w:val="gone"/>',
        '<w:color w:val="FFFFFF"/>',
        '<w:color w:val="FEFDFF"/>',
        '<w:sz w:val="2"/>',
        '<w:color w:val="1F4E79"/><w:shd w:val="clear" w:fill="1F4E79"/>',
        '<w:color w:val="FFFFFF"/><w:highlight w:val="white"/>',
    ],
)
def test_text_that_nobody_sees_is_left_out_and_told(rpr: str) -> None:
    document = parsed(p(run("shown ") + run("SECRET", rpr) + run("text")))
    assert document.text == "shown text"
    assert notices(document)["word_text_hidden"] == {"count": "6"}


@pytest.mark.parametrize(
    "body",
    [
        p(run("white", '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F4E79"/>')),
        p(run("white", '<w:color w:val="FFFFFF"/>'), ppr='<w:shd w:val="clear" w:fill="000000"/>'),
        p(run("white", '<w:color w:val="FFFFFF"/><w:highlight w:val="darkBlue"/>')),
        p(run("white", '<w:vanish w:val="0"/><w:color w:val="auto"/><w:sz w:val="6"/>')),
        table(cell(p("white", rpr='<w:color w:val="FFFFFF"/>'), '<w:shd w:fill="4472C4"/>') + cell("x")),
    ],
)
def test_light_text_on_a_dark_ground_is_seen(body: str) -> None:
    document = parsed(body)
    assert "white" in document.text and not document.notices


def test_headings_by_style_by_its_base_and_by_outline_level() -> None:
    body = p("总则", style="1") + p("范围", style="2") + p("附则", style="own")
    body += p("细则", ppr='<w:outlineLvl w:val="3"/>') + p("正文", style="1", ppr='<w:outlineLvl w:val="9"/>')
    found = [(b.kind, b.level, b.section_path) for b in parsed(body).blocks]
    assert [level for kind, level, _ in found if kind is BlockKind.HEADING] == [1, 2, 2, 4]
    assert found[-1] == (BlockKind.PARAGRAPH, 99, ("总则", "附则", "细则"))


def test_a_clause_with_a_heading_style_is_no_heading() -> None:
    clause = "甲方应当在收到发票后三十日内支付全部合同款项，并向乙方提供书面的付款凭证；逾期支付的，按日承担违约金。"
    assert shown(parsed(p("付款", style="1") + p(clause, style="2"))) == [
        ("heading", "付款"),
        ("paragraph", clause),
    ]


def test_paragraphs_that_look_like_headings() -> None:
    bold = "<w:b/>"
    body = p("第一章 总则") + p("一、背景", rpr=bold) + p("（一）目的", rpr=bold) + p("1. 依据", rpr=bold)
    body += p("一、不加粗") + p("二、这一句以句号结束。", rpr=bold) + p(run("2. 一半", bold) + run("加粗"))
    document = parsed(body)
    assert [(b.level, b.span.of(document.text)) for b in document.blocks if b.kind is BlockKind.HEADING] == [
        (2, "第一章 总则"), (3, "一、背景"), (4, "（一）目的"), (5, "1. 依据"),
    ]  # fmt: skip
    english = parsed(p("1 Scope", rpr=bold) + p("1.2 Terms", rpr=bold))
    assert [b.level for b in english.blocks] == [1, 2]


def test_lists_are_indented_by_their_level() -> None:
    levels = numbering(lvl("decimal", "%1."), lvl("bullet", "\uf0b7"), lvl("lowerLetter", "(%3)"))
    body = p("one", num="1") + p("dot", num="1", level=1) + p("deep", num="1", level=2) + p("two", num="1")
    assert shown(parsed(body, numbering=levels)) == [
        ("list_item", "1. one"), ("list_item", "  • dot"), ("list_item", "    (a) deep"), ("list_item", "2. two"),
    ]  # fmt: skip


def test_an_article_counted_by_word_is_a_paragraph() -> None:
    document = parsed(
        p("本法适用于境内。", num="1"), numbering=numbering(lvl("chineseCountingThousand", "第%1条"))
    )
    assert shown(document) == [("paragraph", "第一条 本法适用于境内。")]


def test_merged_cells_say_their_words_once() -> None:
    body = table(
        cell("项目", '<w:vMerge w:val="restart"/>') + cell("金额", '<w:gridSpan w:val="2"/>'),
        cell("", "<w:vMerge/>") + cell("上半年") + cell("下半年"),
        cell("差旅") + cell("10") + cell("20"),
    )
    text = parsed(body).text
    assert text.splitlines() == [
        "| 项目 | 金额 / 上半年 | 金额 / 下半年 |",
        "| --- | --- | --- |",
        "| 差旅 | 10 | 20 |",
    ]


def test_a_form_is_written_cell_by_cell() -> None:
    wide = '<w:gridSpan w:val="4"/>'
    body = table(
        cell("姓名", wide) + cell("张三", wide), cell("电话", wide) + cell("1", wide), cell("甲") + cell("乙")
    )
    assert parsed(body).text.splitlines() == ["| 姓名 | 张三 |", "| 电话 | 1 |", "| 甲 | 乙 |"]


def test_a_table_in_a_cell_follows_under_its_mark() -> None:
    inner = table(cell("A") + cell("B"), cell("1") + cell("2"))
    body = table(cell("左") + cell("右"), cell("文字") + cell(p("见内表") + inner + p()))
    assert shown(parsed(body)) == [
        ("table", "| 左 | 右 |\n| --- | --- |\n| 文字 | 见内表 [↓1] |"),
        ("caption", "[↓1]"),
        ("table", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
    ]


def test_tables_nested_too_deep_keep_their_words() -> None:
    inner = table(cell("W1") + cell("W2"), cell("W3") + cell("W4"))
    for _ in range(4):
        inner = table(cell("x") + cell("y"), cell("z") + cell(inner + p()))
    document = parsed(inner)
    assert all(document.text.count(word) == 1 for word in ("W1", "W2", "W3", "W4"))
    assert notices(document)["tables_flattened"] == {"count": "2"}


def test_a_frame_of_one_cell_keeps_the_structure_inside() -> None:
    assert shown(parsed(table(cell(p("标题", style="1") + p("正文"))))) == [
        ("heading", "标题"),
        ("paragraph", "正文"),
    ]


def test_a_text_box_is_read_once_after_its_paragraph() -> None:
    inside = f"<w:txbxContent>{p('in the box')}</w:txbxContent>"
    choice = f"<w:drawing><wp:anchor><a:graphic><wps:wsp><wps:txbx>{inside}</wps:txbx></wps:wsp></a:graphic></wp:anchor></w:drawing>"
    fallback = f"<w:pict><v:shape><v:textbox>{inside}</v:textbox></v:shape></w:pict>"
    both = f'<mc:AlternateContent><mc:Choice Requires="wps">{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>'
    assert parsed(p(f"{run('anchor')}<w:r>{both}</w:r>") + p("next")).text == "anchor\n\nin the box\n\nnext"
    assert parsed(p(f"<w:r>{fallback}</w:r>")).text == "in the box"


def test_white_text_in_a_box_without_fill_is_hidden_and_seen_on_a_dark_one() -> None:
    def box(fill: str) -> str:
        white = p("words", rpr='<w:color w:val="FFFFFF"/>')
        inside = f"<w:txbxContent>{white}</w:txbxContent>"
        shape = f"<wps:wsp><wps:spPr>{fill}</wps:spPr><wps:txbx>{inside}</wps:txbx></wps:wsp>"
        return p("shown") + p(f"<w:r><w:drawing><wp:anchor>{shape}</wp:anchor></w:drawing></w:r>")

    assert parsed(box("<a:noFill/>")).text == "shown"
    assert "words" in parsed(box('<a:solidFill><a:srgbClr val="203864"/></a:solidFill>')).text


def test_notes_stand_after_their_paragraph_with_their_mark() -> None:
    body = p(run("fact") + '<w:r><w:footnoteReference w:id="5"/></w:r>' + run("."))
    body += p('<w:r><w:t>Title</w:t></w:r><w:r><w:endnoteReference w:id="2"/></w:r>', style="1") + p("end")
    document = parsed(
        body,
        footnotes=f'<w:footnote w:id="5">{p(run(" the source"))}</w:footnote>',
        endnotes=f'<w:endnote w:id="2">{p("far away")}</w:endnote>',
    )
    assert document.text.split("\n\n") == ["fact[^1].", "[^1]: the source", "Title", "[^e1]: far away", "end"]


def test_comments_headers_and_footers_are_told_and_left_out() -> None:
    document = parsed(
        p("body"),
        comments=f'<w:comment w:id="0">{p("why?")}</w:comment>',
        header=p("京发〔2024〕7号"),
        footer=p("第 1 页 共 9 页"),
    )
    assert document.text == "body"
    assert notices(document) == {
        "comments_left_out": {"count": "1"},
        "page_furniture": {"texts": "京发〔2024〕7号"},
    }


def test_fields_show_their_result_and_not_their_code() -> None:
    link = f'<w:hyperlink r:id="x">{run("site")}</w:hyperlink>'
    body = p(run("图 ") + field("SEQ 图 \\* ARABIC", run("3")) + run(" ") + link)
    body += p(
        FIELD.format("begin") + "<w:r><w:instrText>EQ \\f(1,2)</w:instrText></w:r>" + FIELD.format("end")
    )
    body += p('<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>'
              + FIELD.format("end") + run(" agreed"))  # fmt: skip
    assert parsed(body).text == "图 3 site\n\n1/2\n\n☒ agreed"


def test_the_generated_contents_are_left_out() -> None:
    start = FIELD.format("begin") + "<w:r><w:instrText>TOC \\o</w:instrText></w:r>" + FIELD.format("separate")
    toc = p("目录", style="toch") + p(start + run("一 总则 1"), style="toc1") + p(run("二 附则 2"))
    toc += p(FIELD.format("end") + run("前言"))
    document = parsed(f"<w:sdt><w:sdtContent>{toc}</w:sdtContent></w:sdt>" + p("总则", style="1"))
    assert document.text == "前言\n\n总则"
    assert "contents_left_out" in notices(document)


def test_a_field_that_never_ends_hides_nothing_else() -> None:
    body = p(FIELD.format("begin") + "<w:r><w:instrText>TOC</w:instrText></w:r>") + p("kept")
    assert parsed(body).text == "kept"


def test_signs_breaks_and_raised_figures() -> None:
    body = p(
        "<w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t><w:softHyphen/><w:t>s</w:t><w:tab/><w:t>10</w:t></w:r>"
        + run("6", '<w:vertAlign w:val="superscript"/>')
        + run("th", '<w:vertAlign w:val="superscript"/>')
        + '<w:r><w:br/><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F061"/></w:r>'
        + run("\uf0b3", '<w:rFonts w:ascii="Symbol"/>')
        + "<w:r><w:ruby><w:rt><w:r><w:t>hàn</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>汉</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    )
    assert parsed(body).text == "co-ops\t10⁶th\n☑α≥汉(hàn)"


@pytest.mark.parametrize(
    ("omml", "text"),
    [
        ("<m:f><m:num>{a+b}</m:num><m:den>{2}</m:den></m:f>", "(a+b)/2"),
        ("<m:sSup><m:e>{x}</m:e><m:sup>{2}</m:sup></m:sSup>{y}", "x^2 y"),
        ('<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>{c}</m:e></m:rad>', "sqrt(c)"),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{i=1}</m:sub><m:sup>{n}</m:sup><m:e>{i}</m:e></m:nary>',
            "sum_(i=1)^n i",
        ),
        ('<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{z}</m:e></m:d>', "[z]"),
    ],
)
def test_equations_on_one_line(omml: str, text: str) -> None:
    omml = omml.replace("{", "<m:r><m:t>").replace("}", "</m:t></m:r>")
    assert parsed(p(f"{run('so ')}<m:oMath>{omml}</m:oMath>")).text == f"so {text}"


def test_pictures_are_described_where_a_person_did() -> None:
    def picture(words: str) -> str:
        blip = '<pic:pic><pic:blipFill><a:blip r:embed="i1"/></pic:blipFill></pic:pic>'
        return p(
            f'<w:r><w:drawing><wp:inline><wp:docPr descr="{words}"/>{blip}</wp:inline></w:drawing></w:r>'
        )

    body = (
        picture("流程图：先申请，后审批")
        + picture("图片 3")
        + picture("C:\\tmp\\a.png")
        + picture("IMG_2024")
    )
    document = parsed(body, files={"i1": ("media/a.png", b"\x89PNG")})
    assert shown(document) == [("image", "流程图：先申请，后审批")]


def test_a_chart_is_the_table_it_is_drawn_from() -> None:
    def points(name: str, values: Sequence[str], kind: str = "str") -> str:
        inside = "".join(f'<c:pt idx="{at}"><c:v>{one}</c:v></c:pt>' for at, one in enumerate(values))
        return f"<c:{name}><c:{kind}Ref><c:{kind}Cache>{inside}</c:{kind}Cache></c:{kind}Ref></c:{name}>"

    names = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>销售额</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    values = points("val", ["4.4000000000000004", "5"], "num")
    series = f"<c:ser>{points('tx', ['2024'])}{points('cat', ['一季度', '二季度'])}{values}</c:ser>"
    chart = (
        f"<c:chartSpace {names}><c:chart>{title}<c:plotArea>{series}</c:plotArea></c:chart></c:chartSpace>"
    )
    drawing = '<w:drawing><wp:inline><a:graphic><c:chart r:id="c1"/></a:graphic></wp:inline></w:drawing>'
    document = parsed(p(f"<w:r>{drawing}</w:r>"), files={"c1": ("charts/chart1.xml", chart.encode())})
    assert shown(document) == [
        ("caption", "销售额"),
        ("table", "|  | 2024 |\n| --- | --- |\n| 一季度 | 4.4 |\n| 二季度 | 5 |"),
    ]


def test_a_diagram_is_the_list_of_its_words() -> None:
    names = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    point = '<dgm:pt modelId="{0}"><dgm:t><a:p><a:r><a:t>{1}</a:t></a:r></a:p></dgm:t></dgm:pt>'
    points = point.format(1, "申请") + point.format(2, "审批")
    links = '<dgm:cxnLst><dgm:cxn srcId="1" destId="2" srcOrd="0"/></dgm:cxnLst>'
    model = f"<dgm:dataModel {names}><dgm:ptLst>{points}</dgm:ptLst>{links}</dgm:dataModel>"
    drawing = f'<w:drawing><wp:inline><a:graphic><dgm:relIds {names} r:dm="d1"/></a:graphic></wp:inline></w:drawing>'
    document = parsed(p(f"<w:r>{drawing}</w:r>"), files={"d1": ("diagrams/data1.xml", model.encode())})
    assert shown(document) == [("list_item", "• 申请"), ("list_item", "  • 审批")]


def test_captions_code_and_embedded_objects() -> None:
    body = (
        p("图 1 组织结构", style="cap")
        + p("表 2-1 费用")
        + p("if x:", style="code")
        + p("    y()", style="code")
    )
    document = parsed(body + p("<w:r><w:object><o:OLEObject/></w:object></w:r>"))
    assert shown(document) == [
        ("caption", "图 1 组织结构"),
        ("caption", "表 2-1 费用"),
        ("code", "if x:\n    y()"),
    ]
    assert notices(document)["objects_left_out"] == {"count": "1"}


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("采购办法", p("题名", style="T") + p("节", style="1"), "采购办法"),
        ("Microsoft Word - x.doc", p("题名", style="T") + p("节", style="1"), "题名"),
        ("", p("文") + p("节", style="1"), "节"),
        ("", p("文"), "文件"),
    ],
)
def test_the_title_is_one_that_a_person_gave(title: str, body: str, expected: str) -> None:
    assert parsed(body, title=title).title == expected


@pytest.mark.shared
def test_numbering_and_order_of_a_real_contract() -> None:
    path = SHARED / "data" / "format_zoo" / "corpus" / "zh_contract_numbering_tables.docx"
    document = DocxParser().parse(
        path.read_bytes(), path.name, Reading(settings=ParsingSettings(ocr="never"))
    )
    words = (
        "2.1.1.1 其他",
        "2.1.1.2 续号标题",
        "(1) 如有",
        "(2) 本合同",
        "  ① 本合同",
        "      a. 最里层",
        "甲方：",
        "| 2 | u |",
    )
    at = [document.text.index(one) for one in words]
    assert at == sorted(at)
    assert document.text.count("本合同双方应加盖骑缝章。") == 4
