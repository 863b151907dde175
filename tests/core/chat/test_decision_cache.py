"""Decisions of the chat model are kept in SQLite or in a real Redis."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.chat.model import make_chat_model
from core.errors import MissingExtraError
from core.settings import Settings
from tests.scripted_openai import serving


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server on this machine")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)],
        stdout=subprocess.DEVNULL,
    )
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(10)


def calls(settings: Settings, where: str) -> int:
    """How often the endpoint is asked when the same decision is wanted three times by two programs."""
    with serving(lambda request: "decided") as server:
        chat = settings.chat.model_copy(update={"model": "m", "cache": where})
        full = settings.model_copy(update={"chat": chat, "openai_base_url": server.url})
        for _ in range(2):
            model = make_chat_model(full)
            assert model is not None
            assert model.decide("task", "data") == "decided"
        assert model.decide("task", "data") == "decided"
        return len(server.requests)


def test_sqlite_keeps_decisions_between_programs(settings: Settings) -> None:
    assert calls(settings, "sqlite") == 1


def test_redis_keeps_decisions_between_programs(settings: Settings, redis_url: str) -> None:
    assert calls(settings, redis_url) == 1


def test_no_cache_asks_every_time(settings: Settings) -> None:
    assert calls(settings, "none") == 3


def test_without_the_package_redis_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(MissingExtraError) as caught:
        calls(settings, "redis://127.0.0.1:1/0")
    assert "pip install redis" in str(caught.value)
