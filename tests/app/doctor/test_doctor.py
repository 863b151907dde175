"""The doctor's report on models: each fault in plain words with its remedy, and never a key."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.doctor.command import findings
from app.doctor.faults import Finding
from app.doctor.texts import DOCTOR_TEXTS
from core.settings import Settings
from tests.scripted_openai import Script, ScriptedServer, serving

KEY = "sk-secret-canary"
USAGE = {"prompt_tokens": 30, "completion_tokens": 26, "total_tokens": 56}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(lambda request: Script(["1, ", "2, ", "3"], usage=USAGE)) as made:
        yield made


def report(home: Path, language: str = "en", **chosen: object) -> list[Finding]:
    """The doctor's findings; ``chat`` and ``embedding`` are joined to short, quiet defaults."""
    chat = {"timeout_s": 5.0, **chosen.pop("chat", {})}  # type: ignore[dict-item]
    embedding = chosen.pop("embedding", {"name": "hashing"})
    settings = Settings(
        home=home / "home",
        language=language,  # type: ignore[arg-type]
        chat=chat,  # type: ignore[arg-type]
        embedding=embedding,  # type: ignore[arg-type]
        openai_api_key=KEY,  # type: ignore[arg-type]
        **chosen,  # type: ignore[arg-type]
    )
    found = list(findings(settings))
    assert "canary" not in repr(found)
    return found


def said(found: list[Finding]) -> str:
    return "\n".join(f"{finding.good} {finding.text} -> {finding.mend}" for finding in found)


def bad(found: list[Finding]) -> Finding:
    (finding,) = (finding for finding in found if finding.good is False)
    return finding


@pytest.mark.parametrize("key", sorted(DOCTOR_TEXTS))
def test_every_text_exists_in_both_languages_with_the_same_places(key: str) -> None:
    texts = DOCTOR_TEXTS[key]
    assert set(texts) == {"zh", "en"}
    fields = [{f for _, f, _, _ in string.Formatter().parse(texts[lang]) if f} for lang in ("zh", "en")]
    assert fields[0] == fields[1]


def test_a_model_that_works_is_told_with_all_that_is_known(tmp_path: Path, server: ScriptedServer) -> None:
    server.offers("m", max_model_len=32768)
    chat = {"model": "m", "base_url": server.url, "profile": "vllm"}
    found = report(tmp_path, chat=chat)
    text = said(found)
    assert not any(finding.good is False for finding in found)
    for words in (
        "True Chat model m",
        "True Answers arrive as they are written",
        "True Usage is reported by the server (this time 30 + 26 tokens)",
        "True Context window: 32,768 tokens (told by the server)",
        "True Price: none",
    ):
        assert words in text
    assert len(server.requests) == 1
    chinese = said(report(tmp_path, "zh", chat=chat))
    assert "上下文窗口：32,768 词元（服务器告知）" in chinese
    assert "逐字到达" in chinese


def test_what_a_model_lacks_is_told_with_the_setting_for_it(tmp_path: Path, server: ScriptedServer) -> None:
    server.reply = lambda request: "1, 2, 3"
    text = said(report(tmp_path, chat={"model": "m", "base_url": server.url}))
    assert "None Answers arrive in one piece" in text
    assert "None The server reports no usage" in text
    assert "YOUJU_CHAT__CONTEXT_TOKENS" in text
    assert "YOUJU_CHAT__INPUT_PRICE" in text
    stated = {"context_tokens": 2048, "input_price": 0.25, "output_price": 2.0}
    text = said(report(tmp_path, chat={"model": "m", "base_url": server.url, **stated}))
    assert "A window of 2,048 tokens is small" in text
    assert "YOUJU_RETRIEVAL__MAX_TOKENS" in text
    assert "$0.25 in, $2.00 out (as set)" in text


@pytest.mark.parametrize(
    ("script", "words", "mend"),
    [
        (
            Script([], status=401, message=f"Incorrect API key: {KEY}"),
            "the key was refused",
            "DEEPSEEK_API_KEY",
        ),
        (Script([], status=403), "the key was refused", "https://platform.deepseek.com/api_keys"),
        (Script([], status=404), "there is no such model", "deepseek-flash, deepseek-v4-pro"),
        (Script([], status=400, message="Model Not Exist"), "there is no such model", "YOUJU_CHAT__MODEL"),
        (Script([], status=402, message="Insufficient Balance"), "the quota is used up", "top up"),
        (Script([], status=429), "too many requests", "rate limits"),
        (Script([], status=500), "the server failed", "Try again later"),
        (Script(["slow"], pause_s=1.5), "no reply within 0.5 s", "YOUJU_CHAT__TIMEOUT_S"),
        (Script([]), "the reply was empty", "YOUJU_CHAT__MAX_ANSWER_TOKENS"),
        (Script(["1, 2"], finish="length"), "hit the length limit", "YOUJU_CHAT__MAX_ANSWER_TOKENS"),
        (Script(["1, 2"], finish=None), "broke off", "OpenAI-compatible"),
    ],
    ids=["401", "403", "404", "400", "402", "429", "500", "timeout", "empty", "length", "cut"],
)
def test_each_fault_is_named_with_its_remedy(
    tmp_path: Path, server: ScriptedServer, script: Script, words: str, mend: str
) -> None:
    server.reply = lambda request: script
    server.offers("deepseek-flash", "deepseek-v4-pro")
    chat = {"model": "deepseek-chat", "base_url": server.url, "profile": "deepseek", "timeout_s": 0.5}
    finding = bad(report(tmp_path, chat=chat))
    assert words in finding.text
    assert mend in finding.mend
    chinese = bad(report(tmp_path, "zh", chat=chat))
    assert "\u4e00" <= chinese.mend[0] <= "\u9fff"


def test_a_refused_request_repeats_what_the_server_says_without_the_key(
    tmp_path: Path, server: ScriptedServer
) -> None:
    server.reply = lambda request: Script([], status=400, message=f"region of {KEY} is not served")
    server.offers("m")
    finding = bad(report(tmp_path, chat={"model": "m", "base_url": server.url}))
    assert "region of *** is not served" in finding.text


@pytest.mark.parametrize(
    ("profile", "mend"), [("ollama", "ollama serve"), ("vllm", "vllm serve"), ("", "the network")]
)
def test_a_server_that_is_not_there_is_told_how_to_start(tmp_path: Path, profile: str, mend: str) -> None:
    chat = {"model": "m", "base_url": "http://user:pass-canary@127.0.0.1:9/v1", "profile": profile}
    finding = bad(report(tmp_path, chat=chat))
    assert "http://127.0.0.1:9/v1 cannot be reached" in finding.text
    assert mend in finding.mend


def test_a_model_that_ollama_lacks_is_pulled_and_many_offers_are_cut(
    tmp_path: Path, server: ScriptedServer
) -> None:
    server.reply = lambda request: Script([], status=404)
    server.offers(*(f"model-{n}" for n in range(20)))
    chat = {"model": "qwen3:8b", "base_url": server.url, "profile": "ollama"}
    mend = bad(report(tmp_path, chat=chat)).mend
    assert "ollama pull qwen3:8b" in mend
    assert "model-7" in mend
    assert "model-8" not in mend
    assert "…" in mend


def test_an_address_that_lists_nothing_is_doubted(tmp_path: Path, server: ScriptedServer) -> None:
    server.reply = lambda request: Script([], status=404)
    finding = bad(report(tmp_path, chat={"model": "m", "base_url": server.url}))
    assert "/v1" in finding.mend


def test_ollamas_silent_limit_is_told(tmp_path: Path, server: ScriptedServer) -> None:
    server.pages["/api/show"] = {"model_info": {"qwen3.context_length": 40960}}
    found = report(tmp_path, chat={"model": "m", "base_url": server.url, "profile": "ollama"})
    (finding,) = (finding for finding in found if "4,096" in finding.text)
    assert "OLLAMA_CONTEXT_LENGTH" in finding.mend


def test_a_missing_key_or_model_is_seen_without_a_call(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, language="en", embedding={"name": "hashing"})  # type: ignore[arg-type]
    chat = settings.chat.model_copy(update={"profile": "qwen", "model": "qwen-plus"})
    finding = bad(list(findings(settings.model_copy(update={"chat": chat}))))
    assert "there is no key for Qwen" in finding.text
    assert "DASHSCOPE_API_KEY" in finding.mend
    chat = chat.model_copy(update={"model": ""})
    finding = bad(list(findings(settings.model_copy(update={"chat": chat}))))
    assert "YOUJU_CHAT__MODEL=qwen-plus" in finding.mend


@pytest.mark.parametrize(
    ("status", "words", "mend"),
    [(401, "the key was refused", "OPENAI_API_KEY"), (404, "no such model", "YOUJU_EMBEDDING__MODEL")],
)
def test_an_embedding_endpoint_has_the_same_faults(
    tmp_path: Path, server: ScriptedServer, status: int, words: str, mend: str
) -> None:
    server.embeddings_status = status
    server.offers("text-embedding-v4")
    embedding = {"name": "openai", "model": "wrong", "base_url": server.url}
    finding = bad(report(tmp_path, embedding=embedding))
    assert finding.text.startswith("Embedding model wrong (http://127.0.0.1")
    assert words in finding.text
    assert mend in finding.mend


def test_a_reranker_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    retrieval = {"reranker": "cross-encoder", "reranker_model": str(tmp_path / "nowhere")}
    finding = bad(report(tmp_path, retrieval=retrieval))
    assert "nowhere" in finding.text
    assert "folder" in finding.mend
