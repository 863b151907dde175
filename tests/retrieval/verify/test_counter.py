"""What speaks against an answer, and what only looks so."""

from __future__ import annotations

import pytest

from core.span import Span
from core.verdict import Aspect, SentenceCheck
from retrieval.verify.counter import OtherVersion, counter_evidence
from retrieval.verify.verifier import verify
from tests.retrieval.verify.sources import evidence_of

SAYS = "员工在公司工作满一年以后，每年享受5天年休假。"


def against(
    other: str, *, titles: tuple[str, ...] = ("员工手册2023", "员工手册2024"), says: str = SAYS
) -> list[str]:
    evidence = evidence_of(says, other, titles=titles)
    found = verify(says, says, Span(0, len(says)))
    cited = evidence.cite(1, 0, found.span, says, found.verdict)
    check = SentenceCheck(span=Span(0, 1), sentence=says, verdict=found.verdict, citations=(0,))
    counter = counter_evidence((check,), (cited,), evidence)
    for one in counter:
        assert one.span.of(other) == one.text
        assert (one.check, one.passage) == (0, 1)
    return [f"{one.reason.aspect.value}: {one.reason.found}" for one in counter]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("员工在公司工作满一年以后，每年享受10天年休假。", "number: 10天"),
        ("其他规定。员工在公司工作满一年以后，每年不享受5天年休假。", "negation: 每年不享受"),
        ("员工在公司工作满三年以后，每年享受5天年休假。", "number: 三年"),
    ],
)
def test_another_edition_that_states_something_else_is_shown(other: str, said: str) -> None:
    assert against(other) == [said]


@pytest.mark.parametrize(
    "other",
    [
        "员工在公司工作满一年以后，每年享受5天年休假。",
        "员工在公司工作满一年以后，每年享受五天年休假。",
        "经理在公司工作满一年以后，每年享受10天年休假和两张机票。",
        "员工每年参加10次培训。",
        "| 工龄 | 年休假 |\n| --- | --- |\n| 满一年 | 10天 |",
    ],
)
def test_what_says_the_same_or_speaks_of_something_else_is_not(other: str) -> None:
    assert against(other) == []


def test_another_document_counts_only_when_it_names_the_same_thing() -> None:
    titles = ("甲公司年报", "乙公司年报")
    plain = "公司本年度的净利润为五千万元，高于上年。"
    assert against(plain.replace("五千", "六千"), titles=titles, says=plain) == []
    named = "《民法典》规定租赁合同的租赁期限不得超过二十年。"
    assert against(named.replace("二十", "三十"), titles=("甲", "乙"), says=named) == ["number: 三十年"]


def test_an_earlier_version_that_stated_something_else_is_shown() -> None:
    evidence = evidence_of(SAYS)
    cited = evidence.cite(
        1, 0, evidence.passages[0].span, SAYS, verify(SAYS, SAYS, Span(0, len(SAYS))).verdict
    )
    check = SentenceCheck(span=Span(0, 1), sentence=SAYS, verdict=cited.verdict, citations=(0,))
    old = "旧规定。\n\n员工在公司工作满一年以后，每年享受3天年休假。"
    versions = [
        OtherVersion(of_version="v0", version_id="old", doc="0.md", text=old),
        OtherVersion(of_version="v0", version_id="same", doc="0.md", text=f"前言。\n\n{SAYS}"),
    ]
    (found,) = counter_evidence((check,), (cited,), evidence, versions)
    assert (found.passage, found.version_id, found.reason.aspect) == (-1, "old", Aspect.NUMBER)
    assert found.span.of(old) == found.text
