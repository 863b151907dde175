"""What an interrupted change leaves among the index's files, and errors of the libraries behind it."""

from __future__ import annotations

import os
from pathlib import Path
from unittest import mock

import pytest

from ingest.check import problems
from ingest.indexes.lexical import Entry
from ingest.indexes.tantivy_index import TantivyIndex
from ingest.mending import mend
from tests.robustness.small_base import add, lies, make, opened, remove, rules, traces


def test_what_tantivy_cannot_read_is_an_error_of_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{", "utf-8")
    with pytest.raises(OSError, match="meta"):
        TantivyIndex().changed((), [Entry("chunk", "version", ["word"])], tmp_path)


@pytest.mark.parametrize("lexical", ["bm25plus", "tantivy"])
def test_a_generation_that_was_taken_away_by_half_is_gone_with_the_next_change(
    tmp_path: Path, lexical: str
) -> None:
    home = tmp_path / "home"
    make(home, lexical)

    def refused(path: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    with opened(home, lexical) as base:
        with mock.patch.object(os, "rmdir", refused), mock.patch.object(os, "unlink", guarded(os.unlink)):
            remove(base, "apple.md")
        assert files_of(home / "index", "gone-*/**/*")
        add(base, "later.md", rules("later91"))
        assert files_of(home / "index", "gone-*/**/*") == []
        assert traces(home / "index", "apple12") == []
        assert list(lies(base)) == []


@pytest.mark.parametrize("lexical", ["bm25plus", "tantivy"])
def test_what_was_taken_away_by_half_is_gone_with_the_next_start(tmp_path: Path, lexical: str) -> None:
    home = tmp_path / "home"
    make(home, lexical)
    left = home / "index" / "gone-gen-00000001-00000000" / "words"
    left.mkdir(parents=True)
    (left / "tokens.jsonl").write_text("apple10", "utf-8")
    with opened(home, lexical) as base:
        assert list(lies(base)) == []
        assert files_of(home / "index", "gone-*/**/*") == []


def files_of(folder: Path, pattern: str) -> list[Path]:
    return [path for path in folder.glob(pattern) if path.is_file()]


def guarded(original: object) -> object:
    """Takes the manifest of a generation away and then nothing more of it."""

    def call(path: object, **named: object) -> None:
        if named.get("dir_fd") is not None and path != "manifest.json":
            raise PermissionError(13, "Permission denied")
        original(path, **named)  # type: ignore[operator]

    return call


@pytest.mark.parametrize("lexical", ["bm25plus", "tantivy"])
def test_rebuild_takes_away_what_a_process_left_that_died_over_an_index(tmp_path: Path, lexical: str) -> None:
    home = tmp_path / "home"
    make(home, lexical)
    left = home / "index" / "gen-00000009-00000000" / "words"
    left.mkdir(parents=True)
    (left / "tokens.jsonl").write_text("apple12", "utf-8")
    with opened(home, lexical) as base:
        remove(base, "apple.md")
        _, found = mend(base.workspace, lambda key, **values: None)
        assert found == problems(base.workspace.store) == []
        assert traces(home, "apple12") == []
        assert list(lies(base)) == []
