"""Numbers, dates and marks: one value however it is written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verify.folding import folded
from retrieval.verify.marks import Mark, marks
from retrieval.verify.moments import moments
from retrieval.verify.names import names
from retrieval.verify.numerals import english_value, han_value
from retrieval.verify.quantities import quantities


@pytest.mark.parametrize(
    "spellings",
    [
        ["1,000", "1000", "一千个", "1千", "１，０００", "one thousand"],
        ["10%", "百分之十", "10 percent", "ten percent", "10 per cent", "１０％"],
        ["10个百分点", "10 percentage points", "十个百分点"],
        ["1.5亿", "150000000", "150,000,000", "150 million", "一亿五千万"],
        ["3万元", "30,000 yuan", "RMB 30000", "¥3万", "三万元"],
        ["三分之二", "2/3", "two-thirds"],
        ["第三十二条", "第32条", "Article 32"],
        ["15个工作日", "fifteen business days", "15 working days"],
        ["一个半月", "1.5个月"],
        ["30-day", "三十日", "30天", "thirty days"],
        ["1年", "12个月", "one year"],
        ["5km", "5公里", "5000米", "five kilometres"],
        ["$1.5 million", "US$1,500,000", "150万美元"],
        ["-5℃", "-5°C"],
    ],
    ids=lambda spellings: spellings[0],
)
def test_one_quantity_has_one_key(spellings: list[str]) -> None:
    keys = {tuple(q.key for q in quantities(folded(text).text)) for text in spellings}
    assert len(keys) == 1
    assert len(keys.pop()) == 1


@pytest.mark.parametrize(
    "text", ["一般", "统一", "十分重要", "千万不要", "四川", "百姓", "T-200 x", "covid-19", "在1990s"]
)
def test_what_looks_like_a_number_counts_nothing(text: str) -> None:
    from retrieval.verify.tokens import line

    assert [fact for fact in line(text).facts if hasattr(fact.value, "bare")] == []


def test_ranges_share_their_unit() -> None:
    for text in ("3-5天", "三至五天", "3 to 5 days", "between three and five days"):
        assert [q.key for q in quantities(folded(text).text)] == ["#3day", "#5day"]


@pytest.mark.parametrize(
    "spellings",
    [
        [
            "2024年1月1日",
            "2024-01-01",
            "January 1, 2024",
            "1 January 2024",
            "二〇二四年一月一日",
            "２０２４年１月１日",
        ],
        ["5月1日", "May 1", "1 May", "五月一日"],
        ["上午十点", "10:00", "10 a.m.", "10时"],
        ["下午三点半", "15:30", "3:30 p.m."],
        ["2024年", "二〇二四年", "in 2024"],
    ],
    ids=lambda spellings: spellings[0],
)
def test_one_moment_has_one_spelling(spellings: list[str]) -> None:
    assert len({tuple(m.iso for m in moments(text, folded(text))) for text in spellings}) == 1


@given(st.integers(1, 99_999_999))
def test_chinese_numerals_are_read_as_they_are_written(number: int) -> None:
    assert han_value(_written(number)) == number


def _written(number: int) -> str:
    """Chinese counting, written by the schoolbook rule: an oracle of its own."""
    if number >= 10_000:
        rest = number % 10_000
        gap = "零" if 0 < rest < 1000 else ""
        return _written(number // 10_000) + "万" + gap + (_written(rest) if rest else "")
    text, zero = "", False
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            text += ("零" if zero and text else "") + "零一二三四五六七八九"[digit] + sign
            zero = False
        else:
            zero = True
    return text


def test_english_number_words() -> None:
    assert english_value("two hundred and six thousand") == Fraction(206_000)
    assert english_value("twenty-five") == Fraction(25)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("不得扣押", [Mark.DENY]),
        ("不得超过二十年", [Mark.DOWN]),
        ("不少于三人", [Mark.UP]),
        ("无需说明", [Mark.EXEMPT]),
        ("不仅如此", []),
        ("无论如何", []),
        ("是否可行", []),
        ("must not exceed", [Mark.DOWN]),
        ("not only a musician", []),
        ("is not required to pay", [Mark.EXEMPT]),
        ("no later than May", [Mark.BEFORE]),
        ("cannot be used", [Mark.DENY]),
    ],
)
def test_small_words_are_read_with_those_beside_them(text: str, wanted: list[Mark]) -> None:
    assert [found.mark for found in sorted(marks(text), key=lambda m: m.start)] == wanted


def test_names_are_found_in_both_languages() -> None:
    text = "根据《劳动法》，北京大学的 Emma Smith 于 GB/T 7714-2015 发布后到访。The Danube Commission met."
    assert {name.text for name in names(text)} >= {
        "劳动法",
        "北京大学",
        "Emma Smith",
        "GB/T 7714-2015",
        "Danube Commission",
    }
