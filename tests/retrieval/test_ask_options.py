"""One question may have its own way; the next one is as it is set, and nothing is loaded anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.errors import UnknownNameError
from core.protocols import Signals
from core.registry import REGISTRY
from core.settings import Settings
from retrieval.knowledge_base import KnowledgeBase
from retrieval.options import AskOptions
from tests.scripted_openai import ScriptedServer, serving
from tests.support import make_ingest

QUESTION = "员工请病假需要什么证明？"
TRUE, FALSE = "请病假须持有二级以上医院出具的诊断证明[1]。", "员工可以获得一亿元奖金[1]。"


class LastFirst:
    """A reranker that puts the last first, and counts how often one is made."""

    made = 0

    def __init__(self, settings: Settings) -> None:
        type(self).made += 1

    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        return [float(place) for place in range(len(texts))]


@pytest.fixture
def written(filled: KnowledgeBase) -> Iterator[KnowledgeBase]:
    def reply(request: dict[str, object]) -> str:
        return TRUE + FALSE

    with serving(reply) as server:
        made = _with_model(filled, server)
        yield made
        made.workspace.close()


def _with_model(base: KnowledgeBase, server: ScriptedServer) -> KnowledgeBase:
    return KnowledgeBase(
        Settings(
            home=base.settings.home,
            embedding={"name": "hashing"},  # type: ignore[arg-type]
            chat={"model": "scripted", "max_retries": 0, "cache": "none"},  # type: ignore[arg-type]
            openai_base_url=server.url,
        )
    )


def test_the_number_of_passages_and_their_context_are_this_questions_alone(
    filled: KnowledgeBase, tmp_path: Path
) -> None:
    rules = "\n\n".join(
        f"第{n}台设备每{n}天由设备科检查一次，结果记入台账并由科长签字确认。" for n in range(60)
    )
    (tmp_path / "rules.md").write_text(f"# 设备检查\n\n{rules}\n", "utf-8")
    make_ingest(filled).add([tmp_path / "rules.md"], "default")
    asked = "第37台设备由谁检查？"
    usual = filled.ask(asked).search.passages
    [one] = filled.ask(asked, options=AskOptions(passages=1)).search.passages
    [bare] = filled.ask(asked, options=AskOptions(passages=1, expand=False)).search.passages
    assert len(usual) > 1
    assert one.span.contains(bare.span)
    assert len(bare.span) < len(one.span)
    assert filled.ask(asked).search.passages == usual


def test_another_reranker_is_made_once_and_used_for_who_asks_for_it(
    filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY["reranker"], "last-first", f"{__name__}:LastFirst")
    usual = filled.ask(QUESTION).search.passages
    other = AskOptions(reranker="last-first")
    turned = filled.ask(QUESTION, options=other).search.passages
    assert [p.span for p in turned] != [p.span for p in usual]
    filled.ask(QUESTION, options=other)
    assert LastFirst.made == 1
    assert filled.ask(QUESTION).search.passages == usual
    with pytest.raises(UnknownNameError):
        filled.ask(QUESTION, options=AskOptions(reranker="no such"))


def test_strictness_takes_out_what_no_source_carries_for_who_wants_it(written: KnowledgeBase) -> None:
    loose = written.ask(QUESTION)
    strict = written.ask(QUESTION, options=AskOptions(strict=True))
    own_words = written.ask(QUESTION, options=AskOptions(method="extractive"))
    assert "一亿元" in loose.text and loose.removed == 0
    assert "一亿元" not in strict.text and strict.removed == 1
    assert own_words.method == "extractive"
