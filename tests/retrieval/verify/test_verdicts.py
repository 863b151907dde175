"""The verdict over one sentence and one passage: every kind of format, and every kind of change."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.span import Span
from core.verdict import Aspect, Verdict
from ingest.sentences import sentences
from retrieval.verify.support import Support
from retrieval.verify.verifier import verify

ZH = """\
员工工作满一年的，每年享受5天年休假；满十年的，每年享受10天年休假。年休假当年未用完的，可以延至次年3月31日。

员工请病假须同时满足以下条件：

1. 持有二级以上医院出具的诊断证明；
2. 在当日上午十点前通知直属上级；
3. 连续超过三天的，须附病历。

急诊不受第二项限制，但应在两天内补交材料。用人单位不得扣押劳动者的居民身份证和其他证件。
除不可抗力外，公司应当在2024年1月1日以前支付三万元。逾期的，加收百分之十的费用。张三于1990年出生在北京。

| 城市 | 普通员工 | 经理 |
| --- | --- | --- |
| 一线城市 | 400元 | 600元 |
| 其他城市 | 300元 | 450元 |
"""
EN = """\
Never run the pump dry. Switch the pump off before opening the cover, unless the service key is inserted.
Replace the filter every 500 hours. Tenants may keep at least two pets and must not smoke in the building.
The contract was signed in Geneva by Emma Smith on January 15, 2024. Sales rose by 10 percent to $1.5 million.
All visitors and contractors must wear a helmet.
"""


def check(sentence: str) -> Support:
    text = ZH if any(char >= "\u3400" for char in sentence) else EN
    return verify(sentence, text, Span(0, len(text)))


@pytest.mark.parametrize(
    "sentence",
    [
        "满一年每年享受5天年休假",
        "员工工作满十年的，每年享受十天年休假。",
        "未用完的年休假可以延至次年三月三十一日",
        "請病假須持有二級以上醫院出具的診斷證明",
        "请病假应在当日10:00前通知直属上级",
        "急诊应在２日内补交材料",
        "禁止用人单位扣押劳动者的身份证",
        "除不可抗力外，公司应当在2024-01-01之前支付30,000元",
        "除不可抗力外，公司必须在2024年1月1日前支付3万元",
        "逾期的，加收10%的费用",
        "一线城市经理的住宿标准为600元",
        "其他城市普通员工的住宿标准为300元",
        "- 张三于一九九〇年出生在北京",
        "The pump must never run dry.",
        "The filter is replaced every five hundred hours.",
        "Tenants may keep at least 2 pets",
        "Emma Smith signed the contract on 2024-01-15 in Geneva.",
        "Sales rose by ten per cent to $1,500,000.",
        "SALES ROSE BY 10% TO $1.5 MILLION",
    ],
)
def test_what_is_written_another_way_is_supported(sentence: str) -> None:
    found = check(sentence)
    assert (found.verdict, found.reasons) == (Verdict.SUPPORTED, ())
    assert found.strong


@pytest.mark.parametrize(
    ("sentence", "aspect", "found"),
    [
        ("满一年每年享受10天年休假", Aspect.NUMBER, "5天"),
        ("员工工作满十年，每年享受5天年休假", Aspect.NUMBER, "一年"),
        ("急诊应在三天内补交材料", Aspect.NUMBER, "两天"),
        ("逾期的，加收20%的费用", Aspect.NUMBER, "百分之十"),
        ("一线城市经理的住宿标准为400元", Aspect.NUMBER, "600元"),
        ("急诊应在两个月内补交材料", Aspect.UNIT, "两天"),
        ("除不可抗力外，公司应当在2024年1月1日以前支付3元", Aspect.UNIT, "三万元"),
        ("逾期的，加收10个百分点的费用", Aspect.UNIT, "百分之十"),
        ("除不可抗力外，公司应当在2023-01-01之前支付三万元", Aspect.DATE, "2024年1月1日"),
        ("张三于1990年出生在上海", Aspect.NAME, "北京"),
        ("未用完的年休假不得延至次年3月31日", Aspect.NEGATION, "可以延至次年"),
        ("用人单位可以扣押劳动者的居民身份证", Aspect.NEGATION, "不得扣押劳"),
        ("用人单位不得扣押劳动者的居民身份证或其他证件", Aspect.CONDITION, "和"),
        ("请病假须持有二级以下医院出具的诊断证明", Aspect.CONDITION, "以上"),
        ("请病假应在当日10:00后通知直属上级", Aspect.CONDITION, "前"),
        ("Replace the filter every 50 hours.", Aspect.NUMBER, "500 hours"),
        ("Replace the filter every 500 days.", Aspect.UNIT, "500 hours"),
        ("The contract was signed in Geneva on January 15, 2023.", Aspect.DATE, "January 15, 2024"),
        ("The contract was signed in Vienna by Emma Smith.", Aspect.NAME, "Geneva"),
        ("Run the pump dry.", Aspect.NEGATION, "Never run"),
        ("Tenants may smoke in the building.", Aspect.NEGATION, "must not smoke"),
        ("Tenants may keep at most two pets.", Aspect.CONDITION, "at least"),
        ("Sales fell by 10 percent to $1.5 million.", Aspect.NEGATION, "rose"),
        ("All visitors or contractors must wear a helmet.", Aspect.CONDITION, "and"),
        ("Some visitors and contractors must wear a helmet.", Aspect.CONDITION, "All"),
    ],
)
def test_what_is_changed_is_unsupported_and_says_what_stands_there(
    sentence: str, aspect: Aspect, found: str
) -> None:
    result = check(sentence)
    assert result.verdict is Verdict.UNSUPPORTED
    assert any(reason.aspect is aspect and found in reason.found for reason in result.reasons), result.reasons


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("公司应当在2024年1月1日之前支付3万元", "除不可抗力外"),
        ("Switch the pump off before opening the cover.", "unless the service key is inserted"),
        ("Tenants may keep two pets.", "at least two"),
    ],
)
def test_a_condition_left_away_is_partly_supported_and_quoted(sentence: str, found: str) -> None:
    result = check(sentence)
    assert result.verdict is Verdict.PARTLY
    assert [reason.aspect for reason in result.reasons] == [Aspect.CONDITION]
    assert found in result.reasons[0].found


@pytest.mark.parametrize("sentence", ["员工可以获得一亿元奖金", "The warranty covers broken glass for life."])
def test_what_the_source_does_not_hold_is_unsupported_and_points_at_nothing(sentence: str) -> None:
    result = check(sentence)
    assert (result.verdict, result.strong) == (Verdict.UNSUPPORTED, ())
    assert [reason.aspect for reason in result.reasons] == [Aspect.WORDS]


def test_the_headings_above_a_passage_count() -> None:
    text = "每年享受5天。"
    sentence = "年休假每年享受5天"
    plain = verify(sentence, text, Span(0, len(text)))
    headed = verify(sentence, text, Span(0, len(text)), headings="员工手册\n年休假")
    assert headed.score > plain.score


UNITS = [(text, span) for text in (ZH, EN) for span in sentences(text) if span.of(text).strip("|- \n")]


@pytest.mark.parametrize(("text", "span"), UNITS, ids=[str(n) for n in range(len(UNITS))])
def test_the_source_supports_itself(text: str, span: Span) -> None:
    if text[span.start] == "|":
        return
    found = verify(span.of(text), text, Span(0, len(text)))
    assert (found.verdict, found.reasons, found.score) == (Verdict.SUPPORTED, (), 1.0)
    assert found.span == span


_FORMATS = {
    "full width": lambda s: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in s),
    "compatibility": lambda s: unicodedata.normalize("NFKC", s),
    "punctuation": lambda s: s.replace("，", ", ").replace("。", ".").replace("；", "; "),
    "capitals": str.upper,
    "spaces": lambda s: f"  {s}\u200b ",
}


@pytest.mark.parametrize("name", _FORMATS)
@given(place=st.integers(0, len(UNITS) - 1))
@settings(max_examples=25, deadline=None)
def test_the_way_of_writing_never_changes_the_verdict(name: str, place: int) -> None:
    text, span = UNITS[place]
    if text[span.start] == "|":
        return
    assert verify(_FORMATS[name](span.of(text)), text, Span(0, len(text))).verdict is Verdict.SUPPORTED


_PIECES = (
    "员工",
    "不得",
    "可以",
    "5天",
    "10%",
    "2024年",
    "除非",
    "以上",
    "北京",
    "公司",
    "支付",
    " the pump ",
)
_MARKS = (" must not ", " 500 hours ", ",", "。", "|", "\n")
_WORDS = st.lists(st.sampled_from((*_PIECES, *_MARKS)), min_size=1, max_size=14)


@given(words=_WORDS, start=st.integers(0, 200), length=st.integers(20, 400))
@settings(max_examples=60, deadline=None)
def test_whatever_is_asked_the_words_lie_in_the_span_and_the_span_in_the_passage(
    words: list[str], start: int, length: int
) -> None:
    text = ZH + EN
    passage = Span(start, min(start + length, len(text)))
    found = verify("".join(words), text, passage)
    assert passage.contains(found.span)
    assert all(found.span.contains(strong) for strong in found.strong)
    assert list(found.strong) == sorted(found.strong)
    assert 0 <= found.score <= 1.0001
    assert (found.verdict is Verdict.SUPPORTED) == (not found.reasons)


def test_a_denial_that_the_source_knows_nothing_of_is_not_carried() -> None:
    source = "第六十四条 计算机软件、信息网络传播权的保护办法由国务院另行规定。"
    found = verify("计算机软件不受著作权法保护。", source, Span(0, len(source)), headings="著作权法")
    assert found.verdict is not Verdict.SUPPORTED
    assert {reason.aspect for reason in found.reasons} == {Aspect.NEGATION}
