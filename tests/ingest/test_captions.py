"""Units that structure alone tells: a table and its caption, an item and what is nested under it, an article."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.document import Block, BlockKind, Document
from core.registry import resolve
from core.settings import ChunkingSettings, Settings
from core.span import Span
from ingest import hierarchy
from ingest.embedders.hashing import HashingEmbedder
from ingest.sections import sections_of
from ingest.splitters.splitter import SplitTools

TOKENS = HashingEmbedder(Settings(home=Path()))
SIZES = ChunkingSettings(
    min_tokens=20, soft_tokens=60, hard_tokens=100, overlap_tokens=8, parent_soft_tokens=300
)
FILLER = "会议室实行预约制，十五分钟无人到场的自动释放，咖啡机由行政部维护，茶水间每天补充一次。"
TABLE = "| 城市 | 标准 |\n| --- | --- |\n| 北京 | 400 |\n| 上海 | 420 |"
P, T, C = BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CAPTION


def shown(document: Document, strategy: str) -> list[str]:
    sections = sections_of(document, SIZES, TOKENS)
    pieces = resolve("splitter", strategy)(SIZES, SplitTools()).split(sections)
    chunks, _ = hierarchy.build("version", sections, pieces, SIZES)
    return [chunk.span.of(document.text) for chunk in chunks]


def of_blocks(*blocks: tuple[BlockKind, str]) -> Document:
    text, made = "", []
    for kind, words in blocks:
        made.append(Block(kind=kind, span=Span(len(text), len(text) + len(words))))
        text += words + "\n\n"
    return Document(text=text, title="", language="zh", media_type="text/plain", blocks=tuple(made))


def of_markdown(text: str) -> Document:
    document: Document = resolve("parser", "markdown")().parse(text.encode(), "x.md")
    return document


both = pytest.mark.parametrize("strategy", ["semantic", "clause"])


@both
def test_a_table_keeps_its_title_and_unit(strategy: str) -> None:
    found = shown(
        of_blocks((P, FILLER), (P, FILLER), (P, "住宿标准表"), (P, "单位：元"), (T, TABLE), (P, FILLER)),
        strategy,
    )
    (chunk,) = [text for text in found if "北京" in text]
    assert chunk.startswith("住宿标准表") and chunk.endswith(TABLE)


@both
@pytest.mark.parametrize("leads", [True, False])
def test_a_caption_between_two_tables_goes_with_its_own(strategy: str, leads: bool) -> None:
    first, second = TABLE.replace("北京", "甲地"), TABLE.replace("北京", "乙地")
    captions = [(C, "表1：国内各地住宿标准一览（每人每天）"), (C, "表2：国外各地住宿标准一览（每人每天）")]
    tables = [(T, first), (T, second)]
    pairs = zip(captions, tables, strict=True) if leads else zip(tables, captions, strict=True)
    found = shown(of_blocks((P, FILLER), *(block for pair in pairs for block in pair), (P, FILLER)), strategy)
    assert any("表1" in text and "甲地" in text and "乙地" not in text for text in found)
    assert any("表2" in text and "乙地" in text and "甲地" not in text for text in found)


@both
def test_a_sentence_before_a_table_is_no_title_of_it(strategy: str) -> None:
    long = TABLE + "\n" + "\n".join(f"| 城市{n} | {n}00 |" for n in range(10))
    found = shown(of_blocks((P, FILLER), (P, "会议到此结束，谢谢大家的参与。"), (T, long)), strategy)
    assert any(text.startswith("| 城市") for text in found)


@both
def test_a_list_is_cut_between_its_outer_items(strategy: str) -> None:
    item = "- 第{n}步检查设备\n    - 断开电源并挂上告示牌\n    - 记录仪表的读数\n"
    text = "# 巡检\n\n" + "".join(item.format(n=n) for n in range(16))
    found = shown(of_markdown(text), strategy)
    assert len(found) > 3
    for chunk in found:
        assert chunk.startswith(("#", "- 第")) and chunk.endswith("记录仪表的读数")


@both
def test_the_first_article_of_a_chapter_is_a_unit_however_small(strategy: str) -> None:
    text = "# 条例\n\n## 第一章 总则\n\n第一条 本条例自公布之日起施行。\n\n第二条 员工应当佩戴工牌。\n"
    assert len(shown(of_markdown(text), strategy)) == 2


@both
@pytest.mark.parametrize(
    ("second", "is_joined"),
    [
        ("消费者有权知情，经营者应当如实说明。", False),
        ("除本法另有规定外，合同自签字时成立。", False),
        ("本法第九条第一款的规定适用于网络交易。", False),
        ("依照前条规定退货的，不收费用。", True),
    ],
)
def test_articles_are_joined_only_by_what_points_to_the_one_before(
    strategy: str, second: str, is_joined: bool
) -> None:
    text = f"# 法\n\n## 总则\n\n第一条 本法所称消费者，是指为生活需要购买商品的人。\n\n第二条 {second}\n"
    assert (len(shown(of_markdown(text), strategy)) == 1) is is_joined
