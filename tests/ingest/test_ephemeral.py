"""Files of one chat: searched only there, gone with it, and never taken from a chat that goes on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import UnknownCollectionError
from core.scope import Scope
from core.store import writer as writer_module
from ingest.sources import Source
from ingest.workspace import EPHEMERAL_PREFIX, remove_ephemeral
from retrieval.knowledge_base import KnowledgeBase
from tests.support import make_ingest

MINE, OTHERS = f"{EPHEMERAL_PREFIX}mine", f"{EPHEMERAL_PREFIX}others"


@pytest.fixture
def chats(filled: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    for collection, canary in ((MINE, "金丝雀甲"), (OTHERS, "金丝雀乙")):
        path = tmp_path / f"{canary}.md"
        path.write_text(f"# {canary}\n\n{canary}的密码是{canary}。", "utf-8")
        make_ingest(filled).add_sources([Source(name=path.name, path=path)], collection)
    return filled


def test_files_of_a_chat_are_found_only_in_it(chats: KnowledgeBase) -> None:
    everywhere = chats.search("金丝雀的密码", passages=50)
    assert not any("金丝雀" in passage.text for passage in everywhere.passages)
    mine = chats.search("金丝雀的密码", scope=Scope(collections=("default", MINE)), passages=50)
    found = "".join(passage.text for passage in mine.passages)
    assert "金丝雀甲" in found
    assert "金丝雀乙" not in found


def test_ending_one_chat_leaves_the_others(chats: KnowledgeBase) -> None:
    remove_ephemeral(chats.workspace, MINE)
    with chats.workspace.store.read() as reader:
        assert reader.collections() == (OTHERS, "default")
    with pytest.raises(UnknownCollectionError):
        chats.search("金丝雀", scope=Scope(collections=(MINE,)))


def test_a_start_forgets_only_what_is_old(
    chats: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    remove_ephemeral(chats.workspace)
    with chats.workspace.store.read() as reader:
        assert reader.collections() == (MINE, OTHERS, "default")
    long_ago = (datetime.now(UTC) - timedelta(days=9)).isoformat(timespec="seconds")
    monkeypatch.setattr(writer_module, "_now", lambda: long_ago)
    (tmp_path / "金丝雀甲.md").write_text("# 旧\n\n旧文件。", "utf-8")
    make_ingest(chats).add_sources([Source(name="金丝雀甲.md", path=tmp_path / "金丝雀甲.md")], MINE)
    remove_ephemeral(chats.workspace)
    with chats.workspace.store.read() as reader:
        assert reader.collections() == (OTHERS, "default")
