"""Web pages: what a reader sees, in order and unglued; what nobody sees is left out and counted."""

from __future__ import annotations

import time

import pytest

from core.document import BlockKind, Document
from core.errors import EmptyDocumentError, ScriptedPageError, UnsupportedFormatError
from core.messages import render
from ingest.parsers.web.charset import codec_of
from ingest.parsers.web.parser import WebParser
from tests.conftest import SHARED

WORDS = "The council met on Monday and agreed on the plan for the new school. " * 12


def read(source: str | bytes, name: str = "page.html") -> Document:
    return WebParser().parse(source.encode() if isinstance(source, str) else source, name)


def blocks(source: str | bytes) -> list[tuple[str, str]]:
    document = read(source)
    return [(block.kind.value, block.span.of(document.text)) for block in document.blocks]


def notices(source: str) -> dict[str, dict[str, str]]:
    return {notice.code: dict(notice.details) for notice in read(source).notices}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        # B23: a character of GBK in a page that calls itself gb2312.
        ("<meta charset=gb2312><p>朱镕基".encode("gbk"), "朱镕基"),
        (
            "<meta http-equiv='Content-Type' content='text/html; charset=big5'><p>繁體中文".encode("big5"),
            "繁體中文",
        ),
        ("<meta charset=iso-8859-1><p>“smart” €".encode("cp1252"), "“smart” €"),
        ("<meta charset=shift_jis><p>①日本語".encode("cp932"), "①日本語"),
        ("<meta charset=euc-kr><p>똠방각하".encode("cp949"), "똠방각하"),
        ("<?xml version='1.0' encoding='gb2312'?><p>朱镕基".encode("gbk"), "朱镕基"),
        ("\ufeff<meta charset=big5><p>标记优先".encode("utf-16"), "标记优先"),
        ("<!-- <meta charset=big5> --><meta charset=gbk><p>注释不算".encode("gbk"), "注释不算"),
        # A page saved anew as UTF-8 that kept its former label.
        ("<meta charset=gb2312><p>另存为新编码的网页".encode(), "另存为新编码的网页"),
        (
            "<p>没有声明编码的网页，按内容判断。我们今天去公园散步，天气很好。".encode("gbk"),
            "没有声明编码的网页",
        ),
    ],
)
def test_charsets_as_browsers_read_them(data: bytes, text: str) -> None:
    assert text in read(data).text


def test_a_damaged_byte_does_not_change_the_declared_charset() -> None:
    data = (
        ("<meta charset=gbk><p>" + "这是一篇很长的文章。" * 60).encode("gbk")
        + b"\xff<p>"
        + "结尾".encode("gbk")
    )
    document = read(data)
    assert "结尾" in document.text and "这是一篇" in document.text
    assert [notice.code for notice in document.notices] == ["bytes_replaced"]


def test_labels_that_are_no_charsets_are_not_taken() -> None:
    assert codec_of("zlib") == codec_of("rot13") == codec_of("idna") == codec_of("") == ""
    assert codec_of(" 'GB2312' ") == "gb18030"


def test_blocks_are_apart_and_inline_elements_are_not() -> None:
    assert blocks("<div>one</div><div>two</div><p>un<b>glued</b> <i>word</i>s<br>line") == [
        ("paragraph", "one"),
        ("paragraph", "two"),
        ("paragraph", "unglued words\nline"),
    ]
    assert blocks("<p>first<br><br>second") == [("paragraph", "first"), ("paragraph", "second")]
    assert blocks("<a href=x>One</a><a href=y>Two</a>") == [("paragraph", "One Two")]


def test_white_space_collapses_as_css_has_it_and_stays_in_pre() -> None:
    assert blocks("<p>  a\n\t b&nbsp;&nbsp;c </p><pre>\n x  y\n   z\n</pre>") == [
        ("paragraph", "a b c"),
        ("code", " x  y\n   z"),
    ]
    # A line of the source ends inside Chinese: nothing is seen there.
    assert blocks("<p>中文\n    断行</p><p>Latin\nline") == [
        ("paragraph", "中文断行"),
        ("paragraph", "Latin line"),
    ]
    assert blocks("<p style='white-space: pre-wrap'>k  l\nm") == [("paragraph", "k  l\nm")]


def test_headings_and_sections() -> None:
    document = read(
        "<h1>A</h1><p>x</p><h3>B <small>b</small></h3><p>y</p><div role=heading aria-level=2>C</div><p>z"
    )
    assert [b.level for b in document.blocks if b.kind is BlockKind.HEADING] == [1, 3, 2]
    assert document.blocks[-1].section_path == ("A", "C")
    assert document.title == "A"


def test_lists_keep_their_numbers_and_depth() -> None:
    source = (
        "<ul><li>a<ul><li>b<p>c</p></li></ul></li><li><p>d</p></li></ul>"
        "<ol start=3 type=a><li>x<li value=9>y</ol><ol reversed><li>p<li>q</ol><dl><dt>t<dd>u</dl>"
    )
    assert [text for _, text in blocks(source)] == [
        "• a", "  • b", "    c", "• d", "c. x", "i. y", "2. p", "1. q", "t", "  u",
    ]  # fmt: skip


def test_powers_formulas_readings_and_ticks() -> None:
    source = (
        "<p>10<sup>6</sup> m<sup>2</sup>, CO<sub>2</sub>, x<sub>i</sub>, 1<sup>st</sup>, a<sup>n+1</sup>, "
        "<math><semantics><mi>E</mi><annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math>, "
        "<ruby>漢<rt>kan</rt></ruby>, <q>so</q>, <input type=checkbox checked>yes <input type=checkbox>no"
    )
    assert blocks(source)[0][1] == "10⁶ m², CO₂, x_i, 1st, aⁿ⁺¹, E=mc^2, 漢（kan）, “so”, ☑ yes ☐ no"


def test_a_box_without_words_is_no_block() -> None:
    assert blocks("<input type=checkbox id=toggle><p>☐</p><p>x") == [("paragraph", "☐"), ("paragraph", "x")]


def test_marks_of_notes_are_no_citations() -> None:
    source = "<p>Ducks quack.<sup class=reference><a href='#cite_note-1'>[1]</a></sup> They swim.</p>"
    assert blocks(source) == [("paragraph", "Ducks quack. They swim.")]
    assert notices(source) == {"note_marks_left_out": {"count": "1"}}


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>secret</p>",
        "<p aria-hidden=true>secret</p>",
        "<p style='display: none'>secret</p>",
        "<p style='visibility:hidden'>secret</p>",
        "<p style='font-size:0'>secret</p>",
        "<p style='font-size:1px'>secret</p>",
        "<p style='opacity:0 !important'>secret</p>",
        "<p style='color:#FFF'>secret</p>",
        "<p style='color:rgb(250, 250,250);background:#fff'>secret</p>",
        "<div bgcolor=navy style='background-color:#102030'><font color='#102030'>secret</font></div>",
        "<p style='position:absolute;left:-9999px'>secret</p>",
        "<p style='height:0;overflow:hidden'>secret</p>",
        "<template><p>secret</p></template>",
        "<noscript><p>secret</p></noscript>",
        "<dialog>secret</dialog>",
        "<span class=sr-only>secret</span>",
        "<style>.k{display:none}</style><p class=k>secret</p>",
        "<script>secret</script><style>secret</style><!-- secret -->",
    ],
)
def test_what_nobody_sees_is_left_out(hidden: str) -> None:
    source = f"<p>seen before, and the rest of the page</p>{hidden}<p>after"
    assert [text for _, text in blocks(source)] == ["seen before, and the rest of the page", "after"]
    if "<script" not in hidden and "<template" not in hidden:
        assert notices(source)["hidden_left_out"] == {"characters": "6"}


def test_what_is_seen_again_is_kept() -> None:
    shown = (
        "<div style='visibility:hidden'>x<b style='visibility:visible'>one</b></div>"
        "<div style='font-size:0'>y<b style='font-size:14px'>two</b></div>"
        "<p style='color:white;background:black'>three</p><div style='background:url(a.png);color:#fff'>four</div>"
        "<style>.t{display:none} .t.on{display:block}</style><p class='t on'>five</p><p hidden=until-found>six</p>"
    )
    assert [text for _, text in blocks(shown)] == ["one", "two", "three", "four", "five", "six"]
    page = "<div aria-hidden=true><p>" + WORDS + "</p></div><div role=dialog>Sign in"
    assert WORDS.strip() in read(page).text


SITE = f"""<!DOCTYPE html><html><head><title>School plan | Example News</title></head><body>
<a href="#m">Skip to content</a><header><div>Example News</div><nav><a href=/a>Home</a></nav></header>
<div class="cookie-banner">We use cookies. <button>Accept</button></div>
<div class="left-menu"><ul><li><a href=/1>Politics</a><li><a href=/2>Sport</a><li><a href=/3>Culture</a></ul></div>
<div class=story><h1>School plan</h1><p>{WORDS}</p><ul><li><a href=/x>Report of the council (PDF)</a></ul></div>
<aside>Most read</aside><div id=footer>Imprint</div><footer>© 2024</footer></body></html>"""


def test_the_site_around_a_page_is_left_out_and_counted() -> None:
    document = read(SITE)
    assert [block.span.of(document.text) for block in document.blocks] == [
        "School plan",
        WORDS.strip(),
        "• Report of the council (PDF)",
    ]
    assert document.title == "School plan"
    assert int(notices(SITE)["furniture_left_out"]["characters"]) > 60


def test_main_is_preferred_when_it_holds_most_words() -> None:
    page = f"<html><body><div><h1>Title</h1></div><p>Teaser of another page</p><main><p>{WORDS}</p></main></body>"
    assert [text for _, text in blocks(page)] == ["Title", WORDS.strip()]
    two = f"<html><body><main><p>Short</p></main><div><p>{WORDS}</p></div></body>"
    assert [text for _, text in blocks(two)] == ["Short", WORDS.strip()]


@pytest.mark.parametrize(
    "page",
    [
        f"<html><body><nav><p>{WORDS}</p></nav></body></html>",
        f"<html><body><header><p>{WORDS}</p></header><footer>f</footer></body></html>",
        f"<html><body><aside><article><p>{WORDS}</p></article></aside></body></html>",
        f"<html><body><div class=menu><ul><li>{WORDS}</ul></div></body></html>",
    ],
)
def test_the_main_content_is_never_lost(page: str) -> None:
    assert WORDS.strip() in read(page).text


def test_a_piece_of_a_page_and_a_page_of_links_keep_everything() -> None:
    assert [text for _, text in blocks("<nav>Menu</nav><p>x</p><footer>foot")] == ["Menu", "x", "foot"]
    links = "<html><body>" + "".join(f"<li><a href=/{n}>Link {n}</a>" for n in range(20))
    assert len(blocks(links)) == 20


def test_data_tables() -> None:
    source = (
        "<table><caption>Sales</caption><thead><tr><th rowspan=2>Name<th colspan=2>2023<tr><th>Q1<th>Q2</thead>"
        "<tr><td rowspan=2>A<td>1<td>2<tr><td>3<td><ul><li>four<li>five</ul></table>"
    )
    assert blocks(source) == [
        ("caption", "Sales"),
        (
            "table",
            "| Name | 2023 / Q1 | 2023 / Q2 |\n| --- | --- | --- |\n| A | 1 | 2 |\n| A | 3 | • four • five |",
        ),
    ]
    bare = "<table><tr><td>姓名<td>年龄<tr><td>张三<td>30<tr><td>李四<td>40</table>"
    assert blocks(bare)[0][1].splitlines()[:3] == ["| 姓名 | 年龄 |", "| --- | --- |", "| 张三 | 30 |"]
    facts = "<table><tr><th>Class<td>Aves<tr><th>Order<td>Anseriformes</table>"
    assert blocks(facts) == [("table", "| Class | Aves |\n| Order | Anseriformes |")]


def test_signs_in_cells_of_their_own_join_their_numbers() -> None:
    source = (
        "<table><tr><td><td colspan=2>2022<td colspan=3>2021<tr><td>Revenue<td>$<td>1,234<td><td>$<td>999"
        "<tr><td>Loss<td>(<td>12<td>)<td><td>(13<td>)</table>"
    )
    assert blocks(source)[0][1].splitlines() == [
        "|  | 2022 | 2021 |", "| --- | --- | --- |", "| Revenue | $1,234 | $999 |", "| Loss | (12) | (13) |",
    ]  # fmt: skip


def test_tables_that_lay_out_the_page_are_read_in_order() -> None:
    source = (
        "<table><tr><td><h2>Left</h2><p>l1</td><td><table><tr><th>k<th>v<tr><td>a<td>1</table></td></tr>"
        "<tr><td colspan=2>below</td></tr></table>"
    )
    assert [kind for kind, _ in blocks(source)] == ["heading", "paragraph", "table", "paragraph"]
    marks = "<table><tr><td>●<td>First point<tr><td>(b)<td>Second point</table>"
    assert blocks(marks) == [("list_item", "● First point"), ("list_item", "(b) Second point")]


def test_a_table_inside_a_data_table_is_written_into_its_cell() -> None:
    inner = "<table><tr><th>Type<th>Sound<tr><td>Short<td>quak<tr><td>Long<td>quaaak</table>"
    source = (
        f"<table><tr><th>Action<th>What it is, in a long description of it<tr><td>Quack<td>{inner}</table>"
    )
    assert "| Quack | Type: Short, Sound: quak; Type: Long, Sound: quaaak |" in blocks(source)[0][1]


def test_pictures_speak_by_their_alternative_text() -> None:
    source = (
        "<p>Text <img src=a alt='A chart of sales by year'><img alt='photo.png'><img alt=logo><img alt='x y z' width=16>"
        "<figure><img alt='The bridge'><figcaption>The bridge at night</figcaption></figure><p>Good <img alt='😀'> day"
    )
    assert blocks(source) == [
        ("paragraph", "Text"),
        ("image", "A chart of sales by year"),
        ("caption", "The bridge at night"),
        ("paragraph", "Good 😀 day"),
    ]


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>Duck - Wikipedia</title><h1>Duck</h1>", "Duck"),
        ("<title>关于印发办法的通知_某某政府网</title><h1>关于印发办法的通知</h1>", "关于印发办法的通知"),
        ("<title>Other words</title><h1>Heading</h1>", "Other words"),
        ("<title>Untitled Document</title><h1>Heading</h1>", "Heading"),
        ("<title> </title>", "page"),
    ],
)
def test_titles(head: str, title: str) -> None:
    assert read(f"{head}<p>text").title == title


def test_pages_without_text_say_why() -> None:
    with pytest.raises(ScriptedPageError, match="scripts"):
        read("<html><body><div id=root></div><script src=app.js></script></body></html>")
    with pytest.raises(EmptyDocumentError):
        read("<html><body><p>&nbsp;</p></body></html>")
    with pytest.raises(UnsupportedFormatError):
        read(b"<html>\x00\x01\x02\x00" * 20)


@pytest.mark.parametrize(
    "tag", ["<div>", "<ul><li>", "<table><tr><td>", "<b><p>", "<blockquote>", "<sup>", "<ruby>", "<h1>"]
)
def test_deep_nesting_loses_nothing(tag: str) -> None:
    assert "bottom" in read(f"<p>top</p>{tag * 3000}bottom").text


def test_declared_entities_are_not_expanded() -> None:
    bomb = "<!DOCTYPE h [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><p>&b; &lt;kept&gt; &copy;"
    assert read(bomb).text.endswith("&b; <kept> ©")
    file = "<!DOCTYPE h [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>&x;</p>"
    assert "root:" not in read(file).text


def test_xhtml_closes_its_empty_elements() -> None:
    source = "<html><body><p>a<a id='x'/>b</p><div/><p>c</p><title/><p>d</p></body></html>"
    document = read(source, "page.xhtml")
    assert document.text == "ab\n\nc\n\nd"


def test_wide_tables_and_many_cells_stay_cheap() -> None:
    started = time.perf_counter()
    rows = "<tr><td colspan=1000 rowspan=60000>x<td>y" * 300
    assert "x" in read(f"<table>{rows}</table>").text
    assert "word" in read("<p>word</p>" * 20_000).text
    assert time.perf_counter() - started < 5


def test_every_notice_reads_in_both_languages() -> None:
    source = SITE.replace("<h1>", "<p hidden>x</p><p>y<sup class=reference>[1]</sup></p><h1>")
    for notice in read(source).notices:
        for language in ("zh", "en"):
            assert dict(notice.details).popitem()[1] in render(notice.code, language, **dict(notice.details))


@pytest.mark.shared
def test_the_pages_of_the_zoo() -> None:
    folder = SHARED / "data" / "format_zoo" / "corpus"
    duck = read((folder / "en_wikipedia_duck.html").read_bytes())
    assert duck.title == "Duck" and "Jump to" not in duck.text and "[edit]" not in duck.text
    assert "Ducks are sometimes confused with several types of unrelated water birds" in duck.text
    filing = read((folder / "en_10k_page.html").read_bytes())
    assert "| Common stock | GLXZ | OTCQB marketplace |" in filing.text
    report = read((folder / "en_with_scripts.html").read_bytes())
    assert (
        report.title == "Russian Offensive Campaign Assessment, December 13" and "function" not in report.text
    )
