"""The index on a Milvus server, beside the contract: crashes, lost rows, deletions, a server that is away."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import MissingExtraError, ModelMismatchError
from core.index_errors import IndexLockedError, IndexServerError, IndexUnreachableError
from core.settings import Settings
from core.store import Reader
from core.store.records import embed_hash_of
from ingest.calibration import Aim
from ingest.indexes.analyzer import analyze
from ingest.indexes.milvus import sample, server
from ingest.indexes.milvus.indexes import MilvusIndexes
from ingest.indexes.milvus.layout import word_of, words_text
from ingest.indexes.milvus.server import Server
from ingest.indexes.milvus.view import View
from ingest.sources import Source
from retrieval.fuse import reciprocal_rank_fusion
from retrieval.knowledge_base import KnowledgeBase
from tests.search_base import MadeUpEmbedder, SearchBase, vector_of
from tests.support import HANDBOOK, MANUAL, make_ingest

LEAVE = ("年休假每年五天", "病假须有诊断证明", "引文格式见 GB/T 7714-2015")
AIMS = {language: Aim(vector=vector_of("?"), offset=0.0) for language in ("zh", "en")}
PUMP = ("Never run the pump dry", "Replace the filter every 500 hours", "年检 of the pump in May")


class Base(SearchBase):
    """With an index whose rows are deleted ``grace_s`` seconds after their document is gone."""

    def __init__(self, home: Path, uri: str, *, grace_s: float = 0.0) -> None:
        super().__init__(home, name="milvus", milvus_uri=uri, milvus_timeout_s=5)
        self.embedder = MadeUpEmbedder()
        self.indexes = self.opened(grace_s)

    def opened(self, grace_s: float = 0.0) -> MilvusIndexes:
        """The index as another process opens it."""
        return MilvusIndexes(self.settings, self.store, self.embedder, grace_s=grace_s)

    def lexical(self, reader: Reader, words: str, indexes: MilvusIndexes | None = None) -> list[str]:
        """The texts that are found by words."""
        hits = (indexes or self.indexes).at(reader).lexical(analyze(words), 9)
        chunks = reader.chunks([hit.chunk_id for hit in hits])
        return [chunks[hit.chunk_id].embed_text for hit in hits]

    def found(self, words: str, indexes: MilvusIndexes | None = None) -> list[str]:
        with self.store.read() as reader:
            return self.lexical(reader, words, indexes)

    def rows(self) -> int:
        """How many chunks lie on the server, whether they can be found or not."""
        with self.store.read() as reader:
            index = self.indexes.at(reader)
        return index._server.count(index._names.chunks, "seq >= 0")


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One Milvus Lite for all tests; every store has collections of its own in it."""
    uri = str(tmp_path_factory.mktemp("知识 库") / "milvus.db")
    opened = Server(Settings(index={"milvus_uri": uri}).index)  # type: ignore[arg-type]
    assert opened.is_lite
    yield uri
    opened.close()


@pytest.fixture
def base(lite: str, tmp_path: Path) -> Iterator[Base]:
    made = Base(tmp_path / "库", lite)
    made.put("leave", *LEAVE)
    made.put("pump", *PUMP)
    yield made
    made.store.close()


def test_words_are_found_whole_and_in_parts_and_harmless_when_there_are_none(base: Base) -> None:
    assert base.found("GB/T 7714-2015") == [LEAVE[2]]
    assert base.found("7714") == [LEAVE[2]]
    assert base.found("年检")[0] == PUMP[2]
    assert base.found("nowhere to be found") == base.found("！？") == base.found("the of") == []


def test_of_many_chunks_a_fair_sample_is_looked_at(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    base.put("many", *[f"common {number} {'rare' if number % 4 == 0 else ''}" for number in range(400)])
    monkeypatch.setattr(sample, "MOST_DRAWN", 200)
    with base.store.read() as reader:
        index = base.indexes.at(reader)
        assert index.document_frequency("common") == pytest.approx(400, rel=0.05)
        assert 50 < index.document_frequency("rare") < 160
        assert index.document_frequency("休假") == 1


def test_more_rows_than_one_answer_holds_are_read_in_parts(
    base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    base.put("many", *[f"text {number}" for number in range(40)])
    with base.store.read() as reader:
        index = base.indexes.at(reader)
    everything = index._server.rows(index._names.chunks, "seq >= 0", ["id"])
    monkeypatch.setattr(server, "MOST_ROWS", 5)
    in_parts = index._server.rows(index._names.chunks, "seq >= 0", ["id"])
    assert sorted(str(row["id"]) for row in in_parts) == sorted(str(row["id"]) for row in everything)
    assert len(everything) == 46


def test_fusion_on_the_server_equals_ours(base: Base) -> None:
    tokens = analyze("replace the filter of the pump 年休假")
    with base.store.read() as reader:
        index = base.indexes.at(reader)
        ours = reciprocal_rank_fusion({"a": index.dense(AIMS, 50), "b": index.lexical(tokens, 50)}, k=10)
        theirs = index.hybrid(AIMS, tokens, 50, k=10)
        assert {hit.chunk_id: hit.score for hit in theirs} == pytest.approx(
            {hit.chunk_id: hit.score for hit in ours}, abs=1e-6
        )
        assert [hit.chunk_id for hit in theirs] == [hit.chunk_id for hit in ours]
        leave = {row.version_id for row in reader.documents() if row.name == "leave"}
        assert len(index.hybrid(AIMS, tokens, 50, leave, k=10)) == 3
        assert index.hybrid(AIMS, [], 50, set(), k=10) == []


def test_what_was_committed_before_a_crash_is_written_by_the_next_reader(base: Base) -> None:
    assert base.found("filter") == [PUMP[1]]
    base.put("news", "a filter of gold")
    assert "a filter of gold" in base.found("gold filter", base.opened())


def test_a_deleted_document_is_not_found_even_while_its_rows_are_there(base: Base) -> None:
    assert base.found("filter") == [PUMP[1]]
    base.remove("pump")
    with base.store.exclusive():
        # Another program writes, so that nothing can be tidied up now.
        assert base.found("filter") == []
        assert base.rows() == 6
    assert base.found("filter") == []
    assert base.found("诊断证明") == [LEAVE[1]]
    assert base.rows() == 3


def test_a_reader_keeps_its_generation_while_the_document_is_replaced(lite: str, tmp_path: Path) -> None:
    base = Base(tmp_path / "home", lite, grace_s=60)
    base.put("pump", *PUMP)
    with base.store.read() as old:
        before = base.lexical(old, "filter")
        base.put("pump", "Replace the filter every 900 hours")
        with base.store.read() as new:
            assert base.lexical(new, "filter") == ["Replace the filter every 900 hours"]
            assert base.lexical(new, "filter", base.opened(60)) == ["Replace the filter every 900 hours"]
        assert base.lexical(old, "filter") == before == [PUMP[1]]
        assert base.lexical(old, "filter", base.opened(60)) == before
        # Even when the rows are gone they come back for him, and nobody else sees them.
        assert base.found("filter", base.opened(0)) == ["Replace the filter every 900 hours"]
        assert base.lexical(old, "filter", base.opened(60)) == before
        assert base.found("filter", base.opened(60)) == ["Replace the filter every 900 hours"]
    base.store.close()


def test_a_document_that_goes_back_to_earlier_bytes_is_found_again(base: Base) -> None:
    first = base.found("filter")
    base.put("pump", "Other filter")
    assert base.found("filter") == ["Other filter"]
    base.put("pump", *PUMP)
    assert base.found("filter") == first
    assert base.found("filter", base.opened()) == first
    assert base.rows() == 6


class _BrokenError(Exception):
    """The process that writes ends here."""


class _Breaking(Server):
    """Ends the process before one of its changes, counted from 0."""

    left = 0

    def _call(self, operation: str, /, *args: Any, **options: Any) -> Any:
        if operation in ("upsert", "delete", "create_collection", "create_index", "drop_collection"):
            if self.left == 0:
                raise _BrokenError
            self.left -= 1
        return super()._call(operation, *args, **options)


def test_whatever_the_moment_of_a_crash_the_next_reader_finds_all_and_nothing_else(base: Base) -> None:
    base.found("filter")
    base.put("pump", "a filter of gold", PUMP[0])
    base.put("news", "filter news")
    base.remove("leave")
    for moment in range(40):
        breaking = base.opened()
        breaking._server = _Breaking(base.settings.index)
        breaking._server.left = moment  # type: ignore[attr-defined]
        try:
            base.found("filter", breaking)
        except _BrokenError:
            assert sorted(base.found("filter", base.opened())) == ["a filter of gold", "filter news"]
            assert base.found("诊断证明") == []
            assert base.rows() == 3
            # Once more from where it was, so that the next moment is tried on the same work.
            base.put("leave", LEAVE[0])
            base.put("pump", *PUMP)
            base.found("filter")
            base.put("pump", "a filter of gold", PUMP[0])
            base.remove("leave")
        else:
            assert moment > 8
            return
    raise AssertionError("it never came to the end")


@pytest.mark.parametrize("how", ["rows", "ledger", "dropped", "parents"])
def test_what_is_lost_on_the_server_is_written_anew(base: Base, how: str) -> None:
    expected = base.found("filter")
    with base.store.read() as reader:
        index = base.indexes.at(reader)
    there, names = index._server, index._names
    if how == "rows":
        there.delete(names.chunks, 'language == "en"')
    elif how == "ledger":
        there.delete(names.ledger, 'id != "head"')
        base.put("news", "news")
    else:
        there.drop(names.chunks if how == "dropped" else names.parents)
        with pytest.raises(IndexServerError) as caught, base.store.read() as reader:
            base.indexes.at(reader).lexical(["x"], 5)
            base.indexes.at(reader).parents(AIMS, 5)
        assert "documents are stored" in str(caught.value)
        assert base.found("filter") == expected
    assert base.found("filter", base.opened()) == expected
    with base.store.read() as reader:
        assert len(base.indexes.at(reader).parents(AIMS, 9)) >= 4
        assert len(base.indexes.rebuild(reader)) == len(base.indexes.at(reader))


def test_another_model_has_collections_of_its_own_and_the_former_are_dropped(base: Base) -> None:
    base.found("filter")
    with base.store.read() as reader:
        former = base.indexes.at(reader)._names
    base.embedder.fingerprint = "other/64"
    with base.store.read() as reader, pytest.raises(ModelMismatchError):
        base.opened().at(reader)
    with base.store.write() as writer:
        texts = [chunk.embed_text for chunk in writer.reader.all_chunks()]
        writer.change_model("other/64")
        made = base.embedder.passages(texts)
        writer.put_vectors(dict(zip(map(embed_hash_of, texts), made, strict=True)), "other/64")
    assert base.found("filter") == [PUMP[1]]
    with base.store.read() as reader:
        index = base.indexes.at(reader)
    assert index._names != former
    assert not set(former.all) & set(index._server.names())


def test_two_knowledge_bases_share_a_server_without_meeting(base: Base, lite: str, tmp_path: Path) -> None:
    other = Base(tmp_path / "other", lite)
    other.put("pump", "another filter")
    assert other.found("filter") == ["another filter"]
    assert base.found("filter") == [PUMP[1]]
    other.store.close()


def test_an_empty_knowledge_base_finds_nothing(lite: str, tmp_path: Path) -> None:
    base = Base(tmp_path / "empty", lite)
    with base.store.read() as reader:
        index = base.indexes.at(reader)
        assert (len(index), index.dense(AIMS, 5), index.parents(AIMS, 5), index.lexical(["x"], 5)) == (
            0,
            [],
            [],
            [],
        )
        assert (index.mean_by_language, index.document_frequency("x")) == ({}, 0)
        assert index.hybrid(AIMS, ["x"], 5, k=10) == []
    base.store.close()


@pytest.mark.parametrize(
    "text", ["GB/T 7714-2015", "v2.13.0 don't", "年休假 ＡＢＣ", "a_b \ud800 \U0001f600"]
)
def test_any_token_reaches_the_server_whole(text: str) -> None:
    tokens = [*analyze(text), *text.split()]
    assert re.findall(r"[^\W_]+", words_text(tokens).lower()) == [word_of(token) for token in tokens]


def test_a_text_of_too_many_words_keeps_each_of_them_once() -> None:
    tokens = [str(number % 5000) for number in range(20_000)]
    words = words_text(tokens)
    assert len(words.encode()) <= 65_535
    assert set(words.split()) == {word_of(token) for token in set(tokens)}


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        (None, 'seq <= 3 and version not in ["gone"]'),
        (["a", "b", "c"], 'seq <= 3 and version not in ["gone"]'),
        (["b", "unknown"], 'seq <= 3 and version in ["k-b"]'),
        (["a", "b"], 'seq <= 3 and version not in ["gone", "k-c"]'),
        ([], None),
        (["unknown"], None),
    ],
)
def test_the_shorter_list_of_versions_is_named(allowed: list[str] | None, expected: str | None) -> None:
    view = View(seq=3, keys={name: f"k-{name}" for name in "abc"}, hidden=frozenset({"gone"}))
    assert view.filter(allowed) == expected


def test_the_whole_program_finds_the_same_as_with_the_local_index(lite: str, tmp_path: Path) -> None:
    found = []
    for index in ({"name": "local"}, {"name": "milvus", "milvus_uri": lite}):
        settings = Settings(home=tmp_path / index["name"], index=index, embedding={"name": "hashing"})  # type: ignore[arg-type]
        base = KnowledgeBase(settings)
        for name, text in (("handbook.md", HANDBOOK), ("manual.md", MANUAL)):
            (tmp_path / name).write_text(text, "utf-8")
        sources = [Source(name=name, path=tmp_path / name) for name in ("handbook.md", "manual.md")]
        assert not any(result.error for result in make_ingest(base).add_sources(sources, "default").files)
        questions = ("病假需要什么条件", "How often is the filter replaced?", "一线城市经理的住宿标准")
        found.append([[p.span for p in base.search(question).passages] for question in questions])
        base.workspace.remove(["manual.md"])
        found[-1].append([p.span for p in base.search("How often is the filter replaced?").passages])
        base.workspace.close()
    assert found[0] == found[1]


def test_without_the_package_the_install_line_is_named(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    with pytest.raises(MissingExtraError, match=r"youju\[milvus\]"):
        base.found("filter", base.opened())


class _Process:
    """Milvus Lite as a server of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "milvus_lite", "server", "--data-dir", str(self.folder)]
        self._process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _until(lambda: socket.create_connection(("127.0.0.1", self.port), timeout=1).close())

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def _until(attempt: Callable[[], None]) -> None:
    for _ in range(200):
        try:
            return attempt()
        except OSError:
            time.sleep(0.05)
    raise AssertionError("it never answered")


def test_a_server_that_goes_away_is_said_and_found_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    process = _Process(tmp_path / "server.db")
    try:
        base = Base(tmp_path / "home", f"http://user:secret@127.0.0.1:{process.port}")
        base.put("pump", *PUMP)
        assert base.found("filter") == [PUMP[1]]
        with pytest.raises(IndexLockedError) as locked:
            Base(tmp_path / "home", str(process.folder)).found("filter")
        assert "server.db" in locked.value.message("zh")
        process.kill()
        base.put("news", "filter news")
        started = time.monotonic()
        with pytest.raises(IndexUnreachableError) as caught:
            base.found("filter")
        assert time.monotonic() - started < 4
        for language, words in (("zh", "连不上"), ("en", "cannot be reached")):
            text = caught.value.message(language)
            assert words in text and f"127.0.0.1:{process.port}" in text and "secret" not in text
        process.start()
        assert sorted(base.found("filter")) == [PUMP[1], "filter news"]
        base.store.close()
    finally:
        process.kill()
    assert "Traceback" not in capfd.readouterr().err
