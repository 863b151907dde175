"""From marked text to citations and checks: repair, completion, removal, numbering."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.verdict import Aspect, Verdict
from retrieval.answerers.checking import Checked, checked, marked_sentences, quoted, renumbered
from retrieval.verify.claims import is_claim
from retrieval.verify.verifier import Verifier
from tests.retrieval.verify.sources import evidence_of

LEAVE = "员工每年享受5天年休假。未用完的年休假可以延至次年3月31日。"
TRAVEL = "经理出差的住宿标准为每晚600元。机票须提前七天预订。"
SICK = "病假须持有医院出具的诊断证明。"
EVIDENCE = evidence_of(LEAVE, TRAVEL, SICK)


def run(text: str, *, strict: bool = False) -> Checked:
    plain, order = renumbered(text)
    return checked(plain, order, EVIDENCE, Verifier(), strict=strict)


def assert_lawful(found: Checked) -> None:
    numbers = [int(n) for n in re.findall(r"\[(\d+)\]", found.text)]
    assert list(dict.fromkeys(numbers)) == list(range(1, len(set(numbers)) + 1))
    assert {citation.n for citation in found.citations} == set(numbers)
    for citation in found.citations:
        passage = EVIDENCE.passages[citation.passage]
        assert passage.span.contains(citation.span)
        assert citation.span.of(passage.text) == citation.text
    by_number = {(c.n, c.passage) for c in found.citations}
    assert len(by_number) == len({n for n, _ in by_number}) == len({p for _, p in by_number})
    for check in found.checks:
        source = check.span.of(found.text)
        assert re.sub(r"\s|\[\d+\]|[.。]", "", check.sentence) == re.sub(r"\s|\[\d+\]|[.。]", "", source)
        cited = {found.citations[place].n for place in check.citations}
        assert cited == {int(n) for n in re.findall(r"\[(\d+)\]", source)}


def test_a_wrong_citation_is_repaired_and_numbers_follow_first_use() -> None:
    found = run("经理的住宿标准为每晚600元[1]。员工每年享受5天年休假[2]。")
    assert [citation.passage for citation in found.citations] == [1, 0]
    assert found.text == "经理的住宿标准为每晚600元[1]。员工每年享受5天年休假[2]。"
    assert [check.repaired for check in found.checks] == [True, True]
    assert found.notes == ("note_citations_repaired",)
    assert_lawful(found)


def test_a_claim_without_a_marker_gets_the_passage_that_carries_it() -> None:
    found = run("机票须提前七天预订。病假须持有医院出具的诊断证明[3]。")
    assert found.text == "机票须提前七天预订[1]。病假须持有医院出具的诊断证明[2]。"
    assert [check.repaired for check in found.checks] == [True, False]
    assert_lawful(found)


def test_a_claim_that_nothing_carries_is_marked_or_left_out() -> None:
    text = "根据资料：\n\n员工每年享受5天年休假[1]。员工可以获得一亿元奖金。员工每年享受50天年休假[1]。希望对您有帮助！"
    kept = run(text)
    assert [check.claim for check in kept.checks] == [False, True, True, True, False]
    assert [check.verdict for check in kept.checks[1:4]] == [
        Verdict.SUPPORTED,
        Verdict.UNSUPPORTED,
        Verdict.UNSUPPORTED,
    ]
    assert kept.checks[2].reasons[0].aspect is Aspect.UNCITED
    assert kept.checks[3].reasons[0].aspect is Aspect.NUMBER
    assert "一亿元" in kept.text
    removed = run(text, strict=True)
    assert "一亿元" not in removed.text
    assert "50天" not in removed.text
    assert (removed.removed, removed.notes) == (2, ("note_sentences_removed",))
    assert removed.text.startswith("根据资料：\n\n员工每年享受5天年休假[1]。")
    assert_lawful(kept)
    assert_lawful(removed)


def test_nothing_is_left_when_nothing_is_carried() -> None:
    assert run("员工可以获得一亿元奖金[1]。", strict=True).text == ""


def test_several_citations_carry_a_sentence_together() -> None:
    found = run("员工每年享受5天年休假，病假须持有医院出具的诊断证明[1][3]。")
    assert [check.verdict for check in found.checks] == [Verdict.SUPPORTED]
    assert [citation.passage for citation in found.citations] == [0, 2]
    assert all(citation.strong for citation in found.citations)
    assert_lawful(found)


def test_what_the_sources_do_not_tell_needs_no_source() -> None:
    found = run("资料中没有提到产假的天数。员工每年享受5天年休假[1]。")
    assert [check.claim for check in found.checks] == [False, True]


def test_brackets_in_code_and_indexes_stay() -> None:
    found = run("代码 `a[1]` 与 x[2] 表示下标。员工每年享受5天年休假[1]。")
    assert "`a[1]`" in found.text
    assert "x[2]" in found.text


def test_markers_behind_the_end_belong_to_the_sentence_before() -> None:
    words = [
        (s.words, s.numbers) for s in marked_sentences("First one. [1] Second one.[2][3]\n\n[4]\n\nThird")
    ]
    assert words == [("First one", (1,)), ("Second one", (2, 3, 4)), ("Third", ())]


def test_a_row_of_a_table_keeps_its_bars() -> None:
    found = run("| 假期 | 天数 |\n| --- | --- |\n| 员工每年享受的年休假 | 5天 |")
    assert found.text.rstrip().endswith("|")


def test_quotes_are_checked_as_they_stand() -> None:
    made = EVIDENCE.cite(1, 0, EVIDENCE.passages[0].span, LEAVE, Verdict.SUPPORTED)
    checks = quoted(f"{LEAVE} [1]", (made,))
    assert [(check.sentence, check.citations) for check in checks] == [(LEAVE, (0,))]


_SENTENCES = (
    "员工每年享受5天年休假",
    "机票须提前七天预订",
    "月亮是奶酪做的",
    "您好",
    "如下：",
    "病假须持有医院出具的诊断证明",
)
_MARKS = ("", "[1]", "[2]", "[3]", "[2][1]", " [3]")
_ENDS = ("。", "。\n\n", "！", "\n- ", ". ")


@given(
    parts=st.lists(
        st.tuples(st.sampled_from(_SENTENCES), st.sampled_from(_MARKS), st.sampled_from(_ENDS)), max_size=6
    ),
    strict=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_numbers_spans_and_checks_always_agree(parts: list[tuple[str, str, str]], strict: bool) -> None:
    assert_lawful(run("".join("".join(part) for part in parts), strict=strict))


@pytest.mark.parametrize(
    "sentence", ["# 标题", "**要点**", "您好！", "Hope this helps!", "包括以下内容：", "请问您指的是哪一年？"]
)
def test_words_that_state_nothing_are_no_claims(sentence: str) -> None:
    assert not Verifier().check(sentence, (), EVIDENCE).claim


@pytest.mark.parametrize(
    ("sentence", "states"),
    [
        ("好的，", False),
        ("您好！", False),
        ("Sure!", False),
        ("好的，违约金为合同总价的5%。", True),
        ("Of course, the fee is 500 yuan.", True),
        ("抱歉，员工可以带家属出国。", True),
        ("希望以上内容对您有所帮助。", False),
        ("Let me know if anything is unclear.", False),
        ("资料中没有说明罚款的数额。", False),
        ("资料没有说明期限，但罚款为500元。", True),
        ("The passages do not say how long it takes.", False),
        ("The document does not mention a limit, but the fee is 500 yuan.", True),
    ],
)
def test_a_courtesy_hides_no_statement(sentence: str, states: bool) -> None:
    assert is_claim(sentence) is states
