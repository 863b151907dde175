"""Which documents are meant by what is typed behind a command."""

from __future__ import annotations

import pytest

from app.managing.naming import called, typed_names
from core.store import DocumentRow

NAMES = ("员工手册.md", "员工 手册 (2).md", "仪器管理办法.pdf", "T200 manual.md", "T200 manual old.md", "法/商标法(2019-04-23).md",
         "法/商标法实施条例(2014-04-29).md")  # fmt: skip


def row(name: str) -> DocumentRow:
    return DocumentRow(
        id=f"id-{NAMES.index(name)}", collection="default", name=name, version_id="v", version_number=1,
        source_sha256="", source_bytes=1, fingerprint="", media_type="text/markdown",
        title="Spruce T200" if name == "T200 manual.md" else name, language="zh", page_count=0, chunk_count=1,
        notices=(), updated_at="2026-01-01T00:00:00",
    )  # fmt: skip


ROWS = tuple(map(row, NAMES))


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("手册 办法", ("手册", "办法")),
        ("手册、办法，manual", ("手册", "办法", "manual")),
        ('"员工 手册" 办法', ("员工 手册", "办法")),
        ("“员工 手册”《办法》", ("员工 手册", "办法")),
        # A name as a whole needs no quotes.
        ("T200 manual.md", ("T200 manual.md",)),
        ("t200 MANUAL", ("t200 MANUAL",)),
        ("nothing like it", ("nothing", "like", "it")),
        ("   ", ()),
        ('""', ('""',)),
    ],
)
def test_a_line_holds_names(words: str, names: tuple[str, ...]) -> None:
    assert typed_names(words, ROWS) == names


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("仪器", ["仪器管理办法.pdf"]),
        ("员工手册.MD", ["员工手册.md"]),
        ("T200 manual.md", ["T200 manual.md"]),
        ("spruce t200", ["T200 manual.md"]),
        ("T200", ["T200 manual.md", "T200 manual old.md"]),
        ("T200 Manual", ["T200 manual.md"]),
        ("员工 手册", ["员工 手册 (2).md"]),
        ("商标法", ["法/商标法(2019-04-23).md"]),
        ("id-2", ["仪器管理办法.pdf"]),
        ("没有", []),
    ],
)
def test_a_name_means_the_one_that_is_called_so_or_all_that_hold_it(typed: str, found: list[str]) -> None:
    meant = called(typed, ROWS)
    assert [one.name for one in meant.rows] == found
    assert (meant.row is not None) == (len(found) == 1)
