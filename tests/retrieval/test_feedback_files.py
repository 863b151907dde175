"""What people say is kept a whole line at a time, for its owner alone, and goes when it has to."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from io import FileIO
from typing import Any

import pytest

from core.answer import Answer
from retrieval import feedback as module
from retrieval.feedback import Feedback
from retrieval.knowledge_base import KnowledgeBase


@pytest.fixture
def answer(filled: KnowledgeBase) -> Answer:
    return filled.ask("员工请病假须满足什么条件？")


@pytest.fixture
def files(filled: KnowledgeBase) -> Feedback:
    return Feedback(filled.settings.home)


def rows(base: KnowledgeBase, name: str = "feedback.jsonl") -> Iterator[dict[str, Any]]:
    path = base.settings.home / "feedback" / name
    return map(json.loads, path.read_text("utf-8").splitlines())


def test_a_word_comes_with_the_answer_and_what_it_was_made_from(
    filled: KnowledgeBase, files: Feedback, answer: Answer
) -> None:
    files.judge("a1", answer, "bad", "少了一项", chat="c1")
    [row] = rows(filled)
    assert (row["question"], row["verdict"], row["comment"]) == (answer.search.searched, "bad", "少了一项")
    assert [passage["text"] for passage in row["passages"]] == [p.text for p in answer.search.passages]
    assert [p["cited"] for p in row["passages"]].count(True) == len({c.passage for c in answer.citations})
    if os.name == "posix":
        path = filled.settings.home / "feedback" / "feedback.jsonl"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_mark_names_the_words_and_the_verdict(
    filled: KnowledgeBase, files: Feedback, answer: Answer
) -> None:
    first = answer.citations[0]
    assert files.mark("a1", answer, first.passage, first.n, False) >= 1
    assert files.mark("a1", answer, first.passage, 99, True) == 0
    row = next(rows(filled, "citations.jsonl"))
    assert (row["sentence"], row["text"], row["right"]) == (first.sentence, first.text, False)
    assert row["verdict"] == first.verdict.value


def test_the_last_mark_of_a_citation_is_known_in_its_chat(files: Feedback, answer: Answer) -> None:
    first = answer.citations[0]
    cited = [one for one in answer.citations if (one.passage, one.n) == (first.passage, first.n)]
    assert files.marked("a1", cited, chat="c1") is None
    for said in (True, False):
        files.mark("a1", answer, first.passage, first.n, said, chat="c1")
        assert files.marked("a1", cited, chat="c1") is said
    assert files.marked("a1", cited, chat="c2") is None
    assert files.marked("a2", cited, chat="c1") is None
    assert files.marked("a1", [replace(one, n=99) for one in cited], chat="c1") is None
    files.mark("a1", answer, first.passage, first.n, None, chat="c1")
    assert files.marked("a1", cited, chat="c1") is None


def test_the_words_of_a_removed_document_and_of_a_deleted_chat_go(
    filled: KnowledgeBase, files: Feedback, answer: Answer
) -> None:
    other = filled.ask("How often must the filter be replaced?")
    files.judge("a1", answer, "good", chat="c1")
    files.judge("a2", other, "bad", "too long", chat="c2")
    first = answer.citations[0]
    files.mark("a1", answer, first.passage, first.n, True, chat="c1")
    handbook = {p.document_id for p in answer.search.passages if p.doc == "handbook.md"}
    assert handbook <= files.document_ids()
    files.forget_documents(handbook)
    assert not handbook & files.document_ids()
    assert "诊断证明" not in json.dumps([r["passages"] for r in rows(filled)], ensure_ascii=False)
    assert next(rows(filled, "citations.jsonl"))["text"] == ""
    files.forget_chat("c1")
    assert [row["answer_id"] for row in rows(filled)] == ["a2"]
    assert list(rows(filled, "citations.jsonl")) == []


def test_many_at_once_leave_whole_lines(filled: KnowledgeBase, files: Feedback, answer: Answer) -> None:
    def judge(number: int) -> None:
        for _ in range(5):
            Feedback(filled.settings.home).judge(f"a{number}", answer, "good")

    threads = [threading.Thread(target=judge, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(rows(filled))) == 20


def test_a_full_disk_leaves_no_half_line(
    filled: KnowledgeBase, files: Feedback, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(FileIO):
        def write(self, data: Any) -> int:
            return super().write(bytes(data)[:100])

    files.judge("a1", answer, "good")
    with monkeypatch.context() as patch:
        patch.setattr(module, "FileIO", Full)
        with pytest.raises(OSError, match="space"):
            files.judge("a2", answer, "good")
    files.judge("a3", answer, "good")
    assert [row["answer_id"] for row in rows(filled)] == ["a1", "a3"]


def test_a_line_cut_by_a_crash_is_dropped_and_a_full_file_keeps_the_last_word(
    filled: KnowledgeBase, files: Feedback, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled.settings.home / "feedback" / "feedback.jsonl"
    for verdict in ("good", "bad"):
        files.judge("a1", answer, verdict)  # type: ignore[arg-type]
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() + b'{"answer_id": "a')
    files.take_back("a2")
    assert [(row["answer_id"], row["verdict"]) for row in rows(filled)] == [("a1", "bad"), ("a2", "none")]
    files.judge("a1", answer, "good")
    monkeypatch.setattr(module, "_MOST_BYTES", size + 200)
    files.judge("a3", answer, "good")
    last = [("a2", "none"), ("a1", "good"), ("a3", "good")]
    assert [(row["answer_id"], row["verdict"]) for row in rows(filled)] == last
    with pytest.raises(OSError, match="large"):
        files.judge("a4", answer, "good")
