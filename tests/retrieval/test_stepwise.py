"""Step by step: a call for each passage, its own citation, and a conclusion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.settings import Settings
from core.verdict import Verdict
from retrieval.knowledge_base import KnowledgeBase
from retrieval.options import AskOptions
from tests.scripted_openai import Reply, Script, ScriptedServer, serving

QUESTION = "员工请病假需要什么证明？"
SICK = "请病假须持有二级以上医院出具的诊断证明。"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(lambda request: "") as made:
        yield made


@pytest.fixture
def written(filled: KnowledgeBase, server: ScriptedServer) -> Iterator[KnowledgeBase]:
    chat = {"model": "scripted", "max_retries": 0, "timeout_s": 5.0, "cache": "none"}
    made = KnowledgeBase(
        Settings(
            home=filled.settings.home,
            embedding={"name": "hashing"},  # type: ignore[arg-type]
            chat=chat,  # type: ignore[arg-type]
            openai_base_url=server.url,
        )
    )
    yield made
    made.workspace.close()


def step(bears: bool = True, decides: str = "yes", text: str = SICK) -> str:
    return json.dumps({"bears": bears, "decides": decides, "step": text}, ensure_ascii=False)


def steps_for(words: str, conclusion: str | Script, given: str) -> Reply:
    """``given`` for passages that hold ``words``, no bearing for others, and the conclusion of a stream."""

    def reply(request: dict[str, Any]) -> str | Script:
        if request.get("stream"):
            return conclusion
        passage = json.loads(request["messages"][-1]["content"])["passage"]
        return given if words in passage else step(bears=False, decides="unknown", text="")

    return reply


def test_each_step_cites_its_own_passage_and_the_conclusion_rests_on_them(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    server.reply = steps_for("诊断证明", "请病假须持有二级以上医院出具的诊断证明[1]。", step())
    heard: list[str] = []
    answer = written.ask(QUESTION, options=AskOptions(method="step-by-step"), on_text=heard.append)
    assert answer.answered
    assert answer.complete
    assert answer.method == "step-by-step"
    assert answer.text.startswith(f"✓ {SICK[:-1]}")
    assert "**结论**" in answer.text
    assert len(heard) >= 3
    assert {citation.verdict for citation in answer.citations} == {Verdict.SUPPORTED}
    cited = {answer.search.passages[citation.passage].text for citation in answer.citations}
    assert all("诊断证明" in text for text in cited)
    assert "note_step_by_step" in answer.notes
    assert answer.prompt_version


def test_a_step_that_its_passage_does_not_carry_is_marked(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    server.reply = steps_for(
        "诊断证明",
        "须持有诊断证明[1]。",
        step(decides="no", text="请病假须持有三级以上医院出具的诊断证明，否则罚款9000元。"),
    )
    answer = written.ask(QUESTION, options=AskOptions(method="step-by-step"))
    assert answer.text.startswith("✗ ")
    assert answer.checks[0].verdict is not Verdict.SUPPORTED


def test_no_bearing_is_a_refusal(written: KnowledgeBase, server: ScriptedServer) -> None:
    server.reply = steps_for("不会出现的词", "", step())
    answer = written.ask(QUESTION, options=AskOptions(method="step-by-step"))
    assert not answer.answered
    assert answer.citations == ()


@pytest.mark.parametrize(
    "conclusion", [Script(["请病假"], finish="length"), Script([], status=500), Script(["请病"], cut=True)]
)
def test_steps_stay_when_the_conclusion_fails(
    written: KnowledgeBase, server: ScriptedServer, conclusion: Script
) -> None:
    server.reply = steps_for("诊断证明", conclusion, step())
    answer = written.ask(QUESTION, options=AskOptions(method="step-by-step"))
    assert answer.answered
    assert not answer.complete
    assert "note_no_conclusion" in answer.notes
    assert "结论" not in answer.text
    assert "诊断证明" in answer.text


@pytest.mark.parametrize("reply", ["no JSON", '{"bears": true}', ""])
def test_a_model_without_form_falls_back_to_the_sources_words(
    written: KnowledgeBase, server: ScriptedServer, reply: str
) -> None:
    server.reply = lambda request: reply
    answer = written.ask(QUESTION, options=AskOptions(method="step-by-step"))
    assert answer.text.strip()
    assert answer.method == "extractive" or not answer.answered


def test_a_fenced_reply_and_a_second_try_are_taken(written: KnowledgeBase, server: ScriptedServer) -> None:
    tries: list[str] = []

    def reply(request: dict[str, Any]) -> str | Script:
        if request.get("stream"):
            return "须持有诊断证明[1]。"
        tries.append(request["messages"][0]["content"])
        return f"```json\n{step()}\n```" if "not valid" in tries[-1] else "sure!"

    server.reply = reply
    answer = written.ask(QUESTION, options=AskOptions(method="step-by-step"))
    assert answer.answered
    assert len(tries) >= 2
