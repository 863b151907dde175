"""History, differences and originals of stored documents, on the command line and as a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from core.errors import UnknownVersionError
from ingest.cli import main
from ingest.removal import remove_documents
from ingest.versions.difference import load_difference
from ingest.versions.history import history
from ingest.versions.page import html
from ingest.versions.plain import plain
from retrieval.knowledge_base import KnowledgeBase
from tests.ingest.stored import add_text, home_of

FIRST = """\
# 管理办法

## 第一章 总则

第一条 为了规范设备管理，制定本办法。

## 第二章 检查

第十二条 设备每30天检查一次，并记录结果。

第十三条 检查由使用部门负责。
"""
HOSTILE = "</div><script>alert(1)</script> \x1b[31m\u202e 附则"
SECOND = FIRST.replace("每30天检查一次", "每14天检查一次").replace("第十三条 检查由使用部门负责。", HOSTILE)


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KnowledgeBase:
    settings = home_of(tmp_path)
    monkeypatch.setenv("YOUJU_HOME", str(settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    made = KnowledgeBase(settings)
    for text in (FIRST, SECOND, FIRST):
        add_text(made, "办法.md", text)
    return made


def out(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_the_history_says_when_how_large_and_why(
    base: KnowledgeBase, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "办法.md", "--json"]) == 0
    rows = out(capsys)
    assert [row["version"] for row in rows] == [1, 2, 3]
    assert [row["current"] for row in rows] == [False, False, True]
    assert [row["bytes"] for row in rows] == [len(text.encode()) for text in (FIRST, SECOND, FIRST)]
    assert [row["bytes_changed"] for row in rows] == [False, True, True]
    assert [row["same_as_version"] for row in rows] == [None, None, 1]
    assert (rows[0]["characters_removed"], rows[0]["characters_added"]) == (0, 0)
    assert (
        rows[1]["characters_removed"]
        == rows[2]["characters_added"]
        == 2 + len("第十三条 检查由使用部门负责。")
    )
    assert main(["history", "办法.md"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("* version 3 ")
    assert "as in version 1" in lines[0]
    assert "first added" in lines[2]


def test_other_settings_make_a_version_whose_text_is_the_same(base: KnowledgeBase) -> None:
    chunking = base.settings.chunking.model_copy(update={"hard_tokens": 350})
    other = KnowledgeBase(base.settings.model_copy(update={"chunking": chunking}))
    add_text(other, "办法.md", FIRST)
    with base.workspace.store.read() as reader:
        step = history(reader, reader.document("办法.md"))[-1]
    assert (step.bytes_changed, step.settings_changed, step.removed, step.added) == (False, True, 0, 0)
    assert "另" in step.cause_text("zh") or "设置有变化" in step.cause_text("zh")
    assert "the text is the same" in step.cause_text("en")


def test_a_difference_names_the_headings_of_each_change_also_between_earlier_versions(
    base: KnowledgeBase,
) -> None:
    with base.workspace.store.read() as reader:
        row = reader.document("办法.md")
        told = plain(load_difference(reader, row, 1, 2), "zh").splitlines()
        back = plain(load_difference(reader, row), "en")
    assert told[0].startswith("--- 办法.md  第 1 版")
    assert told[1].startswith("+++ 办法.md  第 2 版")
    assert "@@ 管理办法 > 第二章 检查 @@" in told
    assert "- 第十二条 设备每[-30-]天检查一次，并记录结果。" in told
    assert "+ 第十二条 设备每{+14+}天检查一次，并记录结果。" in told
    assert "- 第十三条 检查由使用部门负责。" in told
    assert not any("第一条" in line for line in told)
    assert "\x1b" not in back
    assert "\u202e" not in back
    assert "- 第十二条 设备每[-14-]天检查一次，并记录结果。" in back


def test_versions_of_the_same_text_are_said_to_be_the_same(
    base: KnowledgeBase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["diff", "办法.md", "--from", "1", "--to", "3"]) == 0
    assert "nothing changed" in capsys.readouterr().out
    add_text(base, "neu.md", "# Neu\n\nText.")
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    assert main(["diff", "neu.md"]) == 0
    assert "neu.md 只有一个版本" in capsys.readouterr().out
    assert main(["diff", "办法.md", "--to", "7"]) == 1


def test_an_unknown_version_is_named_with_those_there_are(base: KnowledgeBase) -> None:
    with base.workspace.store.read() as reader, pytest.raises(UnknownVersionError) as caught:
        load_difference(reader, reader.document("办法.md"), 9)
    assert "1, 2, 3" in caught.value.message("zh")
    assert "9" in caught.value.message("en")


class Page(HTMLParser):
    """The text inside each element of a class, and every tag."""

    def __init__(self, written: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.inside: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(written)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "br", "link"):
            self._open.append(dict(attrs).get("class") or tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for name in set(self._open):
            self.inside.setdefault(name, []).append(data)


def test_the_page_shows_both_versions_and_obeys_neither(base: KnowledgeBase) -> None:
    with base.workspace.store.read() as reader:
        written = "".join(html(load_difference(reader, reader.document("办法.md"), 1, 2), "zh"))
    page = Page(written)
    assert page.inside["del"] == ["30"]
    assert page.inside["ins"] == ["14"]
    assert "".join(page.inside["old"]).count("第十二条") == 1
    assert "</div><script>alert(1)</script>" in "".join(page.inside["new"])
    assert page.inside["h2"] == ["管理办法 › 第二章 检查"]
    assert "script" not in page.tags
    assert "\u202e" not in written
    assert "\x1b" not in written
    assert "default-src 'none'" in written
    assert "http" not in written.replace("http-equiv", "")
    whole = "".join(page.inside["place"] + page.inside["same"])
    assert all(line in whole for line in FIRST.replace("30", "").split() if line.isalpha())


def test_the_page_of_nothing_changed_says_so(base: KnowledgeBase, tmp_path: Path) -> None:
    target = tmp_path / "差异.html"
    assert main(["diff", "办法.md", "--from", "1", "--html", str(target)]) == 0
    assert "nothing changed" in target.read_text("utf-8")
    assert main(["diff", "办法.md", "--html", str(tmp_path)]) == 1


def test_an_original_is_checked_before_it_is_written(base: KnowledgeBase, tmp_path: Path) -> None:
    target = tmp_path / "办法 2.md"
    assert main(["original", "办法.md", "--version", "2", "--out", str(target)]) == 0
    assert target.read_bytes() == SECOND.encode()
    with base.workspace.store.read() as reader:
        digest = reader.version_of(reader.document("办法.md"), 2).source_sha256
    base.workspace.store.blobs.path(digest).write_bytes(b"other")
    assert main(["original", "办法.md", "--version", "2", "--out", str(tmp_path / "x")]) == 1
    assert not (tmp_path / "x").exists()
    assert main(["original", "办法.md", "--out", str(tmp_path / "no" / "where" / "y")]) == 0
    assert main(["original", "办法.md", "--out", str(tmp_path)]) == 1


def test_citations_of_an_earlier_version_still_resolve_until_the_document_is_removed(
    base: KnowledgeBase,
) -> None:
    """A document that goes back to earlier bytes has its first version id again; the history keeps all three."""
    with base.workspace.store.read() as reader:
        versions = reader.versions(reader.document("办法.md"))
        assert [reader.version(row.id).text for row in versions] == [FIRST, SECOND, FIRST]
        assert len({row.id for row in versions}) == 3
    remove_documents(base.workspace, ["办法.md"])
    with base.workspace.store.read() as reader:
        assert reader.count("versions") == reader.count("blocks") == 0


def test_a_long_line_shows_what_is_near_its_changes(base: KnowledgeBase) -> None:
    long = "、".join(f"条目{i}" for i in range(300))
    add_text(base, "long.md", long)
    add_text(base, "long.md", long.replace("条目150、", "条目一百五十、"))
    with base.workspace.store.read() as reader:
        told = plain(load_difference(reader, reader.document("long.md")), "en")
    assert "条目149" in told
    assert "条目20、" not in told
    assert max(map(len, told.splitlines())) < 200


def test_collections_and_sharing(
    base: KnowledgeBase, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["collections", "create", "内部", "--members", "anna", "bert"]) == 0
    (tmp_path / "plan.md").write_text("# Plan\n\nText.", "utf-8")
    add = ["add", str(tmp_path / "plan.md"), "--collection", "内部"]
    assert main([*add, "--visibility", "private"]) == 1
    assert "--owner" in capsys.readouterr().err
    assert main([*add, "--owner", "anna", "--visibility", "private"]) == 0
    capsys.readouterr()
    assert main(["collections", "--json"]) == 0
    rows = {row["name"]: row for row in out(capsys)}
    assert rows["内部"]["members"] == ["anna", "bert"]
    assert rows["内部"]["visibility"] == {"private": 1, "collection": 0, "all": 0}
    assert rows["default"]["documents"] == 1
    assert main(["list", "--collection", "内部"]) == 0
    assert "owner anna, seen by the owner alone" in capsys.readouterr().out
    assert main(["share", "plan.md", "--visibility", "all", "--owner", ""]) == 0
    assert "no owner, seen by everyone" in capsys.readouterr().out
    assert main(["list", "--json", "--collection", "内部"]) == 0
    assert [(row["owner"], row["visibility"]) for row in out(capsys)] == [("", "all")]
    assert main(["collections", "members", "内部"]) == 0
    assert "open to everyone" in capsys.readouterr().out
    assert main(["collections", "members", "nowhere", "anna"]) == 1
    assert main(["collections", "remove", "内部"]) == 0
    assert "1 documents" in capsys.readouterr().out
    assert main(["collections"]) == 0
    assert "内部" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["collections", "create", "chat:1"])
