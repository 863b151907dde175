"""All vectors made anew while the old ones serve: stopped, resumed, added to meanwhile, and switched at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import EmbeddingError, ModelMismatchError, ModelSwitchedError
from core.protocols import Vectors
from core.settings import Settings
from ingest.check import problems
from ingest.cli import main
from ingest.embed_again import ChunksTooLongError, Embedded, embed_again
from ingest.embedders.hashing import HashingEmbedder
from ingest.workspace import Workspace
from retrieval.knowledge_base import KnowledgeBase
from tests.ingest.stored import add_text, files_with, home_of
from tests.support import HANDBOOK, MANUAL

RULES = "# 办法\n\n" + "\n\n".join(
    f"第{i}条 编号{i}的设备每{i}天检查一次，并记录结果。" for i in range(1, 200)
)


class Smaller(HashingEmbedder):
    """Another model of another dimension."""

    dimension = 16
    fingerprint = "smaller-1/16/l2"


class Alike(HashingEmbedder):
    """Another model of the same dimension: the silent kind of mistake."""

    fingerprint = "alike-1/64/l2"


class Failing(Smaller):
    """Gives up after some texts, as an endpoint whose quota is used up."""

    def __init__(self, settings: Settings, texts: int) -> None:
        super().__init__(settings)
        self.left = texts

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.left -= len(texts)
        if self.left < 0:
            raise EmbeddingError(name="failing", reason="quota")
        return super().passages(texts)


class Counting(Smaller):
    """Counts what it embeds, and lets something happen in between."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.texts: list[str] = []
        self.meanwhile = lambda: None

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        self.meanwhile()
        return super().passages(texts)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    made = home_of(tmp_path)
    return made.model_copy(
        update={"embedding": made.embedding.model_copy(update={"batch_size": 4, "sentences": False})}
    )


@pytest.fixture
def base(settings: Settings) -> KnowledgeBase:
    made = KnowledgeBase(settings)
    add_text(made, "rules.md", RULES)
    add_text(made, "handbook.md", HANDBOOK)
    return made


def with_model(settings: Settings, embedder: HashingEmbedder) -> Workspace:
    workspace = Workspace(settings)
    workspace.__dict__["embedder"] = embedder
    return workspace


def chunk_count(workspace: Workspace) -> int:
    with workspace.store.read() as reader:
        return reader.embedded_texts()


@pytest.mark.parametrize("embedder", [Smaller, Alike])
def test_another_model_takes_over_and_the_former_is_refused_with_both_names(
    base: KnowledgeBase, settings: Settings, embedder: type[HashingEmbedder]
) -> None:
    other = with_model(settings, embedder(settings))
    with other.store.read() as reader, pytest.raises(ModelMismatchError):
        other.indexes.at(reader)
    assert base.search("编号7的设备多久检查一次").passages
    told: list[Embedded] = []
    assert embed_again(other, told.append) == chunk_count(other)
    assert told[-1].done == told[-1].total == chunk_count(other)
    assert [one.done for one in told] == sorted({one.done for one in told})
    assert told[0].tokens_per_s > 0
    assert told[0].seconds_left > 0 == told[-1].seconds_left
    assert problems(other.store) == []
    with other.store.read() as reader:
        assert reader.count("vectors") == reader.embedded_texts()
        assert len(other.indexes.at(reader)) == reader.count("chunks")
    with pytest.raises(ModelSwitchedError) as caught:
        base.search("编号7的设备多久检查一次")
    for language, advice in (("zh", "重新启动"), ("en", "Restart")):
        said = caught.value.message(language)
        assert HashingEmbedder.fingerprint in said
        assert embedder.fingerprint in said
        assert advice in said
    with pytest.raises(ModelMismatchError):
        add_text(base, "manual.md", MANUAL)


def test_a_run_that_broke_off_goes_on_where_it_stopped_and_changes_nothing_until_then(
    base: KnowledgeBase, settings: Settings
) -> None:
    with base.workspace.store.read() as reader:
        before = reader.generation()
    with pytest.raises(EmbeddingError):
        embed_again(with_model(settings, Failing(settings, texts=9)))
    with base.workspace.store.read() as reader:
        assert reader.generation() == before
        assert reader.embedding_model() == HashingEmbedder.fingerprint
        kept = reader.embedded_texts() - len(reader.unembedded(Smaller.fingerprint))
    assert kept == 8
    assert problems(base.workspace.store) == []
    assert base.search("编号7的设备多久检查一次").passages
    counting = Counting(settings)
    told: list[Embedded] = []
    assert embed_again(with_model(settings, counting), told.append) == chunk_count(base.workspace) - kept
    assert len(counting.texts) == len(set(counting.texts)) == chunk_count(base.workspace) - kept
    assert told[0].kept == kept
    assert told[0].done == kept + 4


def test_others_read_add_and_remove_with_the_old_model_meanwhile(
    base: KnowledgeBase, settings: Settings
) -> None:
    counting = Counting(settings)
    calls = 0

    def meanwhile() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            add_text(base, "manual.md", MANUAL)
            assert base.search("Replace the filter").passages[0].doc == "manual.md"
        if calls == 4:
            base.workspace.remove(["handbook.md"])

    counting.meanwhile = meanwhile
    other = with_model(settings, counting)
    embed_again(other)
    assert calls > 4
    assert problems(other.store) == []
    with other.store.read() as reader:
        assert [row.name for row in reader.documents()] == ["manual.md", "rules.md"]
        assert reader.unembedded(Smaller.fingerprint) == {}
        assert len(other.indexes.at(reader)) == reader.count("chunks")
        assert reader.orphans() == {}


def test_what_comes_at_the_last_moment_is_embedded_before_the_switch(
    base: KnowledgeBase, settings: Settings
) -> None:
    counting = Counting(settings)
    other = with_model(settings, counting)
    unwatched = other.store.write
    late = False

    def write() -> object:
        nonlocal late
        with other.store.read() as reader:
            if not late and not reader.unembedded(Smaller.fingerprint):
                late = True
                add_text(base, "manual.md", MANUAL)
        return unwatched()

    other.store.write = write  # type: ignore[method-assign,assignment]
    embed_again(other)
    assert late
    assert problems(other.store) == []
    with other.store.read() as reader:
        assert reader.document("manual.md").chunk_count > 0


def test_a_chunk_that_does_not_fit_the_new_model_is_said_before_anything_is_made(
    base: KnowledgeBase, settings: Settings
) -> None:
    short = Counting(settings)
    short.max_tokens = 20
    with pytest.raises(ChunksTooLongError) as caught:
        embed_again(with_model(settings, short))
    assert ".md" in caught.value.message("zh")
    assert short.texts == []


def test_an_empty_base_and_the_same_model_have_nothing_to_do(base: KnowledgeBase, tmp_path: Path) -> None:
    assert embed_again(Workspace(home_of(tmp_path, "empty"))) == 0
    assert embed_again(base.workspace) == 0
    assert base.search("编号7的设备多久检查一次").passages


def test_the_former_vectors_are_gone_from_the_disk(base: KnowledgeBase, settings: Settings) -> None:
    embed_again(with_model(settings, Smaller(settings)))
    left = [name for name in files_with(settings.home, HashingEmbedder.fingerprint) if "index" not in name]
    assert left == []


def test_the_command_embeds_anew_and_rebuilds(
    base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(base.settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setattr(HashingEmbedder, "fingerprint", "hashing-9/64/l2")
    assert main(["check"]) == 1
    assert main(["rebuild"]) == 1
    assert "hashing-9" in capsys.readouterr().err
    assert main(["rebuild", "--embed"]) == 0
    told = capsys.readouterr()
    assert "tokens/s" in told.err
    assert "rebuilt" in told.out
    assert main(["check"]) == 0
