"""Every way a chat model's server can fail, for every answerer that writes: never blank, never falsely complete."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from core.answer import Answer
from core.errors import CancelledError
from core.messages import render
from core.registry import REGISTRY
from core.settings import Settings
from retrieval.knowledge_base import KnowledgeBase
from retrieval.options import AskOptions
from tests.scripted_openai import Script, ScriptedServer, serving

QUESTION = "员工请病假须满足什么条件？"
SENTENCE = "请病假须持有二级以上医院出具的诊断证明[1]。"
WRITTEN = [SENTENCE, "并应在当日上午十点前通"]
METHODS = [name for name in ("llm", "step-by-step") if name in REGISTRY["answerer"]]


def event(delta: dict[str, object], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    frame = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(frame)}\n\n".encode()


ERROR = b'data: {"error": {"message": "overloaded", "type": "server_error", "code": 503}}\n\n'
HALF = '"}}]}\n\ndata: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"通'
PINGS = [b": keep-alive\n\n"] * 12

# name: what the server does, the fault it is, and whether a whole sentence came before it.
FAULTS: dict[str, tuple[Script, str, bool]] = {
    "401": (Script([], status=401), "key", False),
    "402 balance": (Script([], status=402), "quota", False),
    "404 model": (Script([], status=404), "model", False),
    "400 refused": (Script([], status=400, message="no"), "refused", False),
    "429 too long": (Script([], status=429, headers={"retry-after": "3600"}), "quota", False),
    "429 again and again": (Script([], status=429, headers={"retry-after": "0"}), "quota", False),
    "500": (Script([], status=500, headers={"retry-after": "0"}), "server", False),
    "context": (Script([], status=400, message="exceeds the available context size"), "context", False),
    "silence before a word": (Script(["好"], pause_s=1.2), "timeout", False),
    "silence between words": (Script([], raw=[event({"content": SENTENCE}), b": x\n\n"], pause_s=0.3), "cut", True),
    "signs of life alone": (Script([], raw=PINGS, pause_s=0.1), "timeout", False),
    "nothing": (Script([]), "empty", False),
    "blanks": (Script(["", " \n"]), "empty", False),
    "made-up marks alone": (Script(["[9]"]), "empty", False),
    "thoughts in the text": (Script(["<think>我想想"], finish="length"), "thoughts", False),
    "thoughts apart": (Script([], thoughts=["想"] * 6, finish="length"), "thoughts", False),
    "cut": (Script(WRITTEN, cut=True), "cut", True),
    "cut before a sentence": (Script(["并应"], cut=True), "cut", False),
    "cut inside a character": (Script(WRITTEN, raw=[HALF.encode()[:-1]]), "other", True),
    "no end": (Script(WRITTEN, finish=None), "cut", True),
    "length": (Script(WRITTEN, finish="length"), "length", True),
    "filter": (Script(WRITTEN, finish="content_filter"), "filtered", True),
    "unknown end": (Script(WRITTEN, finish="insufficient_system_resource"), "cut", True),
    "error in the stream": (Script(WRITTEN, raw=[ERROR]), "server", True),
    "error at once": (Script([], raw=[ERROR]), "server", False),
    "bad JSON": (Script(WRITTEN, raw=[b"data: {not json}\n\n"]), "other", True),
    "bad JSON at once": (Script([], raw=[b"data: {not json}\n\n"]), "other", False),
    "another protocol": (Script([], raw=[b'data: {"choices": [{"text": 1}]}\n\n']), "other", False),
}  # fmt: skip


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(lambda request: "") as made:
        yield made


@pytest.fixture
def written(filled: KnowledgeBase, server: ScriptedServer) -> Iterator[KnowledgeBase]:
    chat = {"model": "scripted", "max_retries": 1, "timeout_s": 0.8, "cache": "none"}
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


def assert_honest(answer: Answer, fault: str, kept: bool) -> None:
    assert answer.text.strip()
    assert {f"note_model_{fault}"} <= set(answer.notes)
    assert "NO_EVIDENCE" not in answer.text
    if kept:
        assert not answer.complete
        assert "note_model_broke_off" in answer.notes
        assert "诊断证明[1]。" in answer.text
        assert answer.citations
        assert answer.checks
    else:
        assert answer.method == "extractive"
        assert answer.notes[0] == "note_model_failed"
        assert "诊断证明" in answer.text
        assert "并应在当日上午十点前通" not in answer.text.split("\n")
    for note in answer.notes:
        assert render(note, "zh") != render(note, "en")


@pytest.mark.parametrize("name", FAULTS)
def test_a_written_answer_survives_every_fault(
    written: KnowledgeBase, server: ScriptedServer, name: str
) -> None:
    script, fault, kept = FAULTS[name]
    server.reply = lambda request: script
    started = time.monotonic()
    assert_honest(written.ask(QUESTION, options=AskOptions(method="llm")), fault, kept)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("method", METHODS)
def test_no_fault_leaves_any_answerer_blank_or_falsely_complete(
    written: KnowledgeBase, server: ScriptedServer, method: str
) -> None:
    for name, (script, _, _) in FAULTS.items():
        if script.pause_s:
            continue
        server.reply = lambda request, script=script: script
        answer = written.ask(QUESTION, options=AskOptions(method=method))
        assert answer.text.strip(), name
        assert not answer.complete or answer.method == "extractive" or not answer.answered, name
        assert answer.notes, name


def test_a_busy_server_is_asked_again_after_the_time_it_tells(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    replies = iter([Script([], status=429, headers={"retry-after": "0.5"}), Script([SENTENCE])])
    server.reply = lambda request: next(replies)
    started = time.monotonic()
    answer = written.ask(QUESTION)
    assert time.monotonic() - started > 0.5
    assert len(server.requests) == 2
    assert (answer.method, answer.complete) == ("llm", True)


def test_whoever_does_not_want_the_answer_any_more_ends_the_waiting(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    server.reply = lambda request: Script([], status=429, headers={"retry-after": "15"})

    def stop(text: str) -> None:
        raise CancelledError

    started = time.monotonic()
    with pytest.raises(CancelledError):
        written.ask(QUESTION, on_text=stop)
    assert time.monotonic() - started < 5


def test_a_cancelled_answer_ends_the_servers_work(written: KnowledgeBase, server: ScriptedServer) -> None:
    server.reply = lambda request: Script([SENTENCE] * 200, pause_s=0.05)
    heard: list[str] = []

    def stop(text: str) -> None:
        heard.append(text)
        if len(heard) == 2:
            raise CancelledError

    with pytest.raises(CancelledError):
        written.ask(QUESTION, on_text=stop)
    deadline = time.monotonic() + 5
    while not server.gone and time.monotonic() < deadline:
        time.sleep(0.02)
    assert server.gone == 1


def test_an_overflowing_window_is_tried_once_more_with_fewer_passages(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    replies = iter([Script([], status=400, message="maximum context length is 9 tokens"), Script([SENTENCE])])
    server.reply = lambda request: next(replies)
    answer = written.ask(QUESTION)
    assert (answer.method, answer.complete) == ("llm", True)
    assert "note_passages_left_out" in answer.notes
    assert 0 < answer.left_out < len(answer.search.passages)
    given = [request["messages"][-1]["content"].count("end>>") for request in server.requests]
    assert given[1] == given[0] // 2


def test_words_after_silence_and_thoughts_are_a_complete_answer(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    for script in (
        Script([SENTENCE], thoughts=["想"] * 30),
        Script(["<think>想", "好了</think>\n", SENTENCE]),
        # Nothing that comes behind the end of a reply takes anything from it.
        Script([SENTENCE], raw=[event({}, "stop"), b"data: {not json}\n\n"]),
    ):
        server.reply = lambda request, script=script: script
        heard: list[str] = []
        answer = written.ask(QUESTION, on_text=heard.append)
        assert answer.complete
        assert answer.text.startswith("请病假须持有")
        assert "".join(heard).strip() == answer.text.strip()


def test_an_answer_in_another_language_is_kept_and_said_so(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    server.reply = lambda request: "A certificate of a hospital is needed for sick leave [1]."
    answer = written.ask(QUESTION)
    assert answer.method == "llm"
    assert "note_other_language" in answer.notes


def test_a_partly_answerable_question_is_answered_in_part(
    written: KnowledgeBase, server: ScriptedServer
) -> None:
    server.reply = lambda request: SENTENCE + "资料没有说明病假工资。NO_EVIDENCE"
    answer = written.ask("员工请病假须满足什么条件？病假工资多少？")
    assert answer.answered
    assert "资料没有说明病假工资" in answer.text
    assert "NO_EVIDENCE" not in answer.text
    system = server.requests[-1]["messages"][0]["content"]
    assert "what they do not tell" in system
