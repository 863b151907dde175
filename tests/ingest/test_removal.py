"""What is removed is gone: from every table, from free pages and logs, from the index and from caches."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.errors import AmbiguousDocumentError, UnknownCollectionError, UnknownDocumentError
from core.store import schema
from ingest.check import leftovers, problems
from ingest.cli import main
from ingest.removal import remove_collection, remove_documents
from ingest.workspace import Workspace
from retrieval.knowledge_base import KnowledgeBase
from tests.ingest.stored import add_text, files_with, home_of

CANARY = "kanarie4711"
KEPT = "behalten0815"


def _long(word: str, lines: int) -> str:
    rules = "\n\n".join(f"第{i}条 {word} 的设备每{i}天检查一次，并记录结果 {word}。" for i in range(1, lines))
    return f"# {word}\n\n{rules}\n"


def _filled(tmp_path: Path, lexical: str) -> Workspace:
    """A document with three versions that name the canary, among others that do not."""
    base = KnowledgeBase(home_of(tmp_path, index={"lexical": lexical}))
    for number in range(3):
        add_text(base, f"other{number}.md", _long(f"{KEPT} {number}", 60))
    for lines in (200, 30, 120):
        add_text(base, "secret.md", _long(CANARY, lines), owner=f"{CANARY}-user")
    return base.workspace


def _rows_with(workspace: Workspace, word: str) -> dict[str, int]:
    """Rows of every table in which the word stands."""
    with workspace.store.read() as reader:
        return {
            table.name: found
            for table in schema.metadata.sorted_tables
            if (found := sum(word in str(tuple(row)) for row in reader._connection.execute(sa.select(table))))
        }


@pytest.mark.parametrize("lexical", ["bm25plus", "tantivy"])
def test_no_byte_of_a_removed_document_stays_anywhere(tmp_path: Path, lexical: str) -> None:
    workspace = _filled(tmp_path, lexical)
    home = workspace.settings.home
    cache = sqlite3.connect(home / "decisions.db")
    with cache:
        cache.execute("CREATE TABLE full_llm_cache (prompt TEXT)")
        cache.execute("INSERT INTO full_llm_cache VALUES (?)", (f"Judge: {CANARY}",))
    cache.close()
    with workspace.store.read() as reader:
        versions = [row.id for row in reader.versions(reader.document("secret.md"))]
        digests = {row.source_sha256 for row in reader.versions(reader.document("secret.md"))}
        hashes = {chunk.embed_hash for chunk in reader.chunks_of(versions[-1])}
    assert len(versions) == len(digests) == 3
    assert files_with(home, CANARY)
    assert remove_documents(workspace, ["secret.md"]) == ["secret.md"]
    assert files_with(home, CANARY) == []
    assert _rows_with(workspace, CANARY) == {}
    assert not any(workspace.store.blobs.path(digest).exists() for digest in digests)
    with workspace.store.read() as reader:
        assert reader.vectors(hashes, reader.embedding_model() or "") == {}
        assert not any(reader.blocks(version) for version in versions)
        assert len(workspace.indexes.at(reader)) == reader.count("chunks")
    for version in versions:
        assert files_with(home, version) == []
    assert files_with(home, KEPT)
    assert problems(workspace.store) == list(leftovers(workspace.store)) == []
    workspace.close()


def test_what_a_reader_still_held_is_gone_with_the_next_removal(tmp_path: Path) -> None:
    """The log cannot be emptied while another program reads from it."""
    workspace = _filled(tmp_path, "bm25plus")
    with workspace.store.read() as reader:
        before = reader.documents()
        remove_documents(Workspace(workspace.settings), ["secret.md"])
        assert reader.documents() == before
    remove_documents(workspace, ["other0.md"])
    assert files_with(workspace.settings.home, CANARY) == []


def test_a_removal_works_without_the_embedder_and_takes_the_index_away(tmp_path: Path) -> None:
    workspace = _filled(tmp_path, "bm25plus")
    settings = workspace.settings
    broken = settings.embedding.model_copy(update={"name": "gone"})
    remove_documents(Workspace(settings.model_copy(update={"embedding": broken})), ["secret.md"])
    assert files_with(settings.home, CANARY) == []
    assert "other1.md" in {hit.doc for hit in KnowledgeBase(settings).search(KEPT).passages}


def test_a_collection_goes_with_all_its_documents_or_not_at_all(tmp_path: Path) -> None:
    base = KnowledgeBase(home_of(tmp_path))
    add_text(base, "a.md", _long(CANARY, 20), "laws")
    add_text(base, "b.md", _long(CANARY, 30), "laws")
    add_text(base, "a.md", _long(KEPT, 20), "manuals")
    assert remove_collection(base.workspace, "laws") == 2
    assert files_with(base.settings.home, CANARY) == []
    with base.workspace.store.read() as reader:
        assert reader.collections() == ("manuals",)
        assert [row.name for row in reader.documents()] == ["a.md"]
    with pytest.raises(UnknownCollectionError):
        remove_collection(base.workspace, "laws")
    with pytest.raises(UnknownDocumentError):
        remove_documents(base.workspace, ["a.md", "gone.md"])
    assert problems(base.workspace.store) == []


def test_an_original_that_another_document_shares_stays(tmp_path: Path) -> None:
    base = KnowledgeBase(home_of(tmp_path))
    for collection in ("one", "two"):
        add_text(base, "a.md", _long(KEPT, 20), collection)
    remove_collection(base.workspace, "one")
    assert problems(base.workspace.store) == []


def test_originals_of_earlier_versions_stay_as_long_as_the_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = _filled(tmp_path, "bm25plus")
    monkeypatch.setenv("YOUJU_HOME", str(workspace.settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    for number, lines in ((1, 200), (2, 30), (3, 120)):
        target = tmp_path / f"{number}.md"
        assert main(["original", "secret.md", "--version", str(number), "--out", str(target)]) == 0
        assert target.read_text("utf-8") == _long(CANARY, lines)
    assert main(["original", "secret.md", "--version", "4", "--out", str(tmp_path / "4")]) == 1
    assert not (tmp_path / "4").exists()


def test_a_name_in_two_collections_must_be_made_clear(tmp_path: Path) -> None:
    base = KnowledgeBase(home_of(tmp_path))
    for collection in ("one", "two", "chat:1"):
        add_text(base, "a.md", _long(collection, 5), collection)
    add_text(base, "b.md", _long(KEPT, 5), "one")
    add_text(base, "b.md", _long(KEPT, 6), "chat:1")
    with pytest.raises(AmbiguousDocumentError) as caught:
        remove_documents(base.workspace, ["b.md", "a.md"])
    assert "one, two" in caught.value.message("zh")
    with base.workspace.store.read() as reader:
        assert len(reader.documents()) == 5
    remove_documents(base.workspace, ["a.md"], "two")
    remove_documents(base.workspace, ["b.md", "a.md"])
    with base.workspace.store.read() as reader:
        assert {(row.collection, row.name) for row in reader.documents()} == {
            ("chat:1", "a.md"),
            ("chat:1", "b.md"),
        }
