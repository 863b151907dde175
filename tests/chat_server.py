"""A real server in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    home: Path
    start_s: float
    pid: int = 0


def environment(home: Path, **more: str) -> dict[str, str]:
    """No settings of the developer's machine; those of ``more``."""
    foreign = ("YOUJU_", "OPENAI_", "OAUTH_", "CHAINLIT_")
    clean = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    return clean | {"YOUJU_HOME": str(home)} | more


def youju(*arguments: str, env: Mapping[str, str], typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run one command; ``typed`` is its standard input."""
    command = [sys.executable, "-m", "app.cli", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=env, input=typed, capture_output=True, text=True, timeout=600
    )


@contextmanager
def serving(home: Path, env: Mapping[str, str], host: str = "") -> Iterator[Server]:
    port = free_port()
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    command += ["--host", host] if host else []
    url = f"http://localhost:{port}"
    with (home / f"server-{port}.log").open("wb") as log:
        started = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        try:
            _wait_for(f"{url}/health", process)
            yield Server(url=url, home=home, start_s=time.monotonic() - started, pid=process.pid)
        finally:
            process.terminate()
            process.wait(20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not start")
