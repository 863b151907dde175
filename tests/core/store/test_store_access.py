"""Who sees which stored document: before a search, and when one is opened."""

from __future__ import annotations

import pytest

from core.errors import UnknownCollectionError, UnknownDocumentError
from core.scope import Scope, Visibility
from core.store import Store
from tests.core.store.documents import prepared


@pytest.fixture
def shared(store: Store) -> Store:
    """Two users, a closed collection, an open one, and a chat's."""
    documents = (
        ("ann-private", "open", "ann", Visibility.PRIVATE),
        ("ann-open", "open", "ann", None),
        ("ann-closed", "closed", "ann", None),
        ("ann-closed-all", "closed", "ann", Visibility.ALL),
        ("bob-private", "secret", "bob", Visibility.PRIVATE),
        ("chat-file", "chat:1", "ann", Visibility.PRIVATE),
        ("old", "open", None, None),
    )
    with store.write() as writer:
        for name, collection, owner, visibility in documents:
            writer.put(prepared(name, name, collection=collection, owner=owner, visibility=visibility))
        writer.set_members("closed", ["ann", "carl", "ann"])
        writer.set_members("secret", ["bob"])
    return store


def seen(store: Store, scope: Scope) -> set[str]:
    """The names that ``scope`` sees; every way of asking must agree."""
    with store.read() as reader:
        visible = reader.visible_versions(scope)
        rows = reader.documents()
        names = {row.name for row in rows if visible is None or row.version_id in visible}
        assert names == {row.name for row in reader.visible_documents(scope)}
        assert names == {row.name for row in rows if reader.can_see(row.version_id, scope)}
        for row in rows:
            if row.name in names:
                assert reader.version(row.version_id, scope).name == row.name
            else:
                with pytest.raises(UnknownDocumentError):
                    reader.version(row.version_id, scope)
    return names


LASTING = {"ann-private", "ann-open", "ann-closed", "ann-closed-all", "bob-private", "old"}


def test_each_user_sees_what_is_his(shared: Store) -> None:
    assert seen(shared, Scope()) == LASTING
    assert seen(shared, Scope(viewer="ann")) == LASTING - {"bob-private"}
    assert seen(shared, Scope(viewer="bob")) == {"ann-open", "ann-closed-all", "bob-private", "old"}
    assert seen(shared, Scope(viewer="carl")) == {"ann-open", "ann-closed", "ann-closed-all", "old"}
    assert seen(shared, Scope(viewer="")) == {"ann-open", "ann-closed-all", "old"}


def test_a_scope_restricts_what_a_user_sees(shared: Store) -> None:
    with shared.read() as reader:
        ids = tuple(reader.document(name).id for name in ("ann-open", "bob-private", "chat-file"))
    assert seen(shared, Scope(documents=ids)) == {"ann-open", "bob-private"}
    assert seen(shared, Scope(documents=ids, viewer="ann")) == {"ann-open"}
    assert seen(shared, Scope(documents=())) == set()
    assert seen(shared, Scope(collections=("closed",), viewer="bob")) == {"ann-closed-all"}
    assert seen(shared, Scope(collections=("open", "closed"))) == {
        "ann-private", "ann-open", "old", "ann-closed", "ann-closed-all",
    }  # fmt: skip
    assert seen(shared, Scope(collections=())) == set()


def test_files_of_a_chat_are_seen_by_their_owner_in_that_chat_alone(shared: Store) -> None:
    assert seen(shared, Scope(chat="chat:1")) == LASTING | {"chat-file"}
    assert "chat-file" in seen(shared, Scope(chat="chat:1", viewer="ann"))
    assert "chat-file" not in seen(shared, Scope(chat="chat:1", viewer="bob"))
    assert "chat-file" not in seen(shared, Scope(chat="chat:2", viewer="ann"))


def test_without_restriction_nothing_is_listed(shared: Store) -> None:
    with shared.read() as reader:
        assert reader.visible_versions(Scope(chat="chat:1")) is None
        assert reader.visible_versions(Scope()) is not None
    with shared.write() as writer:
        writer.remove([writer.reader.document("chat-file").id])
        writer.drop_empty_collections("chat:")
        assert writer.reader.visible_versions(Scope()) is None


def test_what_a_user_may_not_open_is_not_even_named(shared: Store) -> None:
    with shared.read() as reader:
        for scope in (Scope(collections=("none",)), Scope(collections=("secret",), viewer="ann")):
            with pytest.raises(UnknownCollectionError) as caught:
                reader.visible_versions(scope)
        assert caught.value.details["known"] == "closed, open"
        with pytest.raises(UnknownCollectionError) as caught:
            reader.visible_versions(Scope(collections=("none",)))
        assert caught.value.details["known"] == "closed, open, secret"
        assert reader.visible_versions(Scope(collections=("secret",), viewer="bob"))


def test_an_earlier_version_is_as_visible_as_its_document(shared: Store) -> None:
    with shared.read() as reader:
        before = reader.document("ann-private").version_id
    with shared.write() as writer:
        writer.put(prepared("ann-private", "second", collection="open", owner="ann"))
    with shared.read() as reader:
        assert before not in (reader.visible_versions(Scope(viewer="ann")) or ())
        assert reader.can_see(before, Scope(viewer="ann"))
        assert not reader.can_see(before, Scope(viewer="bob"))
        assert not reader.can_see("none", Scope())


def test_sharing_takes_effect_with_a_new_generation(shared: Store) -> None:
    with shared.read() as reader:
        generation, row = reader.generation(), reader.document("ann-private")
    with shared.write() as writer:
        writer.share(row.id, visibility=Visibility.ALL)
    assert "ann-private" in seen(shared, Scope(viewer="bob"))
    with shared.write() as writer:
        writer.share(row.id, owner="bob", visibility=Visibility.PRIVATE)
    assert "ann-private" in seen(shared, Scope(viewer="bob"))
    assert "ann-private" not in seen(shared, Scope(viewer="ann"))
    with shared.write() as writer:
        writer.set_members("closed", [])
    assert "ann-closed" in seen(shared, Scope(viewer="bob"))
    with shared.read() as reader:
        assert reader.generation() == generation + 3
    with shared.write() as writer:
        writer.share(row.id)
    with shared.read() as reader:
        assert reader.generation() == generation + 3
    with pytest.raises(UnknownCollectionError), shared.write() as writer:
        writer.set_members("none", ["ann"])


def test_collections_and_current_versions_are_listed(shared: Store) -> None:
    with shared.read() as reader:
        assert {row.name: row.members for row in reader.collection_rows()} == {
            "chat:1": (), "closed": ("ann", "carl"), "open": (), "secret": ("bob",),
        }  # fmt: skip
        rows = {row.document_id: row for row in reader.current_versions()}
        document = reader.document("bob-private")
        row = rows[document.id]
        assert (row.version_id, row.collection, row.owner, row.visibility) == (
            document.version_id, "secret", "bob", Visibility.PRIVATE,
        )  # fmt: skip
        assert len(rows) == 7
