"""Records of answers: rows of their own, written beside whoever writes documents."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from core.errors import StoreBusyError, UnknownAnswerError
from core.store import AnswerRow, Store, sqlite
from tests.core.store.conftest import OpenStore
from tests.core.store.documents import prepared, record


def put(store: Store, *rows: AnswerRow) -> None:
    with store.recording() as writer:
        for row in rows:
            writer.put(row)


def test_a_record_comes_back_as_it_was(store: Store) -> None:
    odd = record("odd", question="a\0b")
    put(store, record("a"), odd)
    with store.read() as reader:
        assert reader.answer("a") == record("a")
        assert reader.answer("odd") == odd
        with pytest.raises(UnknownAnswerError):
            reader.answer("b")


def test_half_a_character_of_a_question_is_replaced_in_lists(store: Store) -> None:
    put(store, record("a", question="x\ud83dy"))
    with store.read() as reader:
        assert reader.answer("a").question == "x\ufffdy"


def test_lists_are_newest_first_and_of_one_owner(store: Store) -> None:
    days = {"old": "2026-01-01", "new": "2026-03-01", "other": "2026-02-01"}
    put(store, *(record(key, created_at=day, owner="ann" * (key != "other")) for key, day in days.items()))
    with store.read() as reader:
        assert [row.id for row in reader.answers()] == ["new", "other", "old"]
        assert [row.id for row in reader.answers("ann")] == ["new", "old"]
        assert [row.id for row in reader.answers(limit=1)] == ["new"]
        assert reader.answers("") == (record("other", created_at="2026-02-01"),)


def test_records_are_deleted_by_id_and_by_age(store: Store) -> None:
    put(store, *(record(key, created_at=f"2026-01-0{key}T00:00:00+00:00") for key in "1234"))
    with store.recording() as writer:
        assert writer.delete(["2", "nothing"]) == 1
        assert writer.delete_before("2026-01-04T00:00:00+00:00") == 2
    with store.read() as reader:
        assert [row.id for row in reader.answers()] == ["4"]


def test_what_fails_leaves_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.recording() as writer:
        writer.put(record("a"))
        raise ZeroDivisionError
    with store.read() as reader:
        assert reader.answers() == ()


def test_a_record_starts_no_generation_and_needs_no_lock(store: Store) -> None:
    """Who adds documents holds the lock for minutes, and writes for moments."""
    with store.write() as writer:
        writer.put(prepared("a", "x"))
    with store.exclusive():
        put(store, record("a"))
    with store.read() as reader:
        assert reader.generation() == 1
        assert reader.answer("a")


def test_on_a_server_a_record_waits_for_no_writer_at_all(open_postgres: OpenStore) -> None:
    first, second = open_postgres("one"), open_postgres("two")
    with first.write() as writer:
        writer.put(prepared("a", "x"))
        put(second, record("a"))
        with second.read() as reader:
            assert reader.answer("a")


def test_a_long_commit_is_not_waited_for_and_the_next_writer_has_its_patience_back(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_RECORD_TIMEOUT_S", 0)
    store = Store(tmp_path_factory.mktemp("home"))
    with store.write() as writer:
        writer.put(prepared("a", "x"))
        refused = threading.Event()

        def try_it() -> None:
            with pytest.raises(StoreBusyError):
                put(store, record("a"))
            with store._database.reading() as connection:  # type: ignore[attr-defined]
                assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 30_000
            refused.set()

        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join(10)
        assert refused.is_set()
    put(store, replace(record("a"), owner="ann"))
    with store.read() as reader:
        assert reader.answer("a").owner == "ann"
        assert reader.document("a")
    store.close()
