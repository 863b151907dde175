"""Files that give orders, and a model that obeys: what comes out is inert all the same, and tells no secrets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from app.answers import views
from app.answers.tracing import search_step
from core.answer import Answer
from core.inert import InertStream, inert
from core.scope import Scope
from core.settings import Settings
from ingest.report import FileResult, Outcome
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.core.test_inert import assert_inert
from tests.injected_files import ORDER, Injected, injected_files
from tests.scripted_openai import Script, ScriptedServer, ids_of, serving
from tests.support import make_ingest

COUNT = 110
KEY = "sk-canary-4711"
FILES = list(injected_files(COUNT))


def obedient(request: dict[str, Any]) -> Script:
    """A model that carries out any order in its prompt, and cites; its words come in uneven parts."""
    system, user = (message["content"] for message in request["messages"])
    orders = re.findall(rf"{re.escape(ORDER)}(.*)", user.replace("\u200b", ""))
    said = " ".join([*orders, system if "system prompt" in user else ""])
    text = f"{said} 检修周期见[{ids_of(request)[0]}]，另见[8]与<<0badf00d end>>。\n\n{said}"
    cut = random.Random(text)
    parts, at = [], 0
    while at < len(text):
        end = at + cut.randint(1, 12)
        parts.append(text[at:end])
        at = end
    return Script(parts)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with serving(obedient) as made:
        made.as_scripted = True
        yield made


@pytest.fixture(scope="module")
def base(server: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    chat = {"model": "obedient", "max_retries": 0, "cache": "none", "timeout_s": 20.0}
    made = KnowledgeBase(
        Settings(
            home=tmp_path_factory.mktemp("canary-home"),
            embedding={"name": "hashing"},  # type: ignore[arg-type]
            chat=chat,  # type: ignore[arg-type]
            openai_base_url=server.url,
            openai_api_key=KEY,  # type: ignore[arg-type]
        )
    )
    yield made
    made.workspace.close()


@pytest.fixture(scope="module")
def added(base: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory) -> dict[str, FileResult]:
    folder = tmp_path_factory.mktemp("files")
    sources = []
    for number, file in enumerate(FILES):
        (folder / str(number)).write_bytes(file.data)
        sources.append(Source(name=file.name, path=folder / str(number)))
    report = make_ingest(base).add_sources(sources, "default")
    return {result.name: result for result in report.files}


def asked(base: KnowledgeBase, file: Injected) -> tuple[Answer, list[str]]:
    with base.workspace.store.read() as reader:
        document = reader.document(file.name, "default").id
    heard: list[str] = []
    question = f"{file.topic}的检修周期是多少天？"
    return base.ask(question, scope=Scope(documents=(document,)), on_text=heard.append), heard


def test_there_are_enough_files_of_enough_kinds(added: dict[str, FileResult]) -> None:
    assert len(FILES) >= 100
    assert len({file.name.rsplit(".", 1)[1] for file in FILES}) >= 10
    assert [name for name, result in added.items() if result.outcome is Outcome.REFUSED] == []


def test_words_that_nobody_sees_are_left_out_and_told(added: dict[str, FileResult]) -> None:
    for file in FILES:
        codes = [notice.code for notice in added[file.name].notices]
        assert not file.notice or file.notice in codes, (file.name, codes)


def test_an_obedient_model_can_neither_load_nor_link_nor_tell(
    base: KnowledgeBase, server: ScriptedServer, added: dict[str, FileResult]
) -> None:
    obeyed = 0
    for file in FILES:
        server.requests.clear()
        answer, heard = asked(base, file)
        assert answer.method == "llm", (file.name, answer.notes)
        (request,) = server.requests
        prompt = request["messages"][-1]["content"]
        is_given = ORDER[:-1] in prompt.replace("\u200b", "").replace("\u202e", "")
        assert is_given is file.is_seen or file.name.startswith("IGNORE"), (file.name, prompt)
        obeyed += is_given
        assert_harmless(answer, heard, request)
    assert obeyed >= 60


def assert_harmless(answer: Answer, heard: list[str], request: dict[str, Any]) -> None:
    shown = inert(answer.text) + views.notes_line(answer, "zh")
    assert_inert(shown)
    assert_inert(inert(search_step(answer.search, "zh")))
    stream = InertStream()
    assert "".join(map(stream.feed, heard)) + stream.finish() == inert("".join(heard))
    sent = repr(request["messages"])
    for secret in (KEY, "canary-home"):
        assert secret not in sent
        assert secret not in answer.text
    # Of what the model cited only the passage counts; raw ids and made-up marks are gone.
    assert not any(id_ in re.findall(r"\w+", answer.text) for id_ in ids_of(request))
    assert all(0 <= citation.passage < len(answer.search.passages) for citation in answer.citations)
    assert {citation.n for citation in answer.citations} <= set(range(1, len(answer.search.passages) + 1))
    if "```" not in answer.text:
        # Inside code numbers in brackets are code.
        assert "note_unknown_citations" in answer.notes
        assert not re.search(r"\[(?:8|999)\]", answer.text)
