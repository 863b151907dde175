"""What belongs together stays one unit: lists with leader and limits, tables with what speaks of them."""

from __future__ import annotations

import pytest

from core.span import Span
from ingest.parsers.text.markdown import MarkdownParser
from retrieval.units import units

LONG = "很长" * 80 + "。"
TABLE = "| 司龄 | 天数 |\n| --- | --- |\n| 满1年 | 7天 |\n| 满3年 | 9天 |"


def shown(source: str) -> list[str]:
    document = MarkdownParser().parse(source.encode(), "x.md")
    found = units(document.text, Span(0, len(document.text)), document.blocks)
    for unit in found:
        assert unit.span.of(document.text).strip() == unit.span.of(document.text)
    return [unit.shown for unit in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# 标题\n\n甲。乙。", ["甲。乙。"]),
        (f"{LONG}乙。", [LONG, "乙。"]),
        ("须满足：\n\n1. 甲；\n2. 乙。\n\n丙。", ["须满足：\n\n1. 甲；\n2. 乙。", "丙。"]),
        (
            "概述。须满足：\n\n- 甲；\n- 乙。\n\n丙不受此限，除外。",
            ["概述。须满足：\n\n- 甲；\n- 乙。\n\n丙不受此限，除外。"],
        ),
        (
            "禁止：\n\n（一）甲；\n\n（二）乙。\n\n第五条 不得丙。",
            ["禁止：\n\n（一）甲；\n\n（二）乙。", "第五条 不得丙。"],
        ),
        (
            f"{TABLE}\n\n高于上表的，从其规定。另外一句。",
            [f"{TABLE}\n\n高于上表的，从其规定。另外一句。"],
        ),
        (f"{TABLE}\n\n与此无关。", [TABLE, "与此无关。"]),
        ("- 甲。\n- 乙。", ["- 甲。", "- 乙。"]),
        ("# 只有标题", []),
    ],
)
def test_units(source: str, expected: list[str]) -> None:
    assert shown(source) == expected


def test_a_large_table_gives_its_rows_each_under_the_header() -> None:
    rows = [f"| E{i} | 意思{i} |" for i in range(30)]
    found = shown("| 代码 | 含义 |\n| --- | --- |\n" + "\n".join(rows))
    assert len(found) == 30
    assert found[7] == "| 代码 | 含义 |\n| --- | --- |\n| E7 | 意思7 |"
