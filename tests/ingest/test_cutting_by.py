"""Files can be cut by another strategy than the one that is set, in the same base and with the same models."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UnknownNameError
from ingest.pipeline import Ingest
from retrieval.knowledge_base import KnowledgeBase

PARAGRAPHS = "\n\n".join(f"第{n}台设备每{n}天由设备科检查一次，结果记入台账并由科长签字。" for n in range(40))


def chunks(base: KnowledgeBase, path: Path, strategy: str | None) -> list[str]:
    workspace = base.workspace.cutting_by(strategy)
    Ingest(workspace).add([path], "default")
    with base.workspace.store.read() as reader:
        found = reader.document(path.name)
        return [
            chunk.span.of(reader.version(found.version_id).text)
            for chunk in reader.chunks_of(found.version_id)
        ]


def test_a_strategy_of_its_own(base: KnowledgeBase, tmp_path: Path) -> None:
    for name in ("set.md", "fixed.md"):
        # Not the same file twice.
        (tmp_path / name).write_text(f"# {name}\n\n{PARAGRAPHS}\n", "utf-8")
    usual = chunks(base, tmp_path / "set.md", None)
    fixed = chunks(base, tmp_path / "fixed.md", "fixed")
    assert usual[1:] != fixed[1:]
    assert base.workspace.settings.chunking.strategy == "semantic"
    assert base.search("第37台设备由谁检查？").passages
    assert base.workspace.cutting_by(None) is base.workspace
    assert base.workspace.cutting_by("fixed").embedder is base.workspace.embedder
    with pytest.raises(UnknownNameError):
        chunks(base, tmp_path / "set.md", "no such")
