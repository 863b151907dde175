"""Delimited text: every row is kept whatever its shape, and the delimiter is found by even rows."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import BlockKind, Document
from core.errors import EmptyDocumentError
from ingest.parsers.sheets import delimited
from ingest.parsers.sheets.delimited import CsvParser, delimiter_of
from tests.conftest import SHARED


def parsed(text: str, encoding: str = "utf-8") -> Document:
    return CsvParser().parse(text.encode(encoding), "名单.csv")


def lines(document: Document) -> list[str]:
    return [
        line
        for block in document.blocks
        if block.kind is BlockKind.TABLE
        for line in block.span.of(document.text).splitlines()
    ]


def test_a_table_with_its_header() -> None:
    document = parsed("姓名,年龄\n张三,30\n李四,25\n")
    assert document.text == "| 姓名 | 年龄 |\n| --- | --- |\n| 张三 | 30 |\n| 李四 | 25 |"
    assert document.title == "名单"
    assert document.media_type == "text/csv"


def test_ragged_rows_are_kept() -> None:
    assert lines(parsed("a,b\n1,2,3\n4\n")) == [
        "| a | b |  |",
        "| --- | --- | --- |",
        "| 1 | 2 | 3 |",
        "| 4 |  |  |",
    ]


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, b""])
def test_a_byte_order_mark_does_not_join_the_first_header(mark: bytes) -> None:
    document = CsvParser().parse(mark + b"name,age\nAnn,31\n", "a.csv")
    assert lines(document)[0] == "| name | age |"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16"])
def test_other_encodings_are_read_and_told(encoding: str) -> None:
    document = parsed("城市,住宿标准上限\n上海,五百元每天\n成都,四百元每天\n" * 3, encoding)
    assert "| 上海 | 五百元每天 |" in document.text
    assert [notice.code for notice in document.notices] == ["decoded_as"]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\n1,5;2,5\n3,1;4,0\n", ";"),
        ("a\tb\nx, y\tz\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ("a,b\n1,2,3\n4\n5,6\n", ","),
        ('name,remark\n"Smith; Ann",a; b\nBo,c\n', ","),
        ("one column\nof words\n", ","),
        ('a,"b\nc;d\ne;f"\n1,2\n', ","),
        ("", ","),
    ],
)
def test_the_delimiter_makes_even_rows(text: str, delimiter: str) -> None:
    assert delimiter_of(text) == delimiter


def test_a_declared_delimiter_is_obeyed_and_not_shown() -> None:
    assert lines(parsed("sep=;\r\nn;m\r\n1;2\r\n"))[0] == "| n | m |"


def test_quotes_hold_delimiters_and_line_breaks() -> None:
    assert lines(parsed('q,n\n"first\nsecond, ""third""",1\n'))[2] == '| first second, "third" | 1 |'


def test_an_open_quotation_does_not_swallow_the_rest() -> None:
    document = parsed('item,inch\nscreen,"24\ncable,3\nmouse,2\n')
    assert lines(document)[2:] == ['| screen | "24 |', "| cable | 3 |", "| mouse | 2 |"]
    assert [notice.code for notice in document.notices] == ["quotes_unbalanced"]


def test_a_field_beyond_the_limit_of_the_library_is_read() -> None:
    document = parsed("k,v\n1," + "x" * 200_000 + "\n")
    assert "x" * 200_000 in document.text


def test_a_title_line_stands_above_the_table() -> None:
    document = parsed("Stanley Cups,,\nTeam,Location,Cups\nBlues,STL,1\n")
    assert document.blocks[0].span.of(document.text) == "Stanley Cups"
    assert lines(document)[0] == "| Team | Location | Cups |"


def test_nothing_but_delimiters_is_empty() -> None:
    with pytest.raises(EmptyDocumentError):
        parsed(",,,\n,,,\n")


def test_cells_beyond_the_limit_are_cut_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MAX_CELLS", 4)
    document = parsed("k,v\na,1\nb,2\n")
    assert lines(document)[-1] == "| a | 1 |"
    assert [notice.code for notice in document.notices] == ["cells_cut"]


@given(st.lists(st.lists(st.text(alphabet='ab1,;|\t"\n 中', max_size=6), min_size=1, max_size=4), max_size=6))
def test_no_row_is_lost_and_nothing_crashes(rows: list[list[str]]) -> None:
    import csv
    import io

    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    try:
        document = parsed(stream.getvalue())
    except EmptyDocumentError:
        assert not any("ab1中".find(char) >= 0 for row in rows for value in row for char in value)
        return
    for char in "ab1中":
        assert document.text.count(char) >= sum(value.count(char) for row in rows for value in row)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "rows", "words"),
    [
        ("en_inconsistent_header.csv", 5, "| a | b | c | d |"),
        ("en_utf16.csv", 5, "| Maple Leafs | TOR | 13 |"),
        ("ja_shift_jis.csv", 5, "| 佐藤太郎 | 30 | 東京 |"),
        ("zh_issues_qa.csv", 325, "萌新求教大佬怎么改成AMD显卡或者CPU？"),
        ("en_long_lines.csv", 0, "- SpearmanCorrelationCoefficient: 1Freq pDCfrequencyUnstim"),
    ],
)
def test_the_files_of_the_zoo(name: str, rows: int, words: str) -> None:
    data = (SHARED / "data" / "format_zoo" / "corpus" / name).read_bytes()
    document = CsvParser().parse(data, name)
    assert len(lines(document)) == rows
    assert words in document.text
