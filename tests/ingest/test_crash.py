"""Killing the program at any moment: acknowledged documents stay, half documents never show."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from core.settings import Settings
from ingest.check import problems
from retrieval.knowledge_base import KnowledgeBase

MOMENTS = 20
DOCUMENTS = 60


def _write_documents(folder: Path) -> None:
    folder.mkdir()
    for number in range(DOCUMENTS):
        rules = "\n\n".join(f"第{i}条 编号{number}的设备每{i}天检查一次，并记录结果。" for i in range(1, 40))
        (folder / f"{number:02}.md").write_text(f"# 办法{number}\n\n{rules}\n", "utf-8")


def _ingest(home: Path, folder: Path, errors: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {"YOUJU_HOME": str(home), "YOUJU_EMBEDDING__NAME": "hashing"}
    with errors.open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "ingest", "add", str(folder)], env=environment, stdout=log, stderr=log
        )


def test_kill_at_twenty_random_moments_loses_nothing_acknowledged(tmp_path: Path) -> None:
    folder, home, log = tmp_path / "docs", tmp_path / "home", tmp_path / "log"
    _write_documents(folder)
    dice = random.Random(20261130)
    acknowledged: set[str] = set()
    killed = 0
    for moment in range(MOMENTS):
        # Removing some keeps every run busy writing until it is killed.
        if moment % 4 == 3:
            base = KnowledgeBase(Settings(home=home, embedding={"name": "hashing"}))  # type: ignore[arg-type]
            gone = sorted(acknowledged)[:: dice.randint(1, 3)]
            acknowledged -= set(base.workspace.remove(gone))
            base.workspace.close()
        process = _ingest(home, folder, log)
        deadline = time.monotonic() + 60
        while not log.read_bytes() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(dice.uniform(0, 0.4))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        lines = log.read_text("utf-8", errors="replace").split("\n")[:-1]
        acknowledged |= {line.split()[1].rstrip(":") for line in lines if line.startswith(("+ ", "= "))}
        _assert_sound(home, acknowledged)
    assert killed >= MOMENTS // 2
    assert acknowledged


def _assert_sound(home: Path, acknowledged: set[str]) -> None:
    base = KnowledgeBase(Settings(home=home, embedding={"name": "hashing"}))  # type: ignore[arg-type]
    store = base.workspace.store
    assert problems(store) == []
    with store.read() as reader:
        stored = {row.name for row in reader.documents()}
        expected = len(reader.documents()) * len(reader.chunks_of(reader.documents()[0].version_id))
        assert reader.count("chunks") == expected
        assert len(base.workspace.indexes.at(reader)) == expected
    assert acknowledged <= stored
    base.workspace.close()
