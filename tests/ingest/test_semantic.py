"""The semantic strategy: what binds, what parts, what the judge may do, and how far an edit reaches."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from core.chunk import Chunk
from core.chunking_settings import RULE_NAMES as SKIPPABLE
from core.document import Document
from core.protocols import Vectors
from core.registry import resolve
from core.settings import ChunkingSettings, Settings
from ingest import hierarchy
from ingest.embedders.hashing import HashingEmbedder
from ingest.judge import Judge
from ingest.sections import sections_of
from ingest.similarity import Similarity
from ingest.splitters.partition import Row, partition, size_cost
from ingest.splitters.rules import FIRM, RULE_NAMES, Side, bond_of
from ingest.splitters.splitter import SplitTools

TOKENS = HashingEmbedder(Settings(home=Path()))
SIZES = ChunkingSettings(
    min_tokens=20, soft_tokens=60, hard_tokens=100, overlap_tokens=8, parent_soft_tokens=300
)
ALONE = SplitTools()


def chunked(
    text: str, tools: SplitTools = ALONE, settings: ChunkingSettings = SIZES, strategy: str = "semantic"
) -> tuple[Document, tuple[Chunk, ...]]:
    document = resolve("parser", "markdown")().parse(text.encode(), "x.md")
    sections = sections_of(document, settings, TOKENS)
    pieces = resolve("splitter", strategy)(settings, tools).split(sections)
    return document, hierarchy.build("version", sections, pieces, settings)[0]


def shown(text: str, tools: SplitTools = ALONE, settings: ChunkingSettings = SIZES) -> list[str]:
    document, chunks = chunked(text, tools, settings)
    return [chunk.span.of(document.text) for chunk in chunks]


# -- rules


@pytest.mark.parametrize(
    ("left", "right", "name"),
    [
        ("申请材料如下：", "身份证复印件。", "list_leader"),
        ("The steps are as follows:", "Open the lid.", "list_leader"),
        ("绿波需要前一个信号。", "但是，前一个故障的，另行处理。", "transition"),
        ("The pump starts.", "However, it stops at 95 degrees.", "transition"),
        ("停车场收费分三档。", "该收费标准每年调整。", "coreference"),
        ("经营者应当退货。", "依照前款规定退货的，不收费。", "coreference"),
        ("The lid has a lock.", "This lock must be closed.", "coreference"),
        ("员工应当按时到岗。", "除因不可抗力外，迟到的扣分。", "condition"),
        ("The warranty ends.", "Unless the seal is intact, nothing is paid.", "condition"),
        ("如果连续三天未到岗，", "视为辞职。", "condition"),
        ("一是按时到岗。", "二是服从安排。", "ordinal"),
        ("本法所称消费者，是指为生活需要购买商品的人。", "消费者有权知情。", "definition"),
        ("“Standby” means the heater is off.", "In standby the clock is shown.", "definition"),
        ("可以退货吗？", "七天内可以。", "question"),
        ("the pump is switched", "off by the timer.", "continuation"),
    ],
)
def test_words_at_a_border_bind(left: str, right: str, name: str) -> None:
    bond = bond_of(Side(text=left, is_item=False), Side(text=right, is_item=False))
    assert bond is not None
    assert bond.name == name
    assert bond.weight >= FIRM
    without = bond_of(Side(text=left, is_item=False), Side(text=right, is_item=False), frozenset({name}))
    assert without is None or without.name != name


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("员工应当按时到岗。", "访客应当登记。"),
        ("会议室实行预约制。", "其他事项由行政部处理。"),
        ("会议室实行预约制。", "此外壳由钢制成。"),
        ("The pump starts.", "Thistles grow in the garden."),
        ("The pump starts.", "Theory and practice differ."),
        ("共有三类。", "但丁是诗人。"),
    ],
)
def test_other_words_do_not(left: str, right: str) -> None:
    bond = bond_of(Side(text=left, is_item=False), Side(text=right, is_item=False))
    assert bond is None or bond.weight < FIRM


def test_every_rule_can_be_skipped_by_its_name() -> None:
    assert set(SKIPPABLE) == {"article", *RULE_NAMES}


# -- the partition

ROWS = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(1, 70), min_size=n, max_size=n),
        st.lists(st.integers(0, 30), min_size=n, max_size=n),
        st.lists(st.sampled_from([0.0, 0.2, 2.0, 5.0, 20.0]), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n),
    )
)


def cost_of(row: Row, starts: Sequence[int]) -> float:
    """The sum that the partition makes least, the slow way."""
    count = len(row.sizes)
    total = 0.0
    for start, end in zip(starts, [*starts[1:], count], strict=True):
        size = sum(row.sizes[start:end]) + row.opening[start]
        if size > SIZES.hard_tokens and end - start > 1:
            return float("inf")
        is_unit = row.units[start] and (end == count or row.units[end])
        total += size_cost(size, 0 if is_unit else SIZES.min_tokens, SIZES)
        total += (row.cuts[start] if start else 0.0) + sum(row.joins[start + 1 : end])
    return total


@run(max_examples=60, deadline=None)
@given(drawn=ROWS)
def test_no_other_partition_costs_less(
    drawn: tuple[list[int], list[int], list[float], list[bool]],
) -> None:
    sizes, opening, cuts, units = drawn
    row = Row(
        sizes=sizes, opening=opening, cuts=cuts, joins=[2.5 if unit else 0.0 for unit in units], units=units
    )
    places = range(1, len(sizes))
    every = [[0, *rest] for count in range(len(sizes)) for rest in itertools.combinations(places, count)]
    assert cost_of(row, partition(row, SIZES)) == pytest.approx(min(cost_of(row, starts) for starts in every))


# -- units

FILLER = "会议室实行预约制，十五分钟无人到场的自动释放，咖啡机由行政部维护，茶水间每天补充一次。"


def test_an_article_is_one_chunk_however_small_and_never_half_of_one() -> None:
    text = "# 条例\n\n" + "\n\n".join(
        f"第{n}条 员工应当遵守第{n}号规定。\n\n违反的，给予警告。" for n in "一二三四五六七八"
    )
    document, chunks = chunked(text)
    assert len(chunks) == 8
    for chunk in chunks:
        assert chunk.span.of(document.text).endswith("给予警告。")
    _, joined = chunked(text, settings=SIZES.model_copy(update={"skip_rules": "article"}))
    assert len(joined) < 8


def test_a_cut_list_repeats_its_leader_only_in_what_is_embedded() -> None:
    items = "\n".join(f"- 第{n}种材料应当加盖公章并由经办人签字确认" for n in range(12))
    document, chunks = chunked(f"# 办法\n\n申请人应当提交下列材料：\n\n{items}\n")
    assert len(chunks) > 1
    for chunk in chunks:
        assert "申请人应当提交下列材料：" in chunk.embed_text
        assert chunk.token_count <= SIZES.hard_tokens
    assert sum("提交下列材料" in chunk.span.of(document.text) for chunk in chunks) == 1


def test_the_rest_of_an_article_knows_its_number() -> None:
    long = "申请人应当提交真实、完整的材料，并对其真实性负责，不得隐瞒有关情况。" * 14
    _, chunks = chunked(f"# 办法\n\n第七条 {long}\n")
    assert len(chunks) > 2
    assert all("第七条" in chunk.embed_text for chunk in chunks)


def test_cut_code_repeats_its_fence_and_is_cut_between_lines() -> None:
    lines = [f"value_{n} = compute(value_{n - 1})" for n in range(1, 30)]
    document, chunks = chunked("# API\n\n```python\n" + "\n".join(lines) + "\n```\n")
    assert len(chunks) > 2
    for chunk in chunks:
        assert "```python" in chunk.embed_text
        for line in chunk.span.of(document.text).splitlines():
            assert line in lines or line.startswith(("#", "```")) or not line


@pytest.mark.parametrize("strategy", ["semantic", "clause"])
def test_what_fits_alone_is_not_cut(strategy: str) -> None:
    item = "- 每一项材料都应当加盖公章，由经办人和负责人分别签字，并注明日期，缺一项的退回补正，补正期限不超过十天，逾期的视为撤回"
    table = "| 名称 | 期限 |\n| --- | --- |\n" + "\n".join(f"| 材料{n} | {n} 天 |" for n in range(8))
    code = "```\n" + "\n".join(f"line {n} of code" for n in range(9)) + "\n```"
    document, chunks = chunked(
        f"# 办法\n\n须提交：\n\n{item}\n{item}\n\n{FILLER}\n\n{table}\n\n{FILLER}\n\n{code}\n",
        strategy=strategy,
    )
    for whole in (item, table, code):
        assert any(whole in chunk.span.of(document.text) for chunk in chunks)


def test_fragments_under_one_parent_are_one_section_and_sentences_are_not() -> None:
    parts = "# 泵\n\n## 参数\n\n### 重量\n\n5 kg\n\n### 长度\n\n30 cm\n\n### 电压\n\n220 V\n"
    _, chunks = chunked(parts, settings=SIZES.model_copy(update={"min_tokens": 60}))
    assert [chunk.section_path for chunk in chunks] == [("泵", "参数")]
    _, answers = chunked("# 问答\n\n## 可以退吗？\n\n可以。\n\n## 运费呢？\n\n由我们承担。\n")
    assert [chunk.section_path[-1] for chunk in answers] == ["可以退吗？", "运费呢？"]


def test_reasons_say_what_held_and_what_parted() -> None:
    text = f"# 办法\n\n{FILLER}\n\n材料如下：\n\n1. 申请书；\n2. 身份证。\n\n但是，网上申请的除外。\n\n{FILLER}\n\n{FILLER}\n"
    _, chunks = chunked(text)
    reasons = next(chunk.reasons for chunk in chunks if "申请书" in chunk.embed_text)
    assert reasons[0] in ("block", "heading")
    assert {"list_leader", "list", "transition"} <= set(reasons)
    _, (whole,) = chunked("# 办法\n\n一句话。\n")
    assert whole.reasons == ("section",)


# -- likeness and judge

TOPICS = ("茶", "船")


class TopicEmbedder(HashingEmbedder):
    """Two directions and what lies between: a text of both topics is half like each."""

    dimension = 2
    fingerprint = "topics"

    def passages(self, texts: Sequence[str]) -> Vectors:
        made = np.array([[text.count(topic) for topic in TOPICS] for text in texts], dtype=np.float32)
        made[made.sum(axis=1) == 0] = 1.0
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


class Scale:
    """A calibration that leaves cosines as they are."""

    def similarity(self, left: Vectors, right: Vectors, language: str) -> Vectors:
        return np.asarray((left * right).sum(axis=1), dtype=np.float32)


def tools_with(judge: Judge | None = None) -> SplitTools:
    similarity = Similarity(TopicEmbedder(Settings(home=Path())), Scale())  # type: ignore[arg-type]
    return SplitTools(similarity=similarity, judge=judge)


TEA = "泡茶用八十度的水，茶叶三克，第一泡倒掉，第二泡才喝，茶杯预热。"
BOAT = "船身每年上漆一次，船底刮净，船桨放在干处，不许日晒。"
BOTH = "茶商坐船到对岸，船上备茶，一路不停，傍晚到达码头。"


def test_paragraphs_too_small_to_stay_alone_join_those_that_are_like_them() -> None:
    settings = SIZES.model_copy(update={"min_tokens": 50, "soft_tokens": 70})
    text = f"# 笔记\n\n{TEA}\n\n{TEA}\n\n{TEA}\n\n{BOAT}\n\n{BOAT}\n\n{BOAT}\n"
    found = shown(text, tools_with(), settings)
    assert not any("茶" in chunk and "船" in chunk for chunk in found)
    _, chunks = chunked(text, tools_with(), settings)
    assert any("unlike" in chunk.reasons for chunk in chunks)
    assert any("alike" in chunk.reasons for chunk in chunks)


def test_paragraphs_that_can_stand_alone_do_so_however_alike() -> None:
    settings = SIZES.model_copy(update={"min_tokens": 12, "soft_tokens": 60})
    found = shown(f"# 笔记\n\n{TEA}\n\n{TEA}\n\n{TEA}\n\n{TEA}\n", tools_with(), settings)
    assert len(found) == 4


class ScriptedModel:
    """Replies with one decision to every border it is asked about, or with the other before ``unless``."""

    def __init__(self, decision: str, unless: str = "-") -> None:
        self.unless = unless
        self.name = "scripted"
        self.decision = decision
        self.asked: list[str] = []

    def decide(self, instruction: str, data: str) -> str:
        import json

        self.asked.append(data)
        other = {"MERGE": "SPLIT", "SPLIT": "MERGE"}.get(self.decision, self.decision)
        rulings = [
            {"pair": entry["pair"], "decision": other if self.unless in entry["B"] else self.decision}
            for entry in json.loads(data)
        ]
        return json.dumps({"borders": rulings})


# What speaks of both stands between what speaks of one each, and is too small to stay alone.
NEARLY = SIZES.model_copy(update={"min_tokens": 32, "soft_tokens": 60})
GREY = f"# 笔记\n\n{TEA}\n\n{TEA}\n\n{BOTH}\n\n但是，{BOTH}\n\n{BOAT}\n\n{BOAT}\n"


def test_the_judge_decides_grey_borders_near_the_soft_limit_only() -> None:
    merging, parting = ScriptedModel("MERGE", unless="船身"), ScriptedModel("SPLIT", unless="船身")
    merged = shown(GREY, tools_with(Judge(merging)), NEARLY)
    parted = shown(GREY, tools_with(Judge(parting)), NEARLY)
    assert merged != parted
    assert merging.asked
    for data in merging.asked:
        assert '"B": "但是' not in data
    _, chunks = chunked(GREY, tools_with(Judge(merging)), NEARLY)
    assert any("judged" in chunk.reasons for chunk in chunks)
    assert all(chunk.token_count <= SIZES.hard_tokens for chunk in chunks)


def test_a_judge_without_an_answer_changes_nothing_and_it_is_seen() -> None:
    silent = ScriptedModel("PERHAPS")
    assert shown(GREY, tools_with(Judge(silent)), NEARLY) == shown(GREY, tools_with(), NEARLY)
    assert len(silent.asked) == 2 * len(set(silent.asked)) > 0
    _, chunks = chunked(GREY, tools_with(Judge(silent)), NEARLY)
    assert any("unjudged" in chunk.reasons for chunk in chunks)


def test_a_limit_bounds_what_the_judge_is_asked() -> None:
    model = ScriptedModel("MERGE")
    shown(GREY, tools_with(Judge(model)), NEARLY.model_copy(update={"max_judged": 0}))
    assert not model.asked


def test_the_fingerprint_names_whatever_decides() -> None:
    make = resolve("splitter", "semantic")
    judge = Judge(ScriptedModel("MERGE"))
    prints = {
        make(SIZES, ALONE).fingerprint,
        make(SIZES, tools_with()).fingerprint,
        make(SIZES, tools_with(judge)).fingerprint,
        make(SIZES.model_copy(update={"skip_rules": "list"}), ALONE).fingerprint,
        make(SIZES.model_copy(update={"soft_tokens": 61}), ALONE).fingerprint,
        make(SIZES.model_copy(update={"merge_similarity": 0.8}), tools_with()).fingerprint,
    }
    assert len(prints) == 6
    assert make(SIZES.model_copy(update={"judge": False}), tools_with(judge)).fingerprint in prints


# -- an edit stays local


@pytest.mark.parametrize(
    "tools", [ALONE, SplitTools(similarity=Similarity(TOKENS, None))], ids=["alone", "alike"]
)
def test_an_edited_paragraph_leaves_the_other_chunks_as_they_are(tools: SplitTools) -> None:
    topics = ["茶叶的冲泡", "船只的保养", "机房的巡查", "合同的归档", "果树的修剪"]
    paragraphs = [
        f"{topics[n % 5]}由第{n}小组负责，{'每月检查一次，' * (n % 4)}结果报送第{n * 7 % 13}办公室存档备查。"
        for n in range(240)
    ]
    before = {chunk.embed_text for chunk in chunked("# 记录\n\n" + "\n\n".join(paragraphs), tools)[1]}
    for place in (1, 37, 120):
        edited = list(paragraphs)
        edited[place] += "新增一句，说明检查的方法和时间。"
        after = chunked("# 记录\n\n" + "\n\n".join(edited), tools)[1]
        changed = [chunk for chunk in after if chunk.embed_text not in before]
        assert 1 <= len(changed) <= 12 < len(before) // 5


# -- other languages

FOREIGN = {
    "ja": "この装置は毎年点検しなければならない。点検の結果は記録する。異常があれば直ちに停止する。",
    "ko": "이 장치는 매년 점검해야 합니다. 점검 결과는 기록합니다. 이상이 있으면 즉시 중지합니다. ",
    "ar": "يجب فحص هذا الجهاز كل سنة. تسجل نتائج الفحص في الدفتر. إذا وجد خلل فأوقف الجهاز فورا؛ هل هذا واضح؟ ",
    "th": "ต้องตรวจสอบอุปกรณ์นี้ทุกปี ผลการตรวจสอบต้องบันทึกไว้ หากพบความผิดปกติให้หยุดเครื่องทันที ",
}


@pytest.mark.parametrize("language", sorted(FOREIGN))
def test_other_languages_are_cut_at_their_marks_and_spaces(language: str) -> None:
    text = FOREIGN[language] * 25
    document, chunks = chunked(text)
    assert len(chunks) > 4
    for before, after in itertools.pairwise(chunks):
        end, start = before.span.end, after.span.start
        assert document.text[end - 1] in "。.؟؛?" or " " in document.text[end:start] or language == "th"
        assert document.text[start] not in "。.؟؛?、، "
    assert sum(chunk.token_count for chunk in chunks) / len(chunks) > SIZES.soft_tokens / 2
