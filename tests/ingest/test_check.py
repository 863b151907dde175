"""Every invariant is noticed when it breaks, and what can be restored is restored."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelMismatchError
from core.store import SentenceVectors
from ingest.check import index_problems, leftovers, problems
from ingest.checks.problem import Problem
from ingest.cli import main
from ingest.mending import mend
from ingest.report import Outcome
from retrieval.knowledge_base import KnowledgeBase
from tests.ingest.stored import add_text, break_row, home_of
from tests.support import HANDBOOK, MANUAL

RULES = "# 办法\n\n" + "\n\n".join(
    f"第{i}条 编号{i}的设备每{i}天检查一次，并记录结果。" for i in range(1, 120)
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with a document of two versions and another one, made once."""
    folder = tmp_path_factory.mktemp("sound")
    made = KnowledgeBase(home_of(folder))
    add_text(made, "rules.md", RULES.replace("119", "120"))
    add_text(made, "rules.md", RULES)
    add_text(made, "handbook.md", HANDBOOK)
    assert problems(made.workspace.store) == []
    made.workspace.close()
    return folder


@pytest.fixture
def base(sound: Path, tmp_path: Path) -> Iterator[KnowledgeBase]:
    shutil.copytree(sound / "home", tmp_path / "home")
    made = KnowledgeBase(home_of(tmp_path))
    yield made
    made.workspace.close()


def codes(found: list[Problem]) -> set[str]:
    assert all(one.text("zh") != one.text("en") or one.code == "unreadable" for one in found)
    return {one.code for one in found}


@dataclass(frozen=True)
class Break:
    statement: str
    code: str
    is_restored: bool = True


CURRENT = "(SELECT version_id FROM documents WHERE name = 'rules.md')"
FORMER = "(SELECT id FROM versions WHERE number = 1 AND text LIKE '# 办法%')"
BREAKS = {
    "text": Break(f"UPDATE versions SET text = text || 'x' WHERE id = {CURRENT}", "unreadable"),
    "former text": Break(
        f"UPDATE versions SET text = text || 'x' WHERE id = {FORMER}", "unreadable", is_restored=False
    ),
    "chunk text": Break(f"UPDATE chunks SET embed_text = 'x' WHERE version_id = {CURRENT}", "unreadable"),
    "chunk span": Break(
        f'UPDATE chunks SET "end" = "end" + 9999 WHERE version_id = {CURRENT}', "outside_text"
    ),
    "empty span": Break(f'UPDATE chunks SET "end" = start WHERE version_id = {CURRENT}', "unreadable"),
    "chunk gone": Break(f"DELETE FROM chunks WHERE version_id = {CURRENT} AND ordinal = 1", "uncovered"),
    "chunks gone": Break(f"DELETE FROM chunks WHERE version_id = {CURRENT}", "no_chunk"),
    "chunk order": Break(
        f"UPDATE chunks SET ordinal = 99 - ordinal WHERE version_id = {CURRENT}", "out_of_order"
    ),
    "parent": Break(f"UPDATE chunks SET parent_id = 'nobody' WHERE version_id = {CURRENT}", "outside_parent"),
    "parent span": Break(
        f"UPDATE parents SET start = start + 5 WHERE version_id = {CURRENT}", "outside_parent"
    ),
    "next": Break(f"UPDATE chunks SET next_id = id WHERE version_id = {CURRENT}", "wrong_link"),
    "previous": Break(f"UPDATE chunks SET previous_id = NULL WHERE version_id = {CURRENT}", "wrong_link"),
    "section": Break(
        f"UPDATE chunks SET section_id = 'x' WHERE version_id = {CURRENT} AND ordinal = 1", "wrong_link"
    ),
    "block span": Break(f'UPDATE blocks SET "end" = 99999 WHERE version_id = {CURRENT}', "outside_text"),
    "block kind": Break(f"UPDATE blocks SET kind = 'poem' WHERE version_id = {CURRENT}", "unreadable"),
    "line": Break(
        'INSERT INTO page_lines (version_id, ordinal, start, "end", page, x0, y0, x1, y1)'
        f" VALUES ({CURRENT}, 0, 5, 99999, 1, 0, 0, 1, 1)",
        "outside_text",
    ),
    "no vector": Break(
        "DELETE FROM vectors WHERE embed_hash = (SELECT min(embed_hash) FROM vectors)", "no_vector"
    ),
    "long vector": Break(
        "UPDATE vectors SET data = zeroblob(256) WHERE embed_hash = (SELECT min(embed_hash) FROM vectors)",
        "vector_damaged",
    ),
    "short vector": Break(
        "UPDATE vectors SET data = substr(data, 1, 7) WHERE embed_hash = (SELECT min(embed_hash) FROM vectors)",
        "vector_damaged",
    ),
    "orphan vector": Break("INSERT INTO vectors SELECT 'x', model, data FROM vectors LIMIT 1", "orphans"),
    "orphan sentences": Break(
        "INSERT INTO sentence_vectors (embed_hash, model, spans, scales, data) VALUES ('x', 'm', '', '', '')",
        "orphans",
    ),
    "orphan blocks": Break(
        'INSERT INTO blocks (version_id, ordinal, kind, level, start, "end", section_path)'
        " VALUES ('x', 0, 'paragraph', 99, 0, 1, '[]')",
        "orphans",
    ),
    "orphan version": Break(
        "INSERT INTO versions SELECT 'x', 'nobody', number, source_sha256, source_bytes, fingerprint, media_type,"
        " title, language, page_count, notices, text, created_at, text_sha256 FROM versions LIMIT 1",
        "orphans",
    ),
    "two current": Break(f"UPDATE parents SET version_id = {FORMER} WHERE version_id = {CURRENT}", "orphans"),
    "former current": Break(
        f"UPDATE documents SET version_id = {FORMER}, version_number = 1 WHERE name = 'rules.md'",
        "wrong_current",
    ),
    "version gone": Break(f"DELETE FROM versions WHERE id = {CURRENT}", "orphans"),
    "same number": Break(
        "UPDATE versions SET number = 2 WHERE number = 1 AND text LIKE '# 办法%'", "same_number", False
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_one_broken_row_is_noticed_and_mended_where_it_can_be(base: KnowledgeBase, name: str) -> None:
    broken = BREAKS[name]
    break_row(base.workspace, broken.statement)
    assert broken.code in codes(problems(base.workspace.store))
    done: list[str] = []
    rows, left = mend(base.workspace, lambda key, **values: done.append(key))
    assert (codes(left) == set()) is broken.is_restored, left
    assert done or not broken.is_restored or name == "former current"
    if broken.is_restored:
        assert codes(problems(base.workspace.store)) == set()
        assert rows > 0
        assert "每7天检查一次" in "".join(p.text for p in base.search("编号7的设备多久检查一次").passages)


def test_a_mended_document_keeps_its_history_owner_and_originals(base: KnowledgeBase) -> None:
    with base.workspace.store.write() as writer:
        writer.share(writer.reader.document("rules.md").id, owner="anna")
    break_row(base.workspace, BREAKS["text"].statement)
    mend(base.workspace, lambda key, **values: None)
    with base.workspace.store.read() as reader:
        row = reader.document("rules.md")
        assert row.owner == "anna"
        texts = [reader.version(version.id).text for version in reader.versions(row)]
    assert texts == [RULES.replace("119", "120"), RULES]


def test_an_original_that_is_gone_or_changed_comes_back_with_its_file(base: KnowledgeBase) -> None:
    store = base.workspace.store
    with store.read() as reader:
        path = store.blobs.path(reader.document("rules.md").source_sha256)
    for damage, code in (
        (path.unlink, "original_missing"),
        (lambda: path.write_bytes(b"x"), "original_changed"),
    ):
        damage()
        assert codes(problems(store)) == {code}
        _, left = mend(base.workspace, lambda key, **values: None)
        assert codes(left) == {"original_missing"}
        assert add_text(base, "rules.md", RULES) is Outcome.UNCHANGED
        assert problems(store) == []


def test_damaged_sentence_vectors_are_noticed(base: KnowledgeBase) -> None:
    with base.workspace.store.write() as writer:
        row = writer.reader.document("rules.md")
        chunk = writer.reader.chunks_of(row.version_id)[0]
        vectors = writer.reader.vectors([chunk.embed_hash], writer.reader.embedding_model() or "")
        far = SentenceVectors(
            spans=np.array([[0, len(chunk.span) + 1]], dtype=np.int32),
            scales=np.array([0.1], dtype=np.float32),
            data=np.zeros((1, 64), dtype=np.int8),
        )
        writer.drop_vectors([chunk.embed_hash])
        model = writer.reader.embedding_model() or ""
        writer.put_sentence_vectors({chunk.embed_hash: far}, model)
        writer.put_vectors(vectors, model)
    assert codes(problems(base.workspace.store)) == {"vector_damaged"}
    _, left = mend(base.workspace, lambda key, **values: None)
    assert left == []


def test_what_a_crash_left_among_the_originals_is_no_problem_but_said(base: KnowledgeBase) -> None:
    base.workspace.store.blobs.put(b"left behind")
    assert problems(base.workspace.store) == []
    assert codes(list(leftovers(base.workspace.store))) == {"stray_files"}
    mend(base.workspace, lambda key, **values: None)
    assert list(leftovers(base.workspace.store)) == []


def test_an_index_of_another_generation_or_size_is_noticed(base: KnowledgeBase) -> None:
    with base.workspace.store.read() as reader:
        index = base.workspace.indexes.at(reader)
        assert list(index_problems(reader, index)) == []
    add_text(base, "manual.md", MANUAL)
    with base.workspace.store.read() as reader:
        assert codes(list(index_problems(reader, index))) == {"index_stale", "index_rows"}


def test_the_command_line_says_what_is_wrong_in_both_languages(
    base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = base.settings
    monkeypatch.setenv("YOUJU_HOME", str(settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    break_row(base.workspace, BREAKS["chunks gone"].statement)
    assert main(["check"]) == 1
    assert "default/rules.md: no chunk" in capsys.readouterr().out
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    assert main(["check"]) == 1
    assert "default/rules.md: 没有块" in capsys.readouterr().out
    assert main(["rebuild"]) == 0
    assert "已从原文件重新读取" in capsys.readouterr().err
    assert main(["check"]) == 0
    break_row(base.workspace, BREAKS["former text"].statement)
    assert main(["rebuild"]) == 1


def test_nothing_is_made_with_another_model(base: KnowledgeBase) -> None:
    break_row(base.workspace, "UPDATE meta SET value = 'other-1/64/l2' WHERE key = 'embedding_model'")
    assert codes(problems(base.workspace.store)) == {"no_vector"}
    with pytest.raises(ModelMismatchError, match="other-1"):
        mend(base.workspace, lambda key, **values: None)
