"""Other wordings: in form, in the question's language, none twice; on failure the question stands and says so."""

from __future__ import annotations

import json

import pytest

from core.errors import ChatModelError
from core.messages import render
from core.settings import RetrievalSettings
from retrieval.query.rewrite import FAILED_NOTE, Rewritten, hypothesis, rewrite_once, variants

QUESTION = "年休假可以延期吗？"


class Replies:
    """A model that says one prepared thing after the other; an error is raised."""

    def __init__(self, *replies: str | ChatModelError, room: int | None = None) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, str]] = []
        self._room = room

    def room(self) -> int | None:
        return self._room

    def decide(self, instruction: str, data: str) -> str:
        self.asked.append((instruction, data))
        said = self.replies.pop(0)
        if isinstance(said, ChatModelError):
            raise said
        return said


def reply(*texts: str) -> str:
    return json.dumps({"questions": texts}, ensure_ascii=False)


def failing() -> Replies:
    return Replies(ChatModelError(name="m", reason="no"))


def test_other_wordings_are_kept_each_once_and_at_most_so_many() -> None:
    said = reply(
        "年假能顺延到次年吗", "年休假可以延期吗", "年假能顺延到次年吗？", "  未休年假\n怎么处理 ", "多一个"
    )
    model = Replies(said)
    found = variants(QUESTION, model, 2)
    assert found == Rewritten(texts=("年假能顺延到次年吗", "未休年假 怎么处理"))
    assert model.asked[0][1] == QUESTION
    assert "Write 2 other" in model.asked[0][0]


def test_wordings_in_another_language_and_of_another_size_are_left_out() -> None:
    said = reply("Can annual leave be carried over?", "长" * 500, "", "年假能顺延吗")
    assert variants(QUESTION, Replies(said), 3).texts == ("年假能顺延吗",)


@pytest.mark.parametrize(
    "bad", ["年假能顺延吗", '{"questions": "x"}', '{"questions": []}', reply(QUESTION), "", "[]"]
)
def test_a_reply_out_of_form_is_asked_again_once(bad: str) -> None:
    model = Replies(bad, f"```json\n{reply('年假能顺延吗')}\n```")
    assert variants(QUESTION, model, 2).texts == ("年假能顺延吗",)
    # Another instruction, or a cache would give the bad reply again.
    assert model.asked[0][0] != model.asked[1][0]
    assert variants(QUESTION, Replies(bad, bad), 2) == Rewritten(note=FAILED_NOTE)


def test_a_failing_model_leaves_the_question_alone_and_says_so() -> None:
    assert variants(QUESTION, failing(), 2) == Rewritten(note=FAILED_NOTE)
    assert hypothesis(QUESTION, failing()) == Rewritten(note=FAILED_NOTE)
    assert render(FAILED_NOTE, "zh") != render(FAILED_NOTE, "en")


def test_nothing_is_asked_for_no_wordings_or_without_room() -> None:
    model = Replies(room=20)
    assert variants(QUESTION, model, 0) == Rewritten()
    assert variants(QUESTION, model, 2).note == hypothesis(QUESTION, model).note == FAILED_NOTE
    assert not model.asked


def test_a_thought_up_passage_is_plain_text_in_the_questions_language() -> None:
    passage = "年休假当年未休完的，可以顺延至次年三月三十一日。"
    assert hypothesis(QUESTION, Replies(f" {passage}\n")).texts == (passage,)
    assert len(hypothesis(QUESTION, Replies("长" * 5000)).texts[0]) <= 1200
    assert hypothesis(QUESTION, Replies("Unused leave may be carried over.")).note == FAILED_NOTE
    assert hypothesis(QUESTION, Replies("  ")).note == FAILED_NOTE


def test_the_second_search_uses_the_models_wording_or_else_the_subjects_words() -> None:
    assert rewrite_once(QUESTION, Replies(reply("未休年休假顺延"))).texts == ("未休年休假顺延",)
    ruled = rewrite_once("请问年休假可以延期到什么时候？", None)
    assert ruled.note == ""
    assert "年休假" in ruled.texts[0]
    assert "请问" not in ruled.texts[0]
    assert rewrite_once("请问年休假可以延期到什么时候？", failing()) == Rewritten(
        texts=ruled.texts, note=FAILED_NOTE
    )


@pytest.mark.parametrize("question", ["年休假", "怎么办？", "？！", "filter"])
def test_nothing_is_searched_again_that_would_be_the_same(question: str) -> None:
    assert rewrite_once(question, None) == Rewritten()


def test_both_options_are_off_by_default() -> None:
    assert (RetrievalSettings().multi_query, RetrievalSettings().hyde) == (0, False)
