"""Exactness of candidates, and the places of named parts in stored documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.span import Span
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from retrieval.query.boost import Candidate, exactness
from retrieval.query.places import extra_candidates, part_spans
from retrieval.query.references import references
from retrieval.query.understand import understand
from retrieval.query.understood import Mention, Understood
from tests.support import make_ingest


def scored(
    question: str, *texts: str, path: tuple[str, ...] = (), dates: tuple[str, ...] = ()
) -> list[float]:
    candidates = [Candidate(document_id="d", section_path=path, text=text, dates=dates) for text in texts]
    return exactness(understand(question), candidates)


def test_the_named_article_itself_is_worth_most() -> None:
    own, cited, other = scored(
        "第32条怎么规定",
        "劳动合同法 > 第三章\n第三十一条 略。\n第三十二条 劳动者拒绝违章指挥。",
        "第八十八条 违反本法第三十二条的，依法处理。",
        "第三十三条 用人单位变更名称。",
    )
    assert own == 1.0
    assert 0 < cited < 0.5
    assert other == 0.0


def test_headings_above_a_chunk_name_it_as_well() -> None:
    assert scored("第三章讲了什么", "用人单位应当", path=("总则", "第三章 履行和变更")) == [1.0]
    assert scored("Section 4.2", "The tenant pays.", path=("4 Rent", "4.2 Payment")) == [1.0]
    assert scored("第二章第三节", "略", path=("第一章 总则", "第三节 附则")) == [0.0]
    assert scored("第二章第三节", "略", path=("第二章 分则", "第三节 附则")) == [1.0]


def test_an_article_of_another_document_is_none() -> None:
    reference = references("第三十二条")
    mention = Mention(documents=("a",), span=Span(0, 2), is_certain=True)
    understood = Understood(question="", shape="fact", references=reference, mentions=(mention,))  # type: ignore[arg-type]
    texts = [Candidate(document_id=key, section_path=(), text="第三十二条 略。") for key in "ab"]
    assert exactness(understood, texts) == [1.0, 0.0]


def test_all_quoted_words_are_worth_more_than_some() -> None:
    both, one, none = scored(
        "“不可抗力”与“情势变更”的关系", "情势变更不同于不可抗力。", "不可抗力免责。", "违约责任。"
    )
    assert both > one > none == 0.0
    assert scored("what is “Force Majeure”", "FORCE MAJEURE events") == [both]


def test_identifiers_count_whole_only() -> None:
    texts = ["见 GB/T 7714—2015。", "见 GB/T 7714-2005。", "见GB/T7714-2015", "见 GB/T 7714-2015-1"]
    assert [score > 0 for score in scored("GB/T 7714-2015的要求", *texts)] == [True, False, True, False]
    versions = ["since v2.13.", "since v2.13.0", "since v2.1"]
    assert [score > 0 for score in scored("what changed in v2.13", *versions)] == [True, False, False]


def test_dates_meet_at_the_exactness_of_the_question() -> None:
    question = "2024年5月的会议"
    assert scored(question, "会议", dates=("2024-05-01",)) == scored(question, "会议", dates=("2024",))
    assert scored(question, "会议", dates=("2024-06-01", "2024-05"))[0] > 0
    assert scored(question, "会议", dates=("2024-06", "2023-05")) == [0.0]


def test_numbers_with_units_meet_with_and_without_separators() -> None:
    texts = ["罚款 1,000 元", "罚款1000元", "罚款 21,000 元", "罚款1000万元"]
    assert [score > 0 for score in scored("罚款1000元的情形", *texts)] == [True, True, False, False]


def test_scores_lie_in_their_range_and_are_all_0_without_a_wish() -> None:
    everything = "“违约”在第3条、GB/T 1.1-2020、2024年5月1日和30%时"
    [score] = scored(everything, "第三条 违约 GB/T 1.1-2020 30%", dates=("2024-05-01",))
    assert score == 1.0
    assert scored("年休假有几天", "年休假五天", "") == [0.0, 0.0]
    assert scored("第3条") == []


LAW = """\
# 示范法

目录

第一章 总则
第二章 分则

## 第一章 总则

第一条 为了示范，制定本法。

第二条 本法所称示范，是指：

（一）甲；

（二）乙。

示范应当公开。

第十二条 依照第二条办理。

## 第二章 分则

第二十条 违反第二条第二款的，责令改正。
"""


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [
        ("第2条", "第二条 本法", "示范应当公开。"),
        ("第二条第一款", "第二条 本法", "（二）乙。"),
        ("第二条第二款", "示范应当公开。", "示范应当公开。"),
        ("第一章", "## 第一章", "依照第二条办理。"),
        ("第二章", "## 第二章", "责令改正。"),
    ],
)
def test_a_part_is_found_from_its_first_line_to_its_last(wanted: str, first: str, last: str) -> None:
    span = part_spans(LAW, references(wanted)[0])[0]
    found = LAW[span.start : span.end].strip()
    assert found.startswith(first)
    assert found.endswith(last)


def test_decimal_sections_hold_their_own_subsections() -> None:
    text = (
        "4 Rent\n\n4.1 Amount\nTen.\n\n4.2 Payment\nMonthly.\n\n4.2.1 Late\nInterest.\n\n4.3 Deposit\nTwo.\n"
    )
    [span] = part_spans(text, references("Section 4.2")[0])
    assert text[span.start : span.end].startswith("4.2 Payment")
    assert "4.2.1" in text[span.start : span.end]
    assert "4.3" not in text[span.start : span.end]
    assert part_spans(text, references("Section 9.9")[0]) == ()


def test_the_same_section_of_another_chapter_is_another_one() -> None:
    text = "第一章 甲\n第一节 子\n一。\n第二章 乙\n第一节 丑\n二。\n"
    [span] = part_spans(text, references("第二章第一节")[0])
    assert text[span.start : span.end].startswith("第一节 丑")


def test_the_chunks_of_a_named_part_come_from_the_store(base: KnowledgeBase, tmp_path: Path) -> None:
    for name in ("示范法", "别的法"):
        (tmp_path / f"{name}.md").write_text(LAW.replace("示范法", name), "utf-8")
    sources = [Source(name=f"{name}.md", path=tmp_path / f"{name}.md") for name in ("示范法", "别的法")]
    assert not any(file.error for file in make_ingest(base).add_sources(sources, "default").files)
    with base.workspace.store.read() as reader:
        version_id = reader.document("示范法.md").version_id
        wanted = references("第二条第二款")
        [place] = extra_candidates(reader, [version_id], wanted)
        text = reader.version(version_id).text
        chunks = reader.chunks(place.chunk_ids)
        assert extra_candidates(reader, [version_id], references("第99条")) == ()
        assert extra_candidates(reader, ["gone"], wanted) == ()
        assert extra_candidates(reader, [version_id] * 11, wanted) == ()
        assert extra_candidates(reader, [version_id], ()) == ()
    assert text[place.span.start : place.span.end].strip() == "示范应当公开。"
    assert place.chunk_ids
    assert all(
        chunk.version_id == version_id and chunk.span.overlaps(place.span) for chunk in chunks.values()
    )
