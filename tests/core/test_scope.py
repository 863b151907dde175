"""The rule of who sees what, as a table."""

from __future__ import annotations

import pytest

from core.scope import Scope, Visibility

PRIVATE, COLLECTION, ALL = Visibility.PRIVATE, Visibility.COLLECTION, Visibility.ALL


@pytest.mark.parametrize(
    ("viewer", "owner", "visibility", "members", "seen"),
    [
        (None, "ann", PRIVATE, ("ann",), True),
        ("ann", "ann", PRIVATE, (), True),
        ("ann", "ann", PRIVATE, ("bob",), True),
        ("bob", "ann", PRIVATE, (), False),
        ("bob", "ann", PRIVATE, ("bob",), False),
        ("bob", "ann", COLLECTION, (), True),
        ("bob", "ann", COLLECTION, ("bob",), True),
        ("bob", "ann", COLLECTION, ("ann",), False),
        ("bob", "ann", ALL, ("ann",), True),
        ("bob", "", PRIVATE, (), False),
        ("", "", PRIVATE, (), False),
        ("", "ann", COLLECTION, (), True),
        ("", "ann", COLLECTION, ("ann",), False),
    ],
)
def test_who_may_see_a_document(
    viewer: str | None, owner: str, visibility: Visibility, members: tuple[str, ...], seen: bool
) -> None:
    assert Scope(viewer=viewer).admits(owner, visibility, members) is seen


def test_files_of_a_chat_must_be_named() -> None:
    assert Scope().names("default")
    assert not Scope().names("chat:1")
    assert Scope(chat="chat:1").names("chat:1")
    assert Scope(chat="chat:1").names("default")
    assert not Scope(chat="chat:1").names("chat:2")
    assert Scope(collections=("chat:1",)).names("chat:1")
    assert not Scope(collections=("chat:1",)).names("default")
