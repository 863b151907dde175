"""Answers in the source's own words: which runs of sentences, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.protocols import Embedder, Vectors
from core.settings import Settings
from core.span import Span
from ingest.sources import Source
from retrieval.answerers.expected import Expected
from retrieval.answerers.extractive import ExtractiveAnswerer, asks_several
from retrieval.answerers.relevance import FEATURES, Placed, features, likelihoods, placed_units
from retrieval.answerers.runs import Run, named_by, runs
from retrieval.evidence import Evidence
from retrieval.knowledge_base import KnowledgeBase
from retrieval.units import Unit
from tests.support import make_ingest

FILLER = "这里的居民多以务农为生，每逢节日都会到河边的集市上交换各自的收成和手工制品。"
STATION = (
    f"大沙地站是五号线的一个中途站，乘客可以乘搭往滘口或文冲的列车。{FILLER}本站共两层，地下一层是站厅。"
    f"{FILLER}车站于二〇〇九年十二月二十八日启用。{FILLER}站内设有四个出口，其中一个通往医院。"
)


# -- runs ---------------------------------------------------------------------------------------------


def found(
    likely: list[float], widths: list[int], *, least: float = 0.2, gaps: tuple[int, ...] = ()
) -> list[Run]:
    return runs(np.array(likely), widths, lambda index: index not in gaps, least=least)


def places(chosen: list[Run]) -> list[tuple[int, int]]:
    return [(run.first, run.last) for run in chosen]


def test_a_sure_sentence_stands_alone_and_an_unsure_one_takes_its_neighbours() -> None:
    assert places(found([0.005, 0.99, 0.005], [80, 80, 80])) == [(1, 1)]
    assert places(found([0.5, 0.1, 0.4], [80, 80, 80])) == [(0, 2)]


def test_a_run_keeps_its_width_and_never_crosses_a_gap() -> None:
    assert places(found([0.5, 0.1, 0.4], [300, 300, 300], least=0.9)) == [(0, 1)]
    assert places(found([0.5, 0.1, 0.4], [80, 80, 80], gaps=(2,), least=0.9)) == [(0, 1)]
    assert places(found([0.5, 0.1, 0.4], [80, 80, 80], gaps=(1, 2))) == [(0, 0), (2, 2)]


def test_one_unit_may_be_as_wide_as_it_is() -> None:
    assert places(found([0.9, 0.1], [5000, 80], least=0.5)) == [(0, 0)]


def test_at_most_three_runs_that_share_no_unit() -> None:
    chosen = found([0.25] * 4, [10] * 4, gaps=(1, 2, 3), least=0.01)
    assert places(chosen) == [(0, 0), (1, 1), (2, 2)]
    assert places(found([], [])) == []


def test_runs_are_those_of_a_search_by_hand() -> None:
    """Every window tried one by one, and none of at least the same likelihood is shorter."""
    random = np.random.default_rng(4)
    for _ in range(50):
        likely = random.dirichlet(np.ones(9))
        widths = random.integers(20, 400, 9).tolist()
        first = found(likely.tolist(), widths, least=2.0)[0]
        windows = [
            (float(likely[a : z + 1].sum()), sum(widths[a : z + 1]))
            for a in range(9)
            for z in range(a, 9)
            if a == z or sum(widths[a : z + 1]) <= 600
        ]
        best = max(likelihood for likelihood, _ in windows)
        shortest = min(width for likelihood, width in windows if likelihood >= 0.98 * best)
        assert first.likelihood == pytest.approx(float(likely[first.first : first.last + 1].sum()))
        assert sum(widths[first.first : first.last + 1]) == shortest


# -- what kind of answer is expected --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("车站何时启用？", "车站于2009年12月启用。", "车站已经启用。"),
        ("車站哪一年啟用？", "二〇〇九年啟用。", "啟用典禮很隆重。"),
        ("5号线有多少个出口？", "5号线有四个出口。", "5号线有出口。"),
        ("How many exits are there in 2020?", "In 2020 there are 4 exits.", "In 2020 there are exits."),
        ("为什么停运？", "由于大雨停运。", "已经停运。"),
        ("Where is it?", "It stands in Guangzhou.", "It stands."),
    ],
)
def test_a_text_holds_what_the_question_expects(question: str, holds: str, lacks: str) -> None:
    expected = Expected(question)
    assert expected.held(holds) == 1
    assert expected.held(lacks) == 0


def test_nothing_expected_says_nothing() -> None:
    assert Expected("他叫什么名字？").held("2009年") == Expected("他叫什么名字？").held("李翰") == 0.5


# -- from end to end ------------------------------------------------------------------------------------


@pytest.fixture
def station(base: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    path = tmp_path / "station.md"
    path.write_text(f"# 大沙地站\n\n{STATION}\n", "utf-8")
    make_ingest(base).add_sources([Source(name="station.md", path=path)], "default")
    return base


def evidence_for(base: KnowledgeBase, question: str) -> Evidence:
    """The whole document as evidence, with what the store knows of its sentences."""
    from retrieval.sources import Sources

    with base.workspace.store.read() as reader:
        passages = base.search(question).passages
        return Sources(reader).evidence(passages, base.workspace.embedder.fingerprint)


def test_the_name_that_stands_in_the_title_says_nothing_about_a_sentence(station: KnowledgeBase) -> None:
    question = "大沙地站站厅在哪一层？"
    evidence = evidence_for(station, question)
    placed = placed_units(question, evidence)
    likely = likelihoods(question, placed, evidence, station.workspace.embedder)
    assert likely.sum() == pytest.approx(1)
    assert "是站厅" in placed[int(likely.argmax())].unit.shown
    rest = features(question, placed, evidence, station.workspace.embedder)[:, FEATURES.index("rest")]
    by_words = {one.unit.shown: share for one, share in zip(placed, rest.tolist(), strict=True)}
    assert max(by_words, key=by_words.__getitem__).startswith("本站共两层")
    assert next(share for shown, share in by_words.items() if shown.startswith("大沙地站")) == 0


def test_stored_vectors_say_what_embedding_the_sentences_again_would(station: KnowledgeBase) -> None:
    question = "车站什么时候启用？"
    evidence = evidence_for(station, question)
    assert sum(len(one.sentences.spans) for one in next(iter(evidence.embedded.values()))) > 3
    placed = placed_units(question, evidence)
    embedder = station.workspace.embedder
    near = features(question, placed, evidence, embedder)[:, FEATURES.index("meaning")]
    assert (near.min(), near.max()) == (0, 1)
    asked = embedder.queries([question])[0]
    cosines = embedder.passages([f"大沙地站\n{one.unit.shown}" for one in placed]) @ asked
    assert int(near.argmax()) == int(cosines.argmax())


def test_without_stored_vectors_the_best_units_are_embedded(tmp_path: Path) -> None:
    embedding = {"name": "hashing", "sentences": False}
    base = KnowledgeBase(Settings(home=tmp_path / "home", embedding=embedding))  # type: ignore[arg-type]
    path = tmp_path / "station.md"
    path.write_text(f"# 大沙地站\n\n{STATION}\n", "utf-8")
    make_ingest(base).add_sources([Source(name="station.md", path=path)], "default")
    answer = base.ask("大沙地站共有几层？")
    assert any("共两层" in citation.text for citation in answer.citations)
    base.workspace.close()


def test_a_list_longer_than_the_models_window_is_ranked_by_its_beginning(
    station: KnowledgeBase,
) -> None:
    evidence = replace(evidence_for(station, "车站"), embedded={})
    whole = evidence.passages[0].text
    embedder = _SmallWindow(station.workspace.embedder)
    placed = [Placed(unit=Unit(span=evidence.passages[0].span, shown=whole * 3, block=0), passage=0, held={})]
    assert likelihoods("车站", placed, evidence, embedder).tolist() == [1.0]
    assert embedder.longest <= embedder.max_tokens


class _SmallWindow:
    """The embedder with a window of 50 characters, as models of a few hundred tokens have one."""

    max_tokens = 50

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint, self.dimension, self._embedder = embedder.fingerprint, embedder.dimension, embedder
        self.longest = 0

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.longest = max(map(len, texts))
        return self._embedder.passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.queries(texts)


def test_a_run_is_cited_as_one_and_its_best_sentence_is_strong(station: KnowledgeBase) -> None:
    answer = station.ask("大沙地站共有几层？")
    (citation,) = answer.citations
    assert citation.text in STATION
    assert citation.text in answer.text
    for strong in citation.strong:
        assert citation.span.contains(strong)
        assert strong != citation.span
    assert answer.notes == ("note_extractive",)


def test_one_shared_name_is_no_answer_where_another_language_comes_first(
    station: KnowledgeBase, tmp_path: Path
) -> None:
    """The route is doubtful there, for no words can meet: the answerer decides."""
    path = tmp_path / "t200.md"
    manual = "The T200 measures humidity. Charge the T200 for three hours. The T200 has two sensors."
    path.write_text(f"# T200 manual\n\n{manual}\n", "utf-8")
    make_ingest(station).add_sources([Source(name="t200.md", path=path)], "default")
    answerer = ExtractiveAnswerer(station.workspace.embedder)
    evidence = evidence_for(station, "T200")
    assert evidence.passages[0].doc == "t200.md"
    assert not answerer.answer("T200的零售价格是多少？", evidence, lambda text: None).answered
    assert answerer.answer("How long must the T200 charge?", evidence, lambda text: None).answered


def test_large_tables_are_shown_row_by_row_under_their_header(base: KnowledgeBase, tmp_path: Path) -> None:
    rows = "\n".join(f"| E{i} | 故障{i}的处理办法 |" for i in range(1, 30))
    path = tmp_path / "codes.md"
    path.write_text(f"# 故障代码\n\n| 代码 | 处理 |\n| --- | --- |\n{rows}\n", "utf-8")
    make_ingest(base).add_sources([Source(name="codes.md", path=path)], "default")
    answer = base.ask("E17 怎么处理？")
    assert "| 代码 | 处理 |" in answer.text
    assert any("E17" in citation.text for citation in answer.citations)
    assert all("\n" not in citation.text for citation in answer.citations)


def test_spans_of_an_answer_are_the_sources_words(station: KnowledgeBase) -> None:
    with station.workspace.store.read() as reader:
        for question in ("大沙地站共有几层？", "车站何时启用？", "有几个出口？"):
            for citation in station.ask(question).citations:
                version = reader.version(station.ask(question).search.passages[citation.passage].version_id)
                assert Span(citation.span.start, citation.span.end).of(version.text) == citation.text


@pytest.mark.parametrize(
    ("chosen", "heading", "shown", "named"),
    [
        ("但仍须满足4.1的其余条件", "4.1 申请条件", "申请的员工", True),
        ("但仍须满足14.1的条件", "4.1 申请条件", "", False),
        ("见4.12", "4.1 申请条件", "", False),
        ("依照本法第三十二条处理", "第三章 处罚", "第三十二条 有下列情形之一的", True),
        ("共4项", "4 总则", "", False),
    ],
)
def test_a_part_is_named_by_its_whole_number(chosen: str, heading: str, shown: str, named: bool) -> None:
    assert named_by(chosen, heading, shown) is named


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("注册商标的有效期是多久？期满怎样续展？", True),
        ("How long is it valid? And how is it renewed?", True),
        ("注册商标的有效期是多久？", False),
        ("真的吗？？", False),
        ("What?! How long is it valid?", True),
        ("有效期是多久", False),
    ],
)
def test_each_question_of_several_has_its_mark(question: str, several: bool) -> None:
    assert asks_several(question) is several


RULES = """# 灯塔规程

## 许可

灯塔许可的有效期为九年，自核发之日起计算。

## 续期

许可期满要继续使用的，持有人应当在期满前四个月内办理续期。

## 值守

值守员每班八小时，交接时双方在日志上签字。

## 食堂

食堂七点十五分开始供应早餐。

## 钥匙

仓库的钥匙由站长保管，副站长留一把备用。
"""


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("灯塔许可的有效期是几年？期满怎样办理续期？", "九年", "四个月"),
        ("灯塔值守员每班几小时？仓库钥匙由谁保管？", "八小时", "站长"),
        ("灯塔交接时谁在日志上签字？续期应当提前几个月办理？", "双方", "四个月"),
    ],
)
def test_two_questions_at_once_are_both_answered(
    base: KnowledgeBase, tmp_path: Path, question: str, first: str, second: str
) -> None:
    (tmp_path / "灯塔.md").write_text(RULES, "utf-8")
    make_ingest(base).add_sources([Source(name="灯塔.md", path=tmp_path / "灯塔.md")], "default")
    answer = base.ask(question)
    assert first in answer.text
    assert second in answer.text
    assert "食堂" not in answer.text
