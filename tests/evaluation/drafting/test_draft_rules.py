"""Each rule on small texts of our own: natural questions, answers, evidence that stands in the document."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from core.document import Document
from core.registry import resolve
from evaluation.drafting.definitions import definitions
from evaluation.drafting.draft import Proposal
from evaluation.drafting.headings import headings
from evaluation.drafting.lists import lists
from evaluation.drafting.rules import drafts_by_rules
from evaluation.drafting.tables import tables
from evaluation.drafting.values import values
from tests.conftest import SHARED

ZH = """\
# 自行车租借办法

## 第一章 总则

本办法所称租借人，是指持有市民卡、租用自行车的人。其中“夜间”是指22时至次日6时。

租借人须同时满足以下条件：

1. 年满16周岁；
2. 押金已交清。

租借人不得有下列行为之一：

- 载人；
- 上锁后丢失钥匙。

## 第二章 收费

押金为每辆车200元。首次租借不超过30分钟的，不收费。归还逾期超过2日的，按每日15元、每月300元收费。本办法自2024年5月1日起施行。

| 车型 | 每小时 | 锁 |
| --- | --- | --- |
| 单人车 | 3元 | 机械锁 |
| 双人车 | 5元 | 电子锁 |
"""
EN = """\
# Boat Hire Rules

## Terms

"Skipper" means the person who signs the contract. In this text, **season** means May to September.

- **Deposit**: the sum that is paid before the trip and returned after it.

## Hire

The skipper must show the following papers:

- a licence;
- an identity card.

The insurance does not cover:

- lost oars;
- damage by ice.

Do not leave the harbour unless all of the following conditions are met:

1. the wind is below force 5;
2. the radio works.

The daily fee is EUR 45.50 and covers two people. A second boat costs 30 euros a day. Damage must be reported
within 24 hours after the return. The harbour was opened on 3 May 1998.

| Boat | Seats | Length |
| --- | --- | --- |
| Gull | 4 | 5.2 m |
| Tern | 6 | 6.8 m |
"""


def parsed(text: str) -> Document:
    document: Document = resolve("parser", "markdown")().parse(text.encode(), "x.md")
    return document


def asked(rule: Callable[[Document], Iterator[Proposal]], text: str) -> dict[str, str]:
    document = parsed(text)
    found = list(rule(document))
    for proposal in found:
        assert all(span.of(document.text).strip() for span in proposal.spans)
    return {proposal.question: proposal.answer for proposal in found}


def test_definitions() -> None:
    assert asked(definitions, ZH) == {
        "《自行车租借办法》中的“租借人”是指什么？": "持有市民卡、租用自行车的人",
        "《自行车租借办法》中的“夜间”是指什么？": "22时至次日6时",
    }
    assert asked(definitions, EN) == {
        'What does "Skipper" mean in "Boat Hire Rules"?': "the person who signs the contract",
        'What does "season" mean in "Boat Hire Rules"?': "May to September",
        'What does "Deposit" mean in "Boat Hire Rules"?': "the sum that is paid before the trip and returned after it",
    }


def test_lists() -> None:
    assert asked(lists, ZH) == {
        "根据《自行车租借办法》，租借人须同时满足哪些条件？": "年满16周岁；押金已交清",
        "根据《自行车租借办法》，租借人不得有哪些行为？": "载人；上锁后丢失钥匙",
    }
    assert asked(lists, EN) == {
        'According to "Boat Hire Rules": Which papers must the skipper show?': "a licence; an identity card",
        'According to "Boat Hire Rules": What does the insurance not cover?': "lost oars; damage by ice",
        "What must be met to leave the harbour?": "the wind is below force 5; the radio works",
    }


def test_the_leader_and_each_item_are_evidence() -> None:
    document = parsed(ZH)
    first = next(lists(document))
    assert [span.of(document.text) for span in first.spans] == [
        "租借人须同时满足以下条件：", "1. 年满16周岁；", "2. 押金已交清。",
    ]  # fmt: skip


def test_amounts_and_dates() -> None:
    assert asked(values, ZH) == {
        "根据《自行车租借办法》，押金为每辆车多少元？": "200元",
        "《自行车租借办法》自什么时候起施行？": "2024年5月1日",
    }
    assert asked(values, EN) == {
        'According to "Boat Hire Rules": What is the daily fee?': "EUR 45.50",
        'According to "Boat Hire Rules": How much does a second boat cost?': "30 euros",
        'According to "Boat Hire Rules": Within what time must Damage be reported?': "24 hours",
        'According to "Boat Hire Rules": When was the harbour opened?': "3 May 1998",
    }


def test_tables_ask_for_one_column_of_a_row() -> None:
    for question, answer in asked(tables, ZH).items():
        row, column = ("单人车", "双人车").index(question.split("“")[2][:3]), question.split("“")[3][:3]
        assert answer == {"每小时": ("3元", "5元"), "锁”是": ("机械锁", "电子锁")}[column][row]
    assert len(asked(tables, ZH)) == len(asked(tables, EN)) == 2
    assert all(question.startswith('In "Boat Hire Rules", under "Hire"') for question in asked(tables, EN))


@pytest.mark.parametrize(("text", "question"), [
    (ZH, "《自行车租借办法》对“收费”是怎么规定的？"),
    (EN, 'Summarise what "Boat Hire Rules" says under "Hire".'),
])  # fmt: skip
def test_headings_ask_for_a_summary_of_their_section(text: str, question: str) -> None:
    assert question in asked(headings, text)
    assert {proposal.kind for proposal in headings(parsed(text))} == {"summary"}


@pytest.mark.parametrize("text", [ZH, EN])
def test_all_rules_take_turns_and_give_exact_evidence(text: str) -> None:
    document = parsed(text)
    drafts = drafts_by_rules("x.md", document, 5)
    assert {draft.source for draft in drafts} == {"definition", "list", "table", "value", "heading"}
    assert len(drafts_by_rules("x.md", document, 100)) > len(drafts) == 5
    assert drafts == drafts_by_rules("x.md", document, 5)
    for draft in drafts_by_rules("x.md", document, 100):
        for piece in draft.case.evidence:
            assert document.text[piece.start : piece.end] == piece.text
            assert any(piece.text in context.text for context in draft.contexts)
            assert all(c.text == document.text[c.start : c.start + len(c.text)] for c in draft.contexts)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["zh_statutes_lecoqa", "dragonball_rageval"])
def test_real_documents_give_exact_evidence(name: str) -> None:
    paths = sorted((SHARED / "data" / name / "corpus").iterdir())[:6]
    found = 0
    for path in paths:
        document = resolve("parser", "text")().parse(path.read_bytes(), path.name)
        for draft in drafts_by_rules(path.name, document, 20):
            found += 1
            assert all(document.text[p.start : p.end] == p.text for p in draft.case.evidence)
    assert found


def test_a_text_without_structure_yields_nothing_made_up() -> None:
    assert drafts_by_rules("x.md", parsed("Hello there. How are you?"), 10) == []
