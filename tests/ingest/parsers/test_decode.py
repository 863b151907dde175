"""Bytes become exactly their text, in the encoding they are in; what is uncertain or lost is said."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import DocumentError, EmptyDocumentError, EncodingError, UnsupportedFormatError
from ingest.parsers.text.decode import decode
from tests.conftest import SHARED

# Our own sentences, each with the encodings that its language was written in.
SENTENCES = {
    "本手册适用于公司全体员工。请假须提前三天提出申请，经部门经理批准后生效。": (
        "gb18030",
        "utf-16-le",
        "utf-16-be",
    ),
    "本手冊適用於公司全體員工。請假須提前三天提出申請，經部門經理核准後生效。": (
        "big5",
        "big5hkscs",
        "gb18030",
    ),
    "このマニュアルは全社員に適用されます。休暇は三日前までに申請してください。": (
        "cp932",
        "euc_jp",
        "iso2022_jp",
    ),
    "이 안내서는 모든 직원에게 적용됩니다. 휴가는 사흘 전에 신청해야 합니다.": ("cp949",),
    "Это руководство действует для всех сотрудников. Отпуск нужно согласовать за три дня.": (
        "cp1251",
        "koi8_r",
        "cp866",
    ),
    "Le congé doit être demandé trois jours à l’avance ; le délai est réduit à Noël.": (
        "cp1252",
        "utf-16-le",
    ),
    "Der Urlaub muß drei Tage vorher beantragt werden, sonst gilt er als „ungültig“.": ("cp1252",),
    "Żądanie urlopu należy złożyć trzy dni wcześniej, później nie będzie możliwości.": (
        "cp1250",
        "iso8859_2",
    ),
    "Η άδεια πρέπει να ζητηθεί τρεις ημέρες νωρίτερα από τον υπάλληλο.": ("cp1253",),
}
CASES = [(text, encoding) for text, encodings in SENTENCES.items() for encoding in encodings]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("中文㐀𠀀".encode("gb18030"), "中文㐀𠀀"),
        ("朱镕基".encode("gbk"), "朱镕基"),
        (codecs.BOM_UTF8 + "name,年龄".encode(), "name,年龄"),
        (codecs.BOM_UTF16_LE + "你好 world".encode("utf-16-le"), "你好 world"),
        (codecs.BOM_UTF16_BE + "你好".encode("utf-16-be"), "你好"),
        (codecs.BOM_UTF32_LE + "你好".encode("utf-32-le"), "你好"),
        (codecs.BOM_UTF32_BE + "你好".encode("utf-32-be"), "你好"),
        ("“smart” café – €5".encode("cp1252"), "“smart” café – €5"),
        (b"a\r\nb\rc", "a\r\nb\rc"),
    ],
)
def test_bytes_become_exactly_their_text(data: bytes, text: str) -> None:
    assert decode(data, "x.txt")[0] == text


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\xff\xff\xff\xff", EncodingError),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", EncodingError),
        (b"abc\x00def", UnsupportedFormatError),
        (" \n\u200b\ufeff\u00a0".encode(), EmptyDocumentError),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, error: type[DocumentError]) -> None:
    with pytest.raises(error) as caught:
        decode(data, "x.txt")
    assert "x.txt" in caught.value.message("zh")


def test_another_encoding_than_utf8_is_reported() -> None:
    notices = decode("中文".encode("gb18030"), "x.txt")[1]
    assert [notice.code for notice in notices] == ["decoded_as"]


@pytest.mark.parametrize(("text", "encoding"), CASES)
def test_a_sentence_is_read_in_its_encoding(text: str, encoding: str) -> None:
    decoded, notices = decode(text.encode(encoding), "x.txt")
    assert decoded == text
    assert notices[0].code in ("decoded_as", "encoding_uncertain")


@given(st.sampled_from(CASES), st.integers(0, 30), st.integers(12, 60))
def test_what_is_decoded_encodes_to_the_same_bytes(case: tuple[str, str], start: int, length: int) -> None:
    text, encoding = case
    part = text[start : start + length].strip()
    try:
        decoded = decode(part.encode(encoding), "x.txt")[0]
    except EmptyDocumentError:
        return
    # Czech is so near to Polish, and so on, that a few words may read otherwise; East Asian ones may not.
    if encoding in ("gb18030", "big5", "cp932", "euc_jp", "cp949"):
        assert decoded.encode(encoding) == part.encode(encoding)


def test_a_few_undecodable_bytes_are_shown_and_counted() -> None:
    text = "本手冊適用於公司全體員工。" * 40
    data = text.encode("big5")
    # An unknown pair, as private additions to Big5 have them: what follows must not be read from its middle.
    broken = data[:100] + b"\x8e\xcd" + data[100:]
    decoded, notices = decode(broken, "x.txt")
    assert decoded == text[:50] + "\ufffd" + text[50:]
    assert [(n.code, dict(n.details).get("count")) for n in notices] == [
        ("decoded_as", None),
        ("bytes_replaced", "1"),
    ]


def test_damaged_utf8_stays_utf8() -> None:
    data = "员工手册适用于全体员工。".encode() * 9
    decoded, notices = decode(data[:-1], "x.txt")
    assert decoded == ("员工手册适用于全体员工。" * 9)[:-1] + "\ufffd"
    assert [notice.code for notice in notices] == ["bytes_replaced"]


def test_a_short_text_that_may_be_two_things_says_so() -> None:
    notices = decode("é".encode("cp1252"), "x.txt")[1]
    assert [notice.code for notice in notices] == ["encoding_uncertain"]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "phrase", "codes"),
    [
        ("zh_big5_vimtutor.txt", "歡", ["decoded_as", "bytes_replaced"]),
        ("zh_big5_wenyan.txt", "維基大典", ["decoded_as"]),
        ("zh_gb2312_vimtutor.txt", "移动光标", ["decoded_as"]),
        ("ja_shift_jis.csv", "佐藤太郎", ["decoded_as"]),
        ("en_utf16.txt", "test document", ["decoded_as"]),
        ("multi_udhr_all_languages.txt", "是人都生而自由", []),
    ],
)
def test_real_files(name: str, phrase: str, codes: list[str]) -> None:
    text, notices = decode((SHARED / "data/format_zoo/corpus" / name).read_bytes(), name)
    assert phrase in text
    assert [notice.code for notice in notices] == codes
