"""Signals, the built-in score and explanation: what is known of a candidate decides its place."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from core.answer import Route
from core.protocols import Signals
from core.scope import Scope
from core.settings import Settings
from retrieval.cli import main
from retrieval.explain import Fate, explained
from retrieval.knowledge_base import KnowledgeBase
from retrieval.rerankers.builtin import FEATURES, BuiltinReranker, blend, features
from retrieval.signals import numbers_of
from tests.support import make_ingest

PLAIN = Signals(whole=0.1, sentence=0.1, lexical=1.0, coverage=0.2, numbers=0.0)


# -- the built-in score


@pytest.mark.parametrize("name", [*FEATURES, "exactness"])
def test_more_of_any_signal_and_nothing_less_comes_first(settings: Settings, name: str) -> None:
    better = replace(PLAIN, **{name: getattr(PLAIN, name) + 0.3})
    first, second = BuiltinReranker(settings).rerank("问", ["甲", "乙"], [better, PLAIN])
    assert first > second


def test_features_are_shares_whatever_the_scale() -> None:
    far = [
        replace(PLAIN, whole=w, sentence=w, lexical=b, coverage=0.6)
        for w, b in ((-0.2, 0.0), (0.1, 30.0), (0.9, 12.0))
    ]
    found = features(far)
    assert found.shape == (3, len(FEATURES))
    assert found.min() == 0.0
    assert found.max() == 1.0
    assert found[:, 2].tolist() == [0.0, 1.0, 0.4]
    # All alike, and one alone: nothing to tell apart, nothing that is no number.
    for same in ([PLAIN, PLAIN], [replace(PLAIN, lexical=0.0)]):
        assert all(math.isfinite(value) for value in features(same).ravel())


def test_what_is_given_to_the_letter_outweighs_everything_else(settings: Settings) -> None:
    best = Signals(whole=1.0, sentence=1.0, lexical=50.0, coverage=1.0, numbers=1.0)
    named = Signals(whole=0.0, sentence=0.0, lexical=0.0, coverage=0.0, numbers=0.0, exactness=1.0)
    scores = BuiltinReranker(settings).rerank("第三条", ["甲", "乙"], [best, replace(named, exactness=1.0)])
    assert scores[1] == pytest.approx(1.0)
    assert sum(blend().weights.values()) == pytest.approx(1.05)


def test_numbers_meet_in_any_writing() -> None:
    assert numbers_of("１２,０００元，３.５％") == {"12000", "3.5"}


# -- in a search


def test_a_named_document_is_the_only_one_searched(base: KnowledgeBase, tmp_path: Path) -> None:
    for name, days in (("东海厂考勤办法", 3), ("西山厂考勤办法", 7)):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n迟到累计{days}次的，扣发当月全勤奖。\n", "utf-8")
    make_ingest(base).add([tmp_path], "default")
    found = base.search("《西山厂考勤办法》里，迟到几次扣全勤奖？")
    assert {passage.doc for passage in found.passages} == {"西山厂考勤办法.md"}
    both = base.search("比较《东海厂考勤办法》和《西山厂考勤办法》的迟到规定", passages=2)
    assert {passage.doc for passage in both.passages} == {"东海厂考勤办法.md", "西山厂考勤办法.md"}


def test_the_named_article_of_the_named_document_comes_first(base: KnowledgeBase, tmp_path: Path) -> None:
    for law in ("仓库管理条例", "车队管理条例"):
        rules = "\n\n".join(f"第{n}条 {law}规定，编号{n}的事项由第{n}组办理。" for n in "一二三四五六七八九")
        (tmp_path / f"{law}.md").write_text(f"# {law}\n\n{rules}\n", "utf-8")
    make_ingest(base).add([tmp_path], "default")
    for asked in ("车队管理条例第五条说了什么？", "车队管理条例第5条说了什么？"):
        first = base.search(asked).passages[0]
        assert first.doc == "车队管理条例.md"
        assert "第五条" in first.text


def test_why_not_names_the_stage(filled: KnowledgeBase) -> None:
    result = filled.search("请病假需要什么条件", passages=1, max_tokens=60)
    with filled.workspace.store.read() as reader:
        ids = [chunk.id for chunk in reader.all_chunks()]
    fates = {chunk_id: filled.why_not(result, chunk_id) for chunk_id in ids}
    assert fates[result.passages[0].chunk_ids[0]].fate is Fate.RETURNED
    others = [why for why in fates.values() if why.fate is not Fate.RETURNED]
    assert {why.fate for why in others} <= {Fate.DROPPED, Fate.PASSED_OVER, Fate.NOT_FOUND}
    assert any(why.fate is Fate.DROPPED and why.reason == "enough passages" for why in others)
    assert all(why.places for why in others if why.fate is not Fate.NOT_FOUND)
    assert filled.why_not(result, "nosuch").fate is Fate.UNKNOWN
    # What the viewer may not see does not exist for him.
    hidden = Scope(documents=())
    assert filled.why_not(result, ids[0], hidden).fate is Fate.UNKNOWN
    lines = explained(result).splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [
        step.name.split()[0] for step in result.trace
    ]


def test_the_command_explains(
    filled: KnowledgeBase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(filled.settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_LANGUAGE", "en")
    assert main(["search", "年休假有几天", "--explain", "--why-not", "nosuch"]) == 0
    out = capsys.readouterr().out
    assert "blend" in out
    assert "There is no chunk nosuch" in out
    assert main(["search", "年休假有几天", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    blended = next(step for step in told["trace"] if step["step"] == "blend")
    assert [hit["rank"] for hit in blended["hits"]] == list(range(1, len(blended["hits"]) + 1))


# -- nothing that does not matter changes anything


@pytest.mark.parametrize(
    "other",
    ["请病假需要什么条件？", "请病假需要什么条件。", "　请病假需要什么条件  ", "請病假需要什麼條件", "“请病假需要什么条件”"],
)  # fmt: skip
def test_marks_and_traditional_characters_change_nothing_that_matters(
    filled: KnowledgeBase, other: str
) -> None:
    expected = filled.search("请病假需要什么条件").passages[0]
    assert filled.search(other).passages[0].span == expected.span


@pytest.mark.parametrize(
    "other", ["HOW OFTEN IS THE FILTER REPLACED?", "Ｈｏｗ often is the filter replaced"]
)
def test_case_and_width_change_nothing_that_matters(filled: KnowledgeBase, other: str) -> None:
    expected = filled.search("How often is the filter replaced?")
    found = filled.search(other)
    assert found.passages[0].span == expected.passages[0].span
    assert found.route is not Route.WEAK
