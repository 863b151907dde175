"""What is special about a server: it may be away, other machines write to it, and it has a password."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import SettingsError, StoreBusyError, StoreUnreachableError
from core.settings import Settings, load_settings
from core.store import Store
from core.store.waiting import Holder
from ingest.workspace import Workspace
from tests.core.store.conftest import OpenStore
from tests.core.store.documents import prepared
from tests.postgresql import Server

ROOT = Path(__file__).parents[3]


def test_machines_with_folders_of_their_own_share_one_truth(open_postgres: OpenStore) -> None:
    first, second = open_postgres("one"), open_postgres("two")
    with first.read() as before:
        assert before.generation() == 0
        with second.write() as writer:
            writer.put(prepared("a", "x"))
        assert before.generation() == 0
        assert before.documents() == ()
    with first.read() as after:
        assert after.generation() == 1
        assert after.document("a").chunk_count == 1
        assert after.identity()


def test_a_writer_on_another_machine_is_waited_for(open_postgres: OpenStore) -> None:
    waited: list[Holder] = []
    first = open_postgres("one")
    second = open_postgres("two", lock_timeout_s=1.3, on_wait=waited.append)
    with first.write() as writer:
        writer.ensure_collection("held")
        with pytest.raises(StoreBusyError), second.write():
            pass
        with pytest.raises(StoreBusyError), second.exclusive(timeout_s=0.1):
            pass
    [holder] = waited
    assert (holder.pid, holder.host) == (os.getpid(), platform.node())
    assert abs((datetime.now(UTC) - holder.since).total_seconds()) < 60
    with second.write() as writer:
        assert writer.reader.collections() == ("held",)


def test_stores_in_other_schemas_do_not_wait(postgres: Server, tmp_path: Path) -> None:
    stores = [Store(tmp_path / name, url=postgres.fresh_url(), lock_timeout_s=0.2) for name in "ab"]
    with stores[0].write() as one, stores[1].write() as other:
        one.ensure_collection("one")
        assert other.reader.collections() == ()
    for store in stores:
        store.close()


def test_a_server_that_is_away_is_said_without_the_password(tmp_path: Path) -> None:
    url = "postgresql://someone:canary@127.0.0.1:9/base?connect_timeout=2"
    with pytest.raises(StoreUnreachableError) as caught:
        Store(tmp_path, url=url)
    for language in ("zh", "en"):
        message = caught.value.message(language)
        assert "127.0.0.1:9/base" in message
        assert "canary" not in message
        assert "someone" not in message


def test_a_server_that_goes_and_comes_back(postgres: Server, tmp_path: Path) -> None:
    url = postgres.fresh_url()
    store = Store(tmp_path, url=url)
    with store.write() as writer:
        writer.put(prepared("a", "x"))
    with pytest.raises(StoreUnreachableError), store.write() as writer:
        writer.put(prepared("b", "y"))
        postgres.stop()
        writer.put(prepared("c", "z"))
    with pytest.raises(StoreUnreachableError), store.read() as reader:
        reader.documents()
    postgres.start()
    with store.read() as reader:
        assert [row.name for row in reader.documents()] == ["a"]
    with store.write() as writer:
        writer.put(prepared("b", "y"))
    store.close()


@pytest.mark.parametrize(
    "url", ["mysql://u:canary@h/b", "sqlite:///canary.db", "canary", "postgresql://u:canary@h:x/b"]
)
def test_another_kind_of_url_is_a_wrong_setting(tmp_path: Path, url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Store(tmp_path, url=url)
    assert "YOUJU_STORE_URL" in str(caught.value)
    assert "canary" not in str(caught.value)


def test_a_missing_driver_names_what_to_install(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
sys.modules["psycopg"] = None
from core.errors import MissingExtraError
from core.store import Store
try:
    Store(Path(sys.argv[1]), url="postgresql://h/b")
except MissingExtraError as exc:
    print(exc)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "pip install 'youju[postgres]'" in done.stdout


@pytest.mark.parametrize("variable", ["YOUJU_STORE_URL", "STORE_URL"])
def test_the_setting_reaches_the_store_and_hides_the_password(
    monkeypatch: pytest.MonkeyPatch, postgres: Server, tmp_path: Path, variable: str
) -> None:
    monkeypatch.setenv(variable, postgres.fresh_url())
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    settings = load_settings()
    assert "canary" not in repr(settings)
    workspace = Workspace(settings)
    with workspace.store.write() as writer:
        writer.ensure_collection("there")
    workspace.close()
    assert not (tmp_path / "home" / "youju.db").exists()
    assert Settings(home=tmp_path).store_url is not None


def test_writers_and_readers_of_two_machines_at_once(open_postgres: OpenStore) -> None:
    stores = [open_postgres(name) for name in ("one", "two")]
    _hammer(stores)


def test_writers_and_readers_at_once_on_sqlite(tmp_path: Path) -> None:
    stores = [Store(tmp_path) for _ in range(2)]
    _hammer(stores)
    for store in stores:
        store.close()


def _hammer(stores: list[Store]) -> None:
    """Every reader sees whole documents of one generation; no write is lost."""
    done = threading.Event()

    def write(number: int) -> None:
        for round_ in range(5):
            with stores[number % 2].write() as writer:
                writer.put(prepared(f"{number}", f"{number} {round_}", f"{round_}"))

    def read(number: int) -> None:
        while not done.is_set():
            with stores[number % 2].read() as reader:
                before = reader.generation()
                for row in reader.documents():
                    chunks = reader.chunks_of(row.version_id)
                    text = reader.version(row.version_id).text
                    assert [c.span.of(text) for c in chunks] == [c.embed_text for c in chunks]
                    assert len(reader.vectors([c.embed_hash for c in chunks], "model-a")) == 2
                assert reader.generation() == before

    with ThreadPoolExecutor(10) as pool:
        readers = [pool.submit(read, number) for number in range(6)]
        try:
            list(pool.map(write, range(4)))
        finally:
            done.set()
        for reader in readers:
            reader.result()
    with stores[0].read() as reader:
        assert reader.generation() == 20
        assert {row.version_number for row in reader.documents()} == {5}
