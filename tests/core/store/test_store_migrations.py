"""Stores of earlier versions of the program are opened by today's, with everything in them."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from core.errors import StoreDamagedError, StoreVersionError
from core.hashing import stable_id
from core.scope import Scope, Visibility
from core.store import Store, migrations
from core.store.records import embed_hash_of
from tests.core.store.conftest import OpenStore
from tests.core.store.documents import prepared, record

DDL = Path(__file__).with_name("version_1.sql")
COLLECTION = stable_id("collection", "default")
TEXT = "员工请假。\nThe pump."


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store of schema version 1 with one document of two chunks."""
    with sqlite3.connect(tmp_path / "youju.db") as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(DDL.read_text("utf-8"))
        meta = {"schema_version": "1", "generation": "7", "embedding_model": "m"}
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        connection.execute("INSERT INTO collections VALUES (?, 'default', 'now')", [COLLECTION])
        connection.execute(
            "INSERT INTO documents VALUES ('d', ?, 'a.md', 'v', 1, 'now', 'now')", [COLLECTION]
        )
        connection.execute(
            "INSERT INTO versions VALUES ('v', 'd', 1, 'sha', 20, 'f', 'text/plain', 'A', 'zh', 0, '[]', ?, 'now')",
            [TEXT],
        )
        connection.execute("INSERT INTO blocks VALUES ('v', 0, 'paragraph', 99, 0, 15, '[]')")
        connection.execute("INSERT INTO parents VALUES ('p', 'v', 0, 0, 15, '[]', 9)")
        for ordinal, (start, end) in enumerate(((0, 5), (6, 15))):
            text = TEXT[start:end]
            connection.execute(
                "INSERT INTO chunks VALUES (?, 'v', 'p', 's', ?, ?, ?, '[]', '[]', '[]', 4, ?, ?, NULL, NULL)",
                [f"k{ordinal}", ordinal, start, end, text, embed_hash_of(text)],
            )
            data = np.array([ordinal, 1], dtype=np.float32).tobytes()
            connection.execute("INSERT INTO vectors VALUES (?, 'm', ?)", [embed_hash_of(text), data])
    connection.close()
    return tmp_path


def version_of(home: Path) -> str:
    connection = sqlite3.connect(home / "youju.db")
    try:
        return str(connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()[0])
    finally:
        connection.close()


def test_everything_is_still_there_and_the_new_columns_are_filled(home: Path) -> None:
    store = Store(home)
    with store.read() as reader:
        row = reader.document("a.md")
        assert (row.owner, row.visibility, row.chunk_count) == ("", Visibility.COLLECTION, 2)
        assert reader.version("v").text == TEXT
        assert reader.blocks("v")[0].span.of(TEXT) == TEXT
        chunks = reader.chunks_of("v")
        assert [(chunk.language, chunk.dates) for chunk in chunks] == [("zh", ()), ("en", ())]
        vectors = reader.vectors([chunk.embed_hash for chunk in chunks], "m")
        assert [vectors[chunk.embed_hash][0] for chunk in chunks] == [0, 1]
        assert reader.generation() == 7
        assert reader.identity()
        assert reader.collection_rows()[0].members == ()
        assert reader.can_see("v", Scope(viewer="anybody"))
    with store.write() as writer:
        writer.put(prepared("b", "x", model="m"))
    store.close()
    assert version_of(home) == "3"
    with Store(home).read() as reader:
        assert [row.name for row in reader.documents()] == ["a.md", "b"]


def test_the_migrated_tables_are_those_of_a_new_store(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    new = tmp_path_factory.mktemp("new")
    for folder in (home, new):
        Store(folder).close()

    def columns(folder: Path) -> dict[str, set[tuple[object, ...]]]:
        with sqlite3.connect(folder / "youju.db") as connection:
            tables = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            return {
                table: {
                    (row[1], row[2].replace("BIGINT", "INTEGER"), row[3], row[4], row[5])
                    for row in connection.execute(f"PRAGMA table_info({table})")
                }
                for table in tables
            }

    assert columns(home) == columns(new)


@pytest.fixture(params=["sqlite", "postgresql"])
def second_version(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """A store of schema version 2 with one collection, on each database, and how to open it."""
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    url = server.fresh_url() if server else ""
    file = tmp_path / "home" / "youju.db"
    file.parent.mkdir()
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:") or f"sqlite:///{file}")
    name = "version_2_postgresql.sql" if server else "version_2.sql"
    with engine.begin() as connection:
        for statement in DDL.with_name(name).read_text("utf-8").split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
        connection.exec_driver_sql("INSERT INTO meta VALUES ('schema_version', '2'), ('generation', '7')")
        connection.exec_driver_sql("INSERT INTO collections VALUES ('c', 'laws', 'now', '[\"ann\"]')")
    engine.dispose()
    opened: list[Store] = []

    def open_it(home: str = "home") -> Store:
        opened.append(Store(tmp_path / home, url=url))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


def test_the_second_version_gets_a_place_for_answers(second_version: OpenStore) -> None:
    store = second_version()
    with store.recording() as writer:
        writer.put(record("a1"))
    with store.read() as reader:
        assert reader._meta("schema_version") == "3"
        assert reader.generation() == 7
        assert [(row.name, row.members) for row in reader.collection_rows()] == [("laws", ("ann",))]
        assert reader.answer("a1") == record("a1")
    with second_version().read() as reader:
        assert reader.count("answers") == 1


def test_the_answers_of_a_migrated_store_lie_as_in_a_new_one(
    second_version: OpenStore, tmp_path: Path
) -> None:
    def described(store: Store) -> list[tuple[str, str, bool]]:
        with store.read() as reader:
            inspector = sa.inspect(reader._connection)
            found = {column["name"]: column for column in inspector.get_columns("answers")}
            indexes = [(index["name"] or "", "", False) for index in inspector.get_indexes("answers")]
        kinds = [
            (name, repr(c["type"]).replace("VARCHAR", "TEXT"), c["nullable"]) for name, c in found.items()
        ]
        return sorted(kinds + indexes)

    store = second_version()
    new = tmp_path / "new"
    if store._database.__class__.__name__ == "SqliteDatabase":
        fresh = Store(new)
        assert described(store) == described(fresh)
        fresh.close()
    else:
        migrated = described(store)
        with store._database.recording() as connection:  # type: ignore[attr-defined]
            migrations.schema.answers.drop(connection)
            migrations.schema.answers.create(connection)
            connection.commit()
        assert described(store) == migrated


def test_a_crash_in_the_middle_leaves_the_first_version(home: Path) -> None:
    code = f"""
import os
from pathlib import Path
from core.store import Store, migrations
migrations.language_of = lambda text: os._exit(9)
Store(Path({json.dumps(str(home))}))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False)
    assert done.returncode == 9
    assert version_of(home) == "1"
    with Store(home).read() as reader:
        assert [chunk.language for chunk in reader.chunks_of("v")] == ["zh", "en"]


def test_many_programs_may_start_at_once(home: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for store in pool.map(lambda _: Store(home), range(8)):
            store.close()
    assert version_of(home) == "3"


@pytest.mark.parametrize("found", ["99", "4", "0", "-1", "two"])
def test_other_versions_are_refused_and_left_alone(tmp_path: Path, found: str) -> None:
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / "youju.db") as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", [found])
    connection.close()
    with pytest.raises(StoreVersionError) as caught:
        Store(tmp_path)
    assert caught.value.details == {"found": found, "expected": 3}
    assert version_of(tmp_path) == found


def test_a_program_that_was_overtaken_writes_no_more(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.write() as writer:
        writer.put(prepared("a", "x"))
        writer._set_meta("schema_version", "4")
    with pytest.raises(StoreVersionError), store.write():
        pass
    with pytest.raises(StoreVersionError), store.recording():
        pass
    with store.read() as reader:
        assert reader.document("a").name == "a"


def test_tables_without_a_version_are_damaged(home: Path) -> None:
    with sqlite3.connect(home / "youju.db") as connection:
        connection.execute("DELETE FROM meta")
    connection.close()
    with pytest.raises(StoreDamagedError):
        Store(home)


def test_an_emptied_database_beside_originals_is_no_new_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.blobs.put(b"original")
    store.close()
    (tmp_path / "youju.db").write_bytes(b"")
    with pytest.raises(StoreDamagedError):
        Store(tmp_path)


def test_steps_lead_to_todays_version() -> None:
    assert len(migrations._STEPS) == migrations.schema.SCHEMA_VERSION - 1
