"""Other ways to write a sentence keep what it says."""

from __future__ import annotations

import pytest

from evaluation.verification import other_words
from evaluation.verification.days import dates_in
from evaluation.verification.figures import figures_in, han_numeral, han_value
from evaluation.verification.forms import formats, paraphrase
from evaluation.verification.forms.script import is_clear, is_traditional, simplified, traditional
from evaluation.verification.kinds import Make
from tests.evaluation.true_claims import claim


@pytest.mark.parametrize(
    ("make", "sentence", "written"),
    [
        (formats.width, "产量为30吨，占5%。", "产量为３０吨，占５％。"),
        (formats.punctuation, "他来了（昨天），又走了。", "他来了(昨天),又走了"),
        (formats.punctuation, 'It\'s a "low-cost" house.', "It’s a “low‐cost” house"),
        (formats.punctuation, "It’s here.", "It's here"),
        (formats.separators, "共有12345人参加。", "共有12,345人参加。"),
        (formats.separators, "It cost $1,250,000 in 2009.", "It cost $1250000 in 2009."),
        (formats.numerals, "应当在三十日内付款五千元。", "应当在30日内付款5000元。"),
        (formats.numerals, "共有25人参加。", "共有二十五人参加。"),
        (formats.numerals, "They keep five horses.", "They keep 5 horses."),
        (formats.numerals, "They keep 12 horses.", "They keep twelve horses."),
        (formats.percent, "税率为13%。", "税率为百分之十三。"),
        (formats.percent, "税率为百分之三十。", "税率为30%。"),
        (formats.percent, "It grew by 4.5%.", "It grew by 4.5 percent."),
        (formats.scale, "投资1.5亿元建厂。", "投资150000000元建厂。"),
        (formats.scale, "It earned $2.5 million.", "It earned $2,500,000."),
        (formats.script, "国家保护动物。", "國家保護動物。"),
        (formats.script, "國家保護動物。", "国家保护动物。"),
        (paraphrase.synonyms, "出租人应当交付房屋。", "出租人应该交付房屋。"),
        (paraphrase.synonyms, "它可以發電。", "它能夠發電。"),
        (paraphrase.synonyms, "The buyer shall obtain a permit.", "The buyer must get a permit."),
        (paraphrase.shortened, "此外，公司建了新厂。", "公司建了新厂。"),
        (paraphrase.shortened, "学院（原技校）设在城南。", "学院设在城南。"),
        (paraphrase.shortened, "However, the price fell.", "The price fell."),
        (paraphrase.shortened, "In March 2009, the price fell.", "The price fell."),
    ],
)
def test_the_same_in_other_signs(make: Make, sentence: str, written: str) -> None:
    assert list(make(claim(sentence))) == [written]


def test_dates_in_other_formats() -> None:
    assert next(formats.dates(claim("他于2021年3月5日到任。"))) in {
        "他于2021-03-05到任。",
        "他于2021/03/05到任。",
    }
    assert next(formats.dates(claim("It opened on April 15, 2002."))) in {
        "It opened on 15 April 2002.",
        "It opened on 2002-04-15.",
        "It opened on 2002/04/15.",
    }


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (formats.numerals, "Splatoon 2 is a game."),
        (formats.numerals, "See note 3 below."),
        (formats.numerals, "It fell 4% in a fifty-six day span."),
        (formats.numerals, "有几千人到场。"),
        (formats.separators, "In the 2009 year it fell."),
        (formats.percent, "增长了4.5%。"),
        (formats.script, "The price fell."),
        (paraphrase.shortened, "除节假日（不含周末）外照常营业。"),
    ],
)
def test_what_nobody_would_write_is_left_as_it_is(make: Make, sentence: str) -> None:
    assert set(make(claim(sentence))) <= {sentence, ""}


def test_scripts() -> None:
    assert simplified("應當") == "应当" and traditional("应当") == "應當"
    # 后 is a sign of both, and 干 could be 乾 or 幹: neither is guessed.
    assert traditional("后") == "后" and traditional("复") == "复" and not is_clear("复")
    assert is_traditional("國家保護動物") and not is_traditional("国家保护动物")


@pytest.mark.parametrize("value", [1, 2, 10, 11, 20, 99, 100, 105, 110, 999, 1000, 1005, 5000, 9999])
def test_chinese_numbers_are_read_as_they_are_written(value: int) -> None:
    assert han_value(han_numeral(value)) == value


def test_figures_with_their_units() -> None:
    found = figures_in("2021年3月8日，公司以1,200万元买下二十间厂房的60%，依照第十二条交税。")
    assert [(f.written, int(f.value), f.form, f.unit) for f in found] == [
        ("1,200", 1200, "digits", "万元"),
        ("60", 60, "digits", "%"),
        ("十二", 12, "ordinal", "第条"),
    ]


def test_dates_with_their_parts() -> None:
    text = "On 5 May 2003 and March 7, 2004, in 2005 and June 2006."
    found = [(text[d.start : d.end], sorted(d.parts)) for d in dates_in(text)]
    assert found == [
        ("5 May 2003", ["day", "month", "year"]),
        ("March 7, 2004", ["day", "month", "year"]),
        ("in 2005", ["year"]),
        ("June 2006", ["month", "year"]),
    ]


def test_reworded_and_with_its_source_named() -> None:
    assert list(other_words.reworded(claim("Many kids do not read because books are rare."))) == [
        "According to the source, many kids don't read since books are rare."
    ]
    assert list(other_words.reworded(claim("這裡有許多城市。"))) == ["根据上述资料，這裡有很多都市。"]
    assert not list(other_words.reworded(claim("Books are rare.")))
