"""The local index on disk and in memory: never a wrong answer, whatever happens to its files."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as run
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.errors import ModelMismatchError, StoreDamagedError
from ingest.indexes import files
from ingest.indexes.analyzer import analyze
from ingest.indexes.cache import LocalIndexes
from ingest.indexes.local import LocalIndex
from tests.contracts.test_search_index import LEAVE, PUMP, TRIPS, aims_of, assert_sound
from tests.search_base import MODEL, MadeUpEmbedder, SearchBase


@pytest.fixture(params=["bm25plus", "tantivy"])
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchBase]:
    made = SearchBase(tmp_path / "知识 库", lexical=request.param)
    made.put("leave", *LEAVE)
    made.put("pump", *PUMP)
    yield made
    made.store.close()


def opened(base: SearchBase) -> LocalIndexes:
    return LocalIndexes(base.settings, base.store, MadeUpEmbedder())


def sound(base: SearchBase, indexes: LocalIndexes | None = None) -> LocalIndex:
    """The index at the newest generation, after it was compared with a slow search."""
    with base.store.read() as reader:
        index = (indexes or opened(base)).at(reader)
        assert_sound(index, reader)
    return index


def whole(base: SearchBase, indexes: LocalIndexes | None = None) -> None:
    """Every chunk is found by meaning and by words, and nothing else is."""
    with base.store.read() as reader:
        index = (indexes or opened(base)).at(reader)
        chunks = list(reader.all_chunks())
        stored = sorted(chunk.id for chunk in chunks)
        assert sorted(hit.chunk_id for hit in index.dense(aims_of(index), 100)) == stored
        tokens = [token for chunk in chunks for token in analyze(chunk.embed_text)]
        assert sorted(hit.chunk_id for hit in index.lexical(tokens, 100)) == stored


def current(base: SearchBase) -> Path:
    root = base.settings.home / "index"
    return root / (root / "CURRENT").read_text().split()[0]


def files_of(base: SearchBase) -> list[Path]:
    return sorted(path for path in current(base).rglob("*") if path.is_file() and path.suffix != ".lock")


def test_stored_files_are_used_again_without_reading_the_store(base: SearchBase) -> None:
    index = sound(base)
    loaded = files.load(base.settings.home / "index", MODEL)
    assert loaded is not None
    assert loaded.versions == index.versions
    assert loaded.generation == index.generation
    again = sound(base)
    assert [held.segment.name for held in again.parts] == [held.segment.name for held in index.parts]
    assert len(list((base.settings.home / "index").glob("gen-*"))) == 1


@pytest.mark.parametrize("how", ["missing", "empty", "half", "first", "last", "other"])
def test_damaged_files_are_never_believed(base: SearchBase, how: str) -> None:
    sound(base)
    kept = base.settings.home / "kept"
    shutil.copytree(base.settings.home / "index", kept)
    for number in range(len(files_of(base)) + 1):
        shutil.rmtree(base.settings.home / "index")
        shutil.copytree(kept, base.settings.home / "index")
        path = [*files_of(base), base.settings.home / "index" / "CURRENT"][number]
        damage(path, how, next(other for other in files_of(base) if other != path))
        whole(base)


def damage(path: Path, how: str, other: Path) -> None:
    data = path.read_bytes()
    size = len(data)
    flipped = {"first": 0, "last": size - 1}
    if how == "missing":
        path.unlink()
    elif how in flipped:
        at = flipped[how]
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x11]) + data[at + 1 :] if size else b"x")
    else:
        kept = {"empty": 0, "half": size // 2}.get(how)
        path.write_bytes(other.read_bytes() if kept is None else data[:kept])


class Killed(BaseException):
    """The program ends here."""


def breaking(
    monkeypatch: pytest.MonkeyPatch, root: Path, at: int, error: Callable[[], BaseException], *, once: bool
) -> list[int]:
    """From the operation number ``at`` on (or only there) whatever writes under ``root`` fails.

    Returns a list that grows by one with every operation.
    """
    seen: list[int] = []

    def guarded(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            writes = original is not Path.open or arguments[1:2] == ("wb",)
            if writes and any(str(root) in str(argument) for argument in arguments):
                seen.append(len(seen))
                if seen[-1] == at or (seen[-1] > at and not once):
                    raise error()
            return original(*arguments, **named)

        return call

    for owner, name in (
        (os, "link"),
        (shutil, "copyfile"),
        (Path, "replace"),
        (Path, "open"),
        (Path, "mkdir"),
    ):
        monkeypatch.setattr(owner, name, guarded(getattr(owner, name)))
    return seen


# So many operations lie between one that fails and the next one that is tried.
STRIDE = 3


@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("change", ["replace", "first"])
def test_a_full_disk_at_any_moment_loses_nothing(
    base: SearchBase, change: str, once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for operation in range(0, 100, STRIDE):
        indexes = prepared(base, change, operation)
        with monkeypatch.context() as patch:
            full = lambda: OSError(errno.ENOSPC, "No space left on device")  # noqa: E731
            seen = breaking(patch, base.settings.home / "index", operation, full, once=once)
            whole(base, indexes)
        whole(base)
        if len(seen) <= operation:
            return
    raise AssertionError("it never ended")


@pytest.mark.parametrize("change", ["replace", "first"])
def test_ending_between_any_two_file_operations_loses_nothing(
    base: SearchBase, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for operation in range(0, 100, STRIDE):
        indexes = prepared(base, change, operation)
        with monkeypatch.context() as patch:
            breaking(patch, base.settings.home / "index", operation, Killed, once=True)
            try:
                whole(base, indexes)
            except Killed:
                pass
            else:
                return
        whole(base)
    raise AssertionError("it never ended")


def prepared(base: SearchBase, change: str, turn: int) -> LocalIndexes:
    """An index of the generation before a change that is then made in the store."""
    shutil.rmtree(base.settings.home / "index", ignore_errors=True)
    indexes = opened(base)
    if change == "replace":
        with base.store.read() as reader:
            indexes.at(reader)
        base.put("leave", f"年休假改为{turn}天", "病假另有规定")
    return indexes


def test_another_model_is_refused_and_its_files_are_not_used(base: SearchBase) -> None:
    sound(base)
    assert files.load(base.settings.home / "index", "other-model/8/l2") is None

    class Other(MadeUpEmbedder):
        fingerprint = "other-model/8/l2"

    class Larger(MadeUpEmbedder):
        fingerprint = "made-up-1/16/l2"
        dimension = 16

    for embedder in (Other(), Larger()):
        with base.store.read() as reader, pytest.raises(ModelMismatchError) as caught:
            LocalIndexes(base.settings, base.store, embedder).at(reader)
        assert MODEL in str(caught.value)
        assert embedder.fingerprint in str(caught.value)


def test_a_chunk_without_a_vector_is_an_error_not_a_gap(base: SearchBase) -> None:
    import sqlite3

    with sqlite3.connect(base.settings.home / "youju.db") as database:
        database.execute("DELETE FROM vectors WHERE rowid = 1")
    with base.store.read() as reader, pytest.raises(StoreDamagedError):
        opened(base).at(reader)


def test_an_index_that_lost_rows_is_made_anew(base: SearchBase, caplog: pytest.LogCaptureFixture) -> None:
    index = sound(base)
    indexes = opened(base)
    short = LocalIndex(
        generation=index.generation - 1, model=MODEL, dimension=8, parts=index.parts[:0], words=index.words
    )
    indexes._held = (short,)
    with base.store.write() as writer:
        writer.touch()
    sound(base, indexes)
    assert "made anew" in caplog.text


def test_what_is_removed_is_gone_from_all_files(tmp_path: Path) -> None:
    base = SearchBase(tmp_path / "home", lexical="bm25plus")
    base.put("secret", "Kanarienvogel unter der Treppe", "nichts weiter")
    base.put("pump", *PUMP)
    indexes = opened(base)
    sound(base, indexes)
    held = [path for path in (tmp_path / "home" / "index").rglob("*") if path.is_file()]
    assert any(b"kanarienvogel" in path.read_bytes() for path in held)
    base.remove("secret")
    sound(base, indexes)
    for path in (tmp_path / "home" / "index").rglob("*"):
        assert not path.is_file() or b"kanarienvogel" not in path.read_bytes()


def test_unchanged_files_are_links_to_those_of_the_generation_before(tmp_path: Path) -> None:
    base = SearchBase(tmp_path / "home", lexical="tantivy")
    base.put("leave", *(f"第{i}条 年休假" for i in range(60)))
    indexes = opened(base)
    sound(base, indexes)
    before = {path.name: path.stat().st_ino for path in files_of(base)}
    base.put("pump", *PUMP)
    sound(base, indexes)
    after = {path.name: path.stat().st_ino for path in files_of(base)}
    shared = {name for name, inode in after.items() if before.get(name) == inode}
    assert {Path(name).suffix for name in shared} >= {".faiss", ".npz", ".term", ".idx", ".store"}
    assert not {"manifest.json", "meta.json"} & shared


def test_the_index_by_words_follows_the_number_of_chunks_but_not_to_and_fro(tmp_path: Path) -> None:
    base = SearchBase(tmp_path / "home", lexical="auto", tantivy_from=6)
    indexes = opened(base)
    kinds = []
    for name, texts in (("leave", LEAVE), ("pump", PUMP), ("trips", TRIPS)):
        base.put(name, *texts)
        kinds.append(sound(base, indexes).words.name)
    for name in ("trips", "pump", "leave"):
        base.remove(name)
        kinds.append(sound(base, indexes).words.name)
    assert kinds == ["bm25plus", "tantivy", "tantivy", "tantivy", "tantivy", "bm25plus"]


def test_writers_and_readers_at_once_never_see_a_half(tmp_path: Path) -> None:
    """Six writers and six readers of three processes' worth of indexes on one home."""
    base = SearchBase(tmp_path / "home", lexical="auto", tantivy_from=12)
    shared = [opened(base) for _ in range(3)]
    barrier, errors = threading.Barrier(12), list[BaseException]()

    def guarded(work: Callable[[int], None]) -> Callable[[int], None]:
        def call(number: int) -> None:
            barrier.wait()
            try:
                work(number)
            except BaseException as exc:  # noqa: BLE001 - whatever it is, the test shows it
                errors.append(exc)

        return call

    def write(number: int) -> None:
        for turn in range(3):
            base.put(f"doc {number}", f"第{turn}版 编号{number}", "年休假 pump")
            with base.store.read() as reader:
                shared[number % 3].at(reader)

    def read(number: int) -> None:
        for _ in range(6):
            with base.store.read() as reader:
                index = shared[number % 3].at(reader)
                hits = index.lexical(analyze("年休假 编号"), 50)
                assert len(reader.chunks([hit.chunk_id for hit in hits])) == len(hits) == len(index)

    threads = [threading.Thread(target=guarded(work), args=(n,)) for n in range(6) for work in (write, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(sound(base)) == 12


def test_no_pickle_anywhere() -> None:
    root = Path(__file__).resolve().parents[3]
    for package in ("core", "ingest", "retrieval", "evaluation", "app"):
        for path in (root / package).rglob("*.py"):
            source = path.read_text("utf-8")
            assert "import pickle" not in source
            assert "load_local" not in source


class Model(RuleBasedStateMachine):
    """Any order of adding, replacing, removing, reopening, with readers left behind (B38)."""

    @initialize()
    def start(self) -> None:
        import tempfile

        self.folder = tempfile.mkdtemp()
        self.base = SearchBase(Path(self.folder), lexical="auto", tantivy_from=6)
        self.indexes = opened(self.base)
        self.names: set[str] = set()

    @rule(
        name=st.sampled_from("abcd"),
        texts=st.lists(st.sampled_from((*LEAVE, *PUMP, *TRIPS)), min_size=1, max_size=4),
    )
    def put(self, name: str, texts: list[str]) -> None:
        self.base.put(name, *texts)
        self.names.add(name)

    @rule(name=st.sampled_from("abcd"))
    def remove(self, name: str) -> None:
        if name in self.names:
            self.base.remove(name)
            self.names.discard(name)

    @rule()
    def reopen(self) -> None:
        self.indexes = opened(self.base)

    @rule()
    def another_process_goes_first(self) -> None:
        with self.base.store.read() as reader:
            opened(self.base).at(reader)

    @rule()
    def crash_while_writing(self) -> None:
        for path in (Path(self.folder) / "index").glob("gen-*/*.npz"):
            path.write_bytes(path.read_bytes()[:7])

    @invariant()
    def finds_what_is_stored(self) -> None:
        if hasattr(self, "base"):
            sound(self.base, self.indexes)

    def teardown(self) -> None:
        self.base.store.close()
        shutil.rmtree(self.folder)


TestModel = Model.TestCase
TestModel.settings = run(max_examples=4, stateful_step_count=12, deadline=None)
