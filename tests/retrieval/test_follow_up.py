"""A follow-up is made to stand alone by what was asked and cited before it; other questions stay as they are."""

from __future__ import annotations

import pytest

from retrieval.follow_up import refers_back, standalone
from retrieval.history import Turn, cited_names, turns, turns_of
from retrieval.knowledge_base import KnowledgeBase


def talk(*asked: str, cited: tuple[str, ...] = ()) -> tuple[Turn, ...]:
    """Questions, each with an answer; ``cited`` are the names under the last one."""
    pairs = [(Turn(role="user", text=text), Turn(role="assistant", text="……")) for text in asked]
    said = [turn for pair in pairs for turn in pair]
    return (*said[:-1], Turn(role="assistant", text="……", cited=cited))


@pytest.mark.parametrize(
    "question",
    [
        "那病假呢？", "病假呢", "为什么？", "多少钱？", "谁批准？", "它的创立宗旨是什么？", "這個城市有多少人口？", "上述材料交给谁？",
        "該校何時成立？", "其中哪些要审批？", "And for contractors?", "What about sick leave?", "Is it paid?",
        "How long does this take?",
    ],
)  # fmt: skip
def test_what_points_back_is_seen(question: str) -> None:
    assert refers_back(question)


@pytest.mark.parametrize(
    "question",
    [
        "员工应该提前几天申请年休假？", "哪個委員會的駐地在史特拉斯堡？", "为什么要修建吴淞路闸桥？", "多少平方公里為昆明市域總面積？",
        "谁是举牌小人的创作者？", "怎么办理居住证的续签手续？", "其他国家的公民能申请吗？", "他国公民犯罪的如何处理？",
        "How many days of annual leave do employees get?", "Which vendors need a security review?",
        "Is it true that an employee who has worked for ten years at the same company may ask for an open-ended contract?",
    ],
)  # fmt: skip
def test_a_question_with_its_own_subject_stays(question: str) -> None:
    assert not refers_back(question)
    assert standalone(question, talk("员工请病假需要什么材料？", cited=("病假",))) == question


def test_without_a_conversation_nothing_is_added() -> None:
    assert standalone("它呢？", ()) == "它呢？"
    assert standalone("它呢？", (Turn(role="assistant", text="您好", cited=("手册",)),)) == "它呢？"


def test_a_chain_of_follow_ups_keeps_what_it_began_with() -> None:
    asked = ("年休假有几天？", "那病假呢？", "那事假呢？")
    assert standalone("那婚假呢？", talk(*asked)) == "年休假有几天？ 那事假呢？ 那婚假呢？"
    # All of them point back: the first is as far as it goes.
    assert standalone("为什么？", talk("那病假呢？", "为什么？")) == "那病假呢？ 为什么？"


def test_a_pronoun_brings_the_names_of_what_was_cited() -> None:
    history = talk("谁是举牌小人的创作者？", cited=("李翰",))
    assert standalone("他曾与哪家店铺合作？", history) == "谁是举牌小人的创作者？ 李翰 他曾与哪家店铺合作？"
    # An ellipsis changes the subject.
    assert "李翰" not in standalone("那海报呢？", history)


def test_names_that_were_said_are_not_said_again_and_two_are_enough() -> None:
    history = talk("What is Acme paid?", cited=("ACME", "Fees", "Terms", "Annex"))
    assert standalone("Does it change?", history) == "What is Acme paid? Fees Terms Does it change?"


def test_only_the_last_answer_is_what_a_pronoun_means() -> None:
    history = (*talk("甲城在哪里？", cited=("甲城",)), *talk("乙城多大？", cited=()))
    assert standalone("它有多少人口？", history) == "乙城多大？ 它有多少人口？"


def test_names_come_from_the_passages_cited(filled: KnowledgeBase) -> None:
    answer = filled.ask("员工请病假需要提供什么材料？")
    names = cited_names(answer)
    cited = answer.search.passages[answer.citations[0].passage]
    assert names
    assert cited.section_path[-1].endswith(names[0])
    assert len(set(names)) == len(names)
    asked, answered = turns_of("员工请病假需要提供什么材料？", answer)
    assert (asked.role, answered.role, answered.cited) == ("user", "assistant", names)


def test_a_batch_may_name_what_was_cited() -> None:
    read = turns(
        [{"role": "user", "content": "甲？"}, {"role": "assistant", "content": "乙。", "cited": ["丙"]}]
    )
    assert [turn.cited for turn in read] == [(), ("丙",)]
    assert turns([{"role": "assistant", "content": "乙。", "cited": "丙"}])[0].cited == ()
