"""Answers: cited or refused, extracted or written, never blank and never passed off as complete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core.answer import Route
from core.errors import EmptyQuestionError, QuestionTooLongError
from core.settings import Settings
from core.verdict import Verdict
from retrieval.answerers.markers import normalise
from retrieval.history import Turn, turns
from retrieval.knowledge_base import KnowledgeBase
from tests.scripted_openai import Script, ScriptedServer, serving
from tests.support import assert_citations_are_lawful

QUESTION = "员工请病假须满足什么条件？"


def test_extracted_answers_keep_conditions_and_their_limits_together(filled: KnowledgeBase) -> None:
    answer = filled.ask(QUESTION)
    assert answer.answered
    assert answer.method == "extractive"
    assert answer.notes == ("note_extractive",)
    for words in ("须同时满足以下条件", "诊断证明", "上午十点前", "须附病历", "急诊不受第二项限制"):
        assert words in answer.text
    assert all(citation.verdict is Verdict.SUPPORTED for citation in answer.citations)
    assert_citations_are_lawful(filled, answer)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("经理在一线城市的住宿标准是多少？", "600元"),
        ("工作满十年的员工每年享受几天年休假？", "10天年休假"),
        ("How often must the filter be replaced?", "every 500 hours"),
        ("What does error E2 mean?", "No water"),
        (
            "When may the cover be opened without switching the pump off?",
            "unless the service key is inserted",
        ),
    ],
)
def test_extracted_answers_hold_the_fact(filled: KnowledgeBase, question: str, words: str) -> None:
    answer = filled.ask(question)
    assert any(words in citation.text for citation in answer.citations)
    assert_citations_are_lawful(filled, answer)


@pytest.mark.parametrize(
    "question", ["火星上有几座火山？", "公司食堂的菜单是什么？", "Who won the world cup in 1998?"]
)
def test_nothing_relevant_is_refused_in_the_questions_language(filled: KnowledgeBase, question: str) -> None:
    answer = filled.ask(question)
    assert not answer.answered
    assert answer.citations == ()
    assert answer.search.route is not Route.CONFIDENT
    assert ("没有找到" in answer.text) is (question[0] > "\u2e80")


def test_an_empty_base_says_what_to_do(base: KnowledgeBase) -> None:
    answer = base.ask("有什么规定？")
    assert not answer.answered
    assert answer.notes == ("note_nothing_stored",)


@pytest.mark.parametrize("question", ["", " \n", "\u200b"])
def test_an_empty_question_is_told_so(filled: KnowledgeBase, question: str) -> None:
    with pytest.raises(EmptyQuestionError):
        filled.ask(question)


def test_a_question_over_the_limit_is_told_so(filled: KnowledgeBase) -> None:
    limit = filled.settings.retrieval.max_question_chars
    assert filled.search("病" * limit).passages
    with pytest.raises(QuestionTooLongError):
        filled.search("病" * (limit + 1))


def test_odd_questions_never_fail(filled: KnowledgeBase) -> None:
    for question in (
        "？？？",
        "the of and",
        "的了吗",
        "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
        "\x00a",
    ):
        filled.ask(question)


# -- written by a model -------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(lambda request: "") as made:
        yield made


@pytest.fixture
def written(filled: KnowledgeBase, server: ScriptedServer) -> Iterator[KnowledgeBase]:
    chat = {"model": "scripted", "max_retries": 0, "timeout_s": 5.0}
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


def test_a_written_answer_is_streamed_cited_and_checked(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    server.reply = lambda request: Script(
        ["请病假须持有二级以上医院出具的诊断证明", "【1】。", "员工可以获得一亿元奖金[1]。", "没有出处[9]。"]
    )
    heard: list[str] = []
    answer = written.ask(QUESTION, on_text=heard.append)
    assert len(heard) == 4
    assert answer.method == "llm"
    assert answer.answered
    assert "【" not in answer.text
    assert "[9]" not in answer.text
    assert answer.notes == ("note_unknown_citations",)
    verdicts = [citation.verdict for citation in answer.citations]
    assert verdicts == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
    assert "诊断证明" in answer.citations[0].text
    assert_citations_are_lawful(written, answer)


def test_a_changed_number_is_not_supported(written: KnowledgeBase, server: ScriptedServer) -> None:
    server.reply = lambda request: "员工工作满一年的，每年享受7天年休假[1]。"
    answer = written.ask("工作满一年每年享受几天年休假？")
    assert [citation.verdict for citation in answer.citations] == [Verdict.UNSUPPORTED]


def test_documents_are_given_as_data_between_random_marks(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    server.reply = lambda request: "有规定[1]。"
    written.ask(QUESTION)
    written.ask(QUESTION)
    marks = set()
    for request in server.requests:
        system, user = (message["content"] for message in request["messages"])
        mark = user.split("<<")[1].split(" ")[0]
        assert mark in system
        marks.add(mark)
    assert len(marks) == 2


def test_the_model_may_refuse(written: KnowledgeBase, server: ScriptedServer) -> None:
    server.reply = lambda request: "NO_EVIDENCE"
    answer = written.ask(QUESTION)
    assert not answer.answered
    assert "没有找到" in answer.text


@pytest.mark.parametrize(
    "script",
    [
        Script(["半句"], finish=None),
        Script([]),
        Script(["", " \n"]),
        Script([], status=500),
        Script([], status=401),
        Script([], status=429),
    ],
    ids=["cut", "nothing", "blank", "500", "401", "429"],
)
def test_a_failing_model_is_never_blank_and_never_passed_off_as_complete(
    written: KnowledgeBase, server: ScriptedServer, script: Script
) -> None:
    server.reply = lambda request: script
    answer = written.ask(QUESTION)
    assert answer.answered
    assert answer.method == "extractive"
    assert "note_model_failed" in answer.notes
    assert "诊断证明" in answer.text


def test_a_follow_up_is_condensed_by_the_model_once_and_then_from_the_cache(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    def reply(request: dict[str, Any]) -> str:
        return "有规定[1]。" if request.get("stream") else "急诊请病假有什么规定？"

    server.reply = reply
    history = (Turn(role="user", text=QUESTION), Turn(role="assistant", text="须有证明。"))
    for _ in range(2):
        answer = written.ask("那急诊呢？", history=history)
        assert answer.search.searched == "急诊请病假有什么规定？"
    assert sum(not request.get("stream") for request in server.requests) == 1
    assert (written.settings.home / "decisions.db").exists()


def test_without_a_model_a_follow_up_takes_the_question_before_along(filled: KnowledgeBase) -> None:
    history = turns([{"speaker": "user", "text": QUESTION}, {"role": "assistant", "content": "须有证明。"}])
    assert filled.search("那急诊呢？", history=history).searched == f"{QUESTION} 那急诊呢？"
    own = "经理在一线城市的住宿标准是多少？"
    assert filled.search(own, history=history).searched == own


@pytest.mark.parametrize(
    ("text", "expected", "unknown"),
    [
        ("甲【1】。", "甲[1]。", 0),
        ("甲［１］。", "甲[1]。", 0),
        ("甲[1, 2]。", "甲[1][2]。", 0),
        ("甲[1-3]。", "甲[1][2][3]。", 0),
        ("甲[^1]。", "甲[1]。", 0),
        ("甲[1][2]。", "甲[1][2]。", 0),
        ("甲〔2〕。", "甲[2]。", 0),
        ("甲[0][1][999]。", "甲[1]。", 2),
        ("甲[8]。", "甲。", 1),
        ("甲[-1]。", "甲[-1]。", 0),
        ("a[1] stays", "a[1] stays", 0),
        ("word [1].", "word [1].", 0),
        ("`b[2]` and ```\nx[1]\n```", "`b[2]` and ```\nx[1]\n```", 0),
    ],
)
def test_markers_in_every_usual_form(text: str, expected: str, unknown: int) -> None:
    marked = normalise(text, 3)
    assert (marked.text, marked.unknown) == (expected, unknown)
