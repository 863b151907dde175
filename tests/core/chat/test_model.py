"""The chat model's client: what it sends, what it makes of refusals and cuts, what it counts, its window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.answer import Usage
from core.chat.faults import Fault, fault_of
from core.chat.model import ChatModel, make_chat_model
from core.chat.usage import counted
from core.errors import ChatModelError
from core.settings import Settings
from retrieval.history import Turn
from retrieval.knowledge_base import KnowledgeBase
from tests.scripted_openai import Script, ScriptedServer, serving, tokens
from tests.support import make_ingest

USAGE = {
    "prompt_tokens": 1234,
    "completion_tokens": 156,
    "total_tokens": 1390,
    "prompt_tokens_details": {"cached_tokens": 1000},
}
Make = Callable[..., ChatModel]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(lambda request: "好") as made:
        yield made


@pytest.fixture
def make(settings: Settings, server: ScriptedServer) -> Make:
    def made(**chat: object) -> ChatModel:
        options: dict[str, object] = {"model": "m", "max_retries": 0, "timeout_s": 5.0, "cache": "none"}
        full = Settings(
            home=settings.home,
            chat={**options, "base_url": server.url, **chat},  # type: ignore[arg-type]
        )
        model = make_chat_model(full)
        assert model is not None
        return model

    return made


def streamed(model: ChatModel) -> tuple[str, list[Usage]]:
    with counted() as calls:
        reply = model.stream("system", "user", lambda text: None)
    return reply, calls


@pytest.mark.parametrize(
    ("profile", "sent"),
    [
        ("", {"max_tokens": 1024, "temperature": 0.0}),
        ("openai", {"max_completion_tokens": 1024, "reasoning_effort": "none"}),
        ("deepseek", {"max_tokens": 1024, "thinking": {"type": "disabled"}}),
        ("qwen", {"max_tokens": 1024, "enable_thinking": False}),
        ("ollama", {"max_tokens": 1024, "reasoning_effort": "none"}),
        ("vllm", {"max_tokens": 1024, "chat_template_kwargs": {"enable_thinking": False}}),
    ],
)
def test_each_provider_gets_its_own_words(
    make: Make, server: ScriptedServer, profile: str, sent: dict[str, object]
) -> None:
    streamed(make(profile=profile))
    request = server.requests[-1]
    assert sent.items() <= request.items()
    assert request["stream_options"] == {"include_usage": True}
    assert ("max_tokens" in request) is not ("max_completion_tokens" in request)
    streamed(make(profile=profile, thinking=True))
    assert not {"thinking", "enable_thinking", "chat_template_kwargs"} & server.requests[-1].keys()


@pytest.mark.parametrize(
    "refused", [("stream_options",), ("temperature",), ("temperature", "stream_options")]
)
def test_a_refused_option_is_left_away_once_and_for_all(
    make: Make, server: ScriptedServer, refused: tuple[str, ...]
) -> None:
    server.refused = refused
    model = make()
    assert streamed(model)[0] == "好"
    assert len(server.requests) == 1 + len(refused)
    assert server.requests[-1]["max_tokens"] == 1024
    assert streamed(model)[0] == "好"
    assert model.decide("task", "data") == "好"
    assert len(server.requests) == 3 + len(refused)


def test_a_refusal_that_is_not_about_options_stays_one(make: Make, server: ScriptedServer) -> None:
    server.reply = lambda request: Script([], status=400, message="Model Not Exist")
    model = make()
    with pytest.raises(ChatModelError, match="Model Not Exist"):
        streamed(model)
    server.reply = lambda request: "好"
    streamed(model)
    assert "stream_options" in server.requests[-1]


def test_a_dropped_connection_is_a_model_error_and_its_tokens_count(
    make: Make, server: ScriptedServer
) -> None:
    server.reply = lambda request: Script(["半句"], cut=True)
    with counted() as calls, pytest.raises(ChatModelError):
        make().stream("system", "user", lambda text: None)
    assert [call.estimated for call in calls] == [True]


def test_what_the_server_counts_is_taken_and_priced(make: Make, server: ScriptedServer) -> None:
    server.reply = lambda request: Script(["好"], usage=USAGE)
    model = make(input_price=2.0, output_price=8.0, currency="CNY")
    with counted() as calls:
        model.stream("system", "user", lambda text: None)
        model.decide("task", "data")
    call = calls[0]
    assert (call.prompt_tokens, call.completion_tokens, call.cached_tokens) == (1234, 156, 1000)
    assert not call.estimated
    assert call.price == pytest.approx((1234 * 2 + 156 * 8) / 1e6)
    assert call.currency == "CNY"
    assert calls[1] == call


def test_without_a_report_characters_are_counted_and_said_so(make: Make) -> None:
    _, (call,) = streamed(make())
    assert call.estimated
    assert 16 < call.prompt_tokens < 25
    assert call.completion_tokens == 1
    assert call.price is None


def test_a_kept_decision_costs_nothing(make: Make, server: ScriptedServer) -> None:
    with counted() as calls:
        for _ in range(2):
            make(cache="sqlite").decide("task", "data")
    assert len(calls) == len(server.requests) == 1


def test_a_key_that_a_server_repeats_is_not_passed_on(
    make: Make, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-canary")
    server.reply = lambda request: Script([], status=400, message="bad key sk-secret-canary")
    with pytest.raises(ChatModelError) as caught:
        make().decide("task", "data")
    assert "canary" not in str(caught.value)
    assert "***" in str(caught.value)


# -- the window ---------------------------------------------------------------------------------------

SHOW = {"model_info": {"qwen3.context_length": 40960}, "parameters": "stop <x>"}


@pytest.mark.parametrize(
    ("profile", "model", "pages", "expected"),
    [
        ("vllm", "m", {"/v1/models": {"data": [{"id": "m", "max_model_len": 8192}]}}, (8192, "server")),
        ("", "m", {"/v1/models": {"data": [{"id": "m", "max_model_len": 8192}]}}, (8192, "server")),
        (
            "llamacpp",
            "m",
            {
                "/v1/models": {"data": [{"id": "other.gguf", "meta": {"n_ctx_train": 32768}}]},
                "/props": {"default_generation_settings": {"n_ctx": 4096}},
            },
            (4096, "server"),
        ),
        (
            "llamacpp",
            "m",
            {"/v1/models": {"data": [{"id": "other.gguf", "meta": {"n_ctx_train": 32768}}]}},
            (32768, "server"),
        ),
        ("ollama", "m", {"/api/show": SHOW}, (4096, "assumed")),
        ("ollama", "m", {"/api/show": SHOW | {"parameters": "num_ctx   8192"}}, (8192, "server")),
        (
            "ollama",
            "m",
            {"/api/show": SHOW, "/api/ps": {"models": [{"name": "m", "context_length": 16384}]}},
            (16384, "server"),
        ),
        ("deepseek", "deepseek-flash", {}, (1_000_000, "known")),
        ("deepseek", "unheard-of", {}, None),
        ("", "m", {}, None),
        ("", "m", {"/v1/models": {"data": "nonsense"}}, None),
    ],
)
def test_the_window_comes_from_whoever_knows_it(
    make: Make, server: ScriptedServer, profile: str, model: str, pages: Any, expected: Any
) -> None:
    server.pages = pages
    made = make(profile=profile, model=model)
    window = made.window
    assert (window and (window.tokens, window.source)) == expected
    asked = len(server.asked)
    assert made.window == window
    assert (len(server.asked) == asked) is (expected is None or expected[1] != "assumed")
    stated = make(profile=profile, model=model, context_tokens=2000).window
    assert stated is not None
    assert (stated.tokens, stated.source) == (2000, "set")


def test_a_server_that_is_gone_tells_nothing_and_harms_nothing(make: Make) -> None:
    assert make(base_url="http://127.0.0.1:9/v1", profile="vllm").window is None


def test_a_server_that_is_still_loading_is_asked_again(make: Make, server: ScriptedServer) -> None:
    server.offers("m", max_model_len=8192)
    server.loading = True
    model = make()
    assert model.window is None
    server.loading = False
    assert model.window is not None
    assert model.window.tokens == 8192


LONG = "\n\n".join(
    f"# 第{n}章 休假\n\n" + f"第{n}条规定年休假的天数、申请的办法和批准的权限。" * 12 for n in range(1, 9)
)


def test_prompt_and_answer_stay_inside_the_window_and_what_is_left_out_is_said(
    base: KnowledgeBase, server: ScriptedServer, settings: Settings, tmp_path: Any
) -> None:
    (tmp_path / "long.md").write_text(LONG, "utf-8")
    make_ingest(base).add([tmp_path / "long.md"], "default")
    question = "年休假的天数、申请的办法和批准的权限有什么规定？"
    history = [
        Turn(role="user" if n % 2 == 0 else "assistant", text=f"第{n}句" + "休假" * 250) for n in range(30)
    ]
    server.reply = lambda request: "有规定[1]。" if request.get("stream") else question
    left_out = []
    for window in (2000, 4000, 100_000):
        server.requests.clear()
        server.context_tokens = window
        server.offers("m", max_model_len=window)
        chat = {"model": "m", "max_retries": 0, "cache": "none", "max_answer_tokens": 300}
        made = KnowledgeBase(
            Settings(
                home=settings.home,
                embedding={"name": "hashing"},  # type: ignore[arg-type]
                chat=chat,  # type: ignore[arg-type]
                retrieval={"passages": 8, "max_tokens": 100_000, "max_passages_per_document": 8},  # type: ignore[arg-type]
                openai_base_url=server.url,
            )
        )
        answer = made.ask(question, history=history)
        made.workspace.close()
        assert answer.method == "llm", window
        assert len(server.requests) == 2
        for request in server.requests:
            asked = sum(tokens(message["content"]) for message in request["messages"])
            assert asked + 300 <= window
            assert question in request["messages"][-1]["content"]
        first, *others = answer.search.passages
        given = server.requests[-1]["messages"][-1]["content"]
        assert first.text in given
        assert [p.text in given for p in others].count(False) == answer.left_out
        assert ("note_passages_left_out" in answer.notes) is bool(answer.left_out)
        left_out.append(answer.left_out)
    assert left_out == sorted(left_out, reverse=True)
    assert left_out[0] > left_out[-1] == 0


def test_a_chain_of_causes_that_leads_back_into_itself_has_a_kind() -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert fault_of(first) is Fault.OTHER
