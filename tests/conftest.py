"""Offline, strict, and with small documents of our own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from core.settings import Settings
from ingest.report import IngestReport
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.support import HANDBOOK, MANUAL, make_ingest

# How long an example takes says how busy the machine is; the first one fills Hypothesis' own tables.
settings.register_profile("anywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("anywhere")
SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shared" in item.keywords and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason="the shared data sets are not here"))


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets reach this machine alone."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "localhost", "::1"):
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings of the developer's machine reach a test."""
    import os

    for name in list(os.environ):
        if name.startswith(("YOUJU_", "OPENAI_", "DEEPSEEK_", "DASHSCOPE_")) or name in (
            "STORE_URL",
            "INDEX",
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A knowledge base of its own, with the model-free embedder."""
    return Settings(home=tmp_path / "知识 库", embedding={"name": "hashing"})  # type: ignore[arg-type]


@pytest.fixture
def base(settings: Settings) -> Iterator[KnowledgeBase]:
    made = KnowledgeBase(settings)
    yield made
    made.workspace.close()


@pytest.fixture
def filled(base: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    """A knowledge base with a Chinese handbook and an English manual."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "handbook.md").write_text(HANDBOOK, "utf-8")
    (folder / "manual.md").write_text(MANUAL, "utf-8")
    report: IngestReport = make_ingest(base).add_sources(
        [Source(name=name, path=folder / name) for name in ("handbook.md", "manual.md")], "default"
    )
    assert not any(result.error for result in report.files)
    return base
