"""Killing a process that adds, replaces and deletes; ``scripts/stress_kill.py`` does it more often."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_kill_at_any_moment_loses_nothing_acknowledged() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "stress_kill.py"), "--moments", "8"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "lost or phantom 0, failed starts 0, other findings 0" in done.stdout
