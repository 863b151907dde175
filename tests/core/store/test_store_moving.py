"""A whole knowledge base on a server: everything that works on SQLite, and the way from there to here."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.scope import Scope, Visibility
from core.settings import Settings
from ingest import cli
from ingest.bundle.archive import opened_archive
from ingest.bundle.export import export
from ingest.bundle.load import Load
from ingest.check import problems
from ingest.report import Outcome
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.postgresql import Server
from tests.support import MANUAL, make_ingest

QUESTIONS = ("员工请病假须满足什么条件？", "How often is the filter replaced?")


def answers_of(base: KnowledgeBase) -> list[tuple[tuple[str, int, int, float], ...]]:
    return [
        tuple((p.doc, p.span.start, p.span.end, round(p.score, 6)) for p in base.search(question).passages)
        for question in QUESTIONS
    ]


@pytest.fixture
def moved(postgres: Server, tmp_path: Path) -> KnowledgeBase:
    return KnowledgeBase(
        Settings(home=tmp_path / "server", store_url=postgres.fresh_url(), embedding={"name": "hashing"})  # type: ignore[arg-type]
    )


def test_a_knowledge_base_moves_to_a_server_and_lives_on(
    filled: KnowledgeBase, moved: KnowledgeBase, tmp_path: Path
) -> None:
    archive = tmp_path / "all.zip"
    with filled.workspace.store.write() as writer:
        manual = writer.reader.document("manual.md")
        writer.share(manual.id, owner="ann", visibility=Visibility.PRIVATE)
    export(filled.workspace.store, archive, None, lambda what, done, total: None)
    store = moved.workspace.store
    with opened_archive(archive) as opened:
        Load(store, moved.workspace.embedder.fingerprint).run(opened)
    assert problems(store) == []
    assert answers_of(moved) == answers_of(filled)
    assert not {p.doc for p in moved.search(QUESTIONS[1], scope=Scope(viewer="bob")).passages} & {"manual.md"}

    changed = tmp_path / "changed.md"
    changed.write_text(MANUAL.replace("500", "700"), "utf-8")
    report = make_ingest(moved).add_sources([Source(name="manual.md", path=changed)], "default")
    assert [result.outcome for result in report.files] == [Outcome.REPLACED]
    assert "700 hours" in moved.search(QUESTIONS[1]).passages[0].text
    moved.workspace.remove(["handbook.md"])
    assert {passage.doc for passage in moved.search(QUESTIONS[0]).passages} <= {"manual.md"}
    assert problems(store) == []
    moved.workspace.close()


def test_the_command_line_works_on_a_server(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_STORE_URL", postgres.fresh_url())
    (tmp_path / "a.md").write_text(MANUAL, "utf-8")
    assert cli.main(["add", str(tmp_path / "a.md")]) == 0
    for command in (["list"], ["show", "a.md"], ["history", "a.md"], ["check"], ["collections"], ["rebuild"]):
        assert cli.main(command) == 0, command
    assert "a.md" in capsys.readouterr().out
    monkeypatch.setenv("YOUJU_STORE_URL", "postgresql://u:canary@127.0.0.1:9/base")
    assert cli.main(["list"]) == 1
    told = capsys.readouterr().err
    assert "127.0.0.1:9/base" in told
    assert "canary" not in told
    assert "Traceback" not in told
