"""What a run was made with: program, machine and versions, without names of hosts, people or folders."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStamp:
    """``commit`` is empty outside a git checkout and ends with "+" when files were changed since."""

    commit: str
    version: str
    cores: int
    machine: str
    python: str

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def run_stamp() -> RunStamp:
    """The stamp of this process."""
    return RunStamp(
        commit=_commit(),
        version=metadata.version("youju"),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        machine=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def _commit() -> str:
    head = _git("rev-parse", "HEAD")
    changed = head and _git("status", "--porcelain", "--untracked-files=no")
    return head[:12] + ("+" if changed else "")


def _git(*words: str) -> str:
    """What git says; empty without git or outside a checkout."""
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(_ROOT), *words],
            capture_output=True, text=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
