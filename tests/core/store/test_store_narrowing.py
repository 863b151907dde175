"""A scope that asks for a kind of file or for a time: two documents, of which it sees one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import StoreDamagedError
from core.scope import Scope
from core.store import PreparedDocument, Store
from tests.core.store.documents import prepared


def dated(name: str, media_type: str, *dates: tuple[str, ...]) -> PreparedDocument:
    """A document whose chunks name these dates."""
    made = prepared(name, *(f"{name} {number}" for number in range(len(dates))))
    chunks = tuple(replace(chunk, dates=found) for chunk, found in zip(made.chunks, dates, strict=True))
    return replace(made, chunks=chunks, document=replace(made.document, media_type=media_type))


def seen(store: Store, scope: Scope) -> set[str]:
    with store.read() as reader:
        visible = reader.visible_versions(scope)
        rows = reader.documents()
        names = {row.name for row in rows if visible is None or row.version_id in visible}
        assert names == {row.name for row in rows if reader.can_see(row.version_id, scope)}
    return names


@pytest.fixture
def files(store: Store) -> Store:
    with store.write() as writer:
        writer.put(dated("Rules.PDF", "application/pdf", ("2019", "2021-06"), ()))
        writer.put(dated("notes.md", "text/markdown", (), ("2024-05-10",)))
    return store


@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        (("pdf",), {"Rules.PDF"}),
        ((".MD",), {"notes.md"}),
        (("markdown",), {"notes.md"}),
        (("text",), {"notes.md"}),
        (("pdf", "md"), {"Rules.PDF", "notes.md"}),
        (("docx",), set()),
        ((), set()),
    ],
)
def test_a_kind_is_an_extension_or_part_of_a_media_type(
    files: Store, kinds: tuple[str, ...], names: set[str]
) -> None:
    assert seen(files, Scope(kinds=kinds)) == names


def test_a_file_without_extension_has_the_kind_of_its_content(store: Store) -> None:
    with store.write() as writer:
        writer.put(dated("scan", "application/pdf", ()))
        writer.put(dated("photo", "image/png", ()))
    assert seen(store, Scope(kinds=("pdf",))) == {"scan"}
    assert seen(store, Scope(kinds=("image",))) == {"photo"}


@pytest.mark.parametrize(
    ("since", "until", "names"),
    [
        ("2024", None, {"notes.md"}),
        ("2024-05-11", None, set()),
        (None, "2023", {"Rules.PDF"}),
        (None, "2018", set()),
        ("2019-06", "2020", {"Rules.PDF"}),
        ("2020", "2021-05", set()),
        ("2021", "2024-05", {"Rules.PDF", "notes.md"}),
    ],
)
def test_one_date_in_the_period_is_enough(
    files: Store, since: str | None, until: str | None, names: set[str]
) -> None:
    assert seen(files, Scope(since=since, until=until)) == names


def test_a_text_that_names_no_date_counts_as_of_the_day_it_was_stored(store: Store) -> None:
    with store.write() as writer:
        writer.put(dated("undated", "text/plain", ()))
        writer.put(dated("dated", "text/plain", ("2001",)))
    with store.read() as reader:
        today = reader.document("undated").updated_at[:10]
    assert seen(store, Scope(since=today, until=today)) == {"undated"}
    assert seen(store, Scope(until="2001")) == {"dated"}


def test_kind_time_and_place_are_asked_together(files: Store) -> None:
    with files.write() as writer:
        writer.put(replace(dated("other.md", "text/markdown", ("2024",)), collection="other"))
        writer.put(replace(dated("mine.md", "text/markdown", ("2024",)), collection="chat:1"))
    narrow = Scope(kinds=("md",), since="2024", until="2024")
    assert seen(files, narrow) == {"notes.md", "other.md"}
    assert seen(files, replace(narrow, collections=("other",))) == {"other.md"}
    assert seen(files, replace(narrow, chat="chat:1")) == {"notes.md", "other.md", "mine.md"}
    with files.read() as reader:
        ids = (reader.document("Rules.PDF").id, reader.document("notes.md").id)
    assert seen(files, replace(narrow, documents=ids)) == {"notes.md"}


def test_only_the_current_version_is_searched(files: Store) -> None:
    with files.write() as writer:
        writer.put(dated("notes.md", "text/markdown", ("2030",)))
    assert seen(files, Scope(since="2024", until="2024")) == set()
    assert seen(files, Scope(since="2030")) == {"notes.md"}


def test_a_damaged_date_is_told(files: Store) -> None:
    with files.write() as writer:
        writer.put(dated("odd.md", "text/markdown", ("2024-77",)))
    with files.read() as reader, pytest.raises(StoreDamagedError, match=r"2024-77|month"):
        reader.visible_versions(Scope(since="2024"))


def test_the_dates_of_many_documents_are_told_as_those_of_few(store: Store) -> None:
    with store.write() as writer:
        for number in range(103):
            writer.put(dated(f"{number}.md", "text/markdown", (str(1920 + number),)))
    assert seen(store, Scope(since="2000", until="2001")) == {"80.md", "81.md"}
