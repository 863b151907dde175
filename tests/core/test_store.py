"""Opening the store: what is wrong is said, nothing is overwritten, and writers wait for each other."""

from __future__ import annotations

import resource
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.errors import HomeUnwritableError, StoreBusyError, StoreDamagedError, StoreVersionError
from core.store import Store
from core.store.blobs import Blobs


def test_odd_folder_names_work(tmp_path: Path) -> None:
    for name in ("数据 目录", "a?b#c%20", "x;y"):
        with Store(tmp_path / name).read() as reader:
            assert reader.generation() == 0
        assert (tmp_path / name / "youju.db").exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeUnwritableError) as caught:
        Store(tmp_path / "file")
    assert "YOUJU_HOME" in caught.value.message("zh")


def test_what_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "youju.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreDamagedError):
        Store(tmp_path)
    assert (tmp_path / "youju.db").read_bytes().startswith(b"not a database")


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'youju.db'}")
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE meta SET value = '99' WHERE key = 'schema_version'"))
    engine.dispose()
    with pytest.raises(StoreVersionError) as caught:
        Store(tmp_path)
    assert "99" in str(caught.value)


def test_what_fails_inside_a_write_leaves_no_trace(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(RuntimeError, match="midway"), store.write() as writer:
        writer.ensure_collection("half")
        writer.touch()
        raise RuntimeError("midway")
    with store.read() as reader:
        assert reader.collections() == ()
        assert reader.generation() == 0


def test_a_second_writer_waits_and_gives_up_with_a_message(tmp_path: Path) -> None:
    first, second = Store(tmp_path), Store(tmp_path, lock_timeout_s=0.2)
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with first.write():
            holding.set()
            done.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait(10)
    started = time.monotonic()
    with pytest.raises(StoreBusyError), second.write():
        pass
    assert 0.15 < time.monotonic() - started < 5
    done.set()
    thread.join()
    with second.write() as writer:
        writer.ensure_collection("after")


def test_an_original_that_cannot_be_written_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    digest = blobs.put(b"abc")
    (tmp_path / "blobs" / digest[:2] / digest).unlink()
    (tmp_path / "blobs" / digest[:2] / digest).mkdir()
    with pytest.raises(StoreDamagedError):
        blobs.get(digest)
    with pytest.raises(HomeUnwritableError):
        blobs.remove(digest)
    (tmp_path / "blobs" / digest[:2] / digest).rmdir()
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
    try:
        with pytest.raises(HomeUnwritableError) as caught:
            blobs.put(b"x" * 2000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert str(tmp_path) in str(caught.value)
    assert [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()] == []


def test_originals_are_stored_once_and_checked(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    digest = blobs.put(b"abc")
    assert blobs.put(b"abc") == digest
    assert blobs.get(digest) == b"abc"
    blobs.path(digest).write_bytes(b"abd")
    with pytest.raises(StoreDamagedError):
        blobs.get(digest)
    blobs.remove(digest)
    blobs.remove(digest)
    with pytest.raises(StoreDamagedError):
        blobs.get(digest)
